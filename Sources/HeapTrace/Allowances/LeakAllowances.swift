import Foundation

/// The leaks that are known and accepted for a while.
///
///     let known = try LeakAllowances(json: """
///         [{"type": "map<Int, *>", "until": "2099-12-31", "because": "Fixed in the next release."}]
///         """, name: "leaks.json")
///     print(known.entries[0].reason)  // Fixed in the next release.
///
/// A file contains a JSON array with an object for each entry. An entry names a leak by its `signature` or by its
/// `type`, in which a star matches any characters. It has the last day on which the leak is allowed as `until`, and a
/// reason as `because`. It may name a round trip as `in`, where a star also matches any characters.
public struct LeakAllowances: Hashable, Sendable {
    /// The entries, in the order in which they are tried.
    public let entries: [LeakAllowance]

    /// An empty list, which allows no leak.
    public static let none = LeakAllowances([])

    /// Creates a list with the given entries.
    public init(_ entries: [LeakAllowance]) { self.entries = entries }

    /// Reads the entries of a file.
    ///
    /// - Throws: ``LeakAllowanceError`` that names the file, the entry and the remedy.
    public init(contentsOfFile path: String) throws(LeakAllowanceError) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let text: String
        do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw LeakAllowanceError(
                place: path,
                problem: "The file cannot be read as UTF-8 text. Check its path, or create it with '[]' in it.")
        }
        try self.init(json: text, name: name)
    }

    /// Returns the first entry that covers a group of the round trip `scenario` on `day`; `nil` if no entry does.
    public func allowance(for group: GrowthGroup, in scenario: String, on day: CalendarDay = .today) -> LeakAllowance? {
        entries.first { $0.until >= day && $0.matches(group, in: scenario) }
    }

    /// Returns the entries to remove: entries that have expired, and entries that match no growing group in `records`.
    ///
    /// An entry for round trips that did not run, or in which nothing could be counted, is not returned.
    ///
    /// - Parameters:
    ///   - records: the reports, with or without these allowances.
    ///   - day: the day to judge the entries on.
    ///   - isWhole: whether the records are complete. If not, an entry for several round trips is not returned either,
    ///     unless it has expired and would match otherwise.
    public func stale(
        after records: [GrowthReport], on day: CalendarDay = .today, isWhole: Bool = true
    ) -> [StaleAllowance] {
        entries.compactMap { entry in
            let relevant = records.filter { Wildcards.match(entry.scenario, $0.name) && !$0.groups.isEmpty }
            let isUsed = relevant.contains { record in record.growing.contains { entry.matches($0, in: record.name) } }
            let isJudged = isWhole || (entry.namesOneScenario && !relevant.isEmpty)
            let isExpired = entry.until < day
            let isStale = isExpired ? isJudged || isUsed : isJudged && !isUsed && !relevant.isEmpty
            return isStale ? StaleAllowance(allowance: entry, reason: isExpired ? .expired : .unmatched) : nil
        }
    }

    /// Returns allowances for every leak in `records`, in addition to these.
    ///
    /// - Parameters:
    ///   - records: the reports whose leaks are allowed.
    ///   - until: the last day on which the leaks are allowed.
    ///   - reason: the reason for all of them.
    public func adding(leaksOf records: [GrowthReport], until: CalendarDay, because reason: String) -> LeakAllowances {
        var entries = entries
        for record in records {
            for group in record.growing
            where !entries.contains(where: { $0.until >= until && $0.matches(group, in: record.name) }) {
                // A leak without a signature is allowed by its type, only in this round trip.
                entries.append(
                    LeakAllowance(
                        group.signature.map { .signature($0) } ?? .type(group.type ?? group.title), in: record.name,
                        until: until,
                        because: "\(group.title): \(reason)"))
            }
        }
        return LeakAllowances(entries)
    }
}

/// An entry of an allow-list that should be removed.
public struct StaleAllowance: Hashable, Sendable {
    /// The reason why an entry is no longer of use.
    public enum Reason: String, Hashable, Sendable, Codable {
        /// Its last day has passed, so it no longer covers the leak.
        case expired
        /// No growing group matches it any longer.
        case unmatched
    }

    /// The entry.
    public let allowance: LeakAllowance
    /// The reason to remove it.
    public let reason: Reason
}

extension StaleAllowance: CustomStringConvertible {
    /// One sentence with the remedy.
    public var description: String {
        let place = allowance.place.map { "\($0): " } ?? ""
        return switch reason {
        case .expired: "\(place)'\(allowance)' has expired. Mend the leak, or give the entry a later day."
        case .unmatched: "\(place)'\(allowance)' matches no leak any more. Remove it."
        }
    }
}

/// A known leak that is accepted for a while, with the reason and the last day.
public struct LeakAllowance: Hashable, Sendable {
    /// Selects the leaks that an allowance covers.
    public enum Pattern: Hashable, Sendable {
        /// The leaks of one cause, by the twelve digits that reports print.
        case signature(String)
        /// The leaks of types with this name, in which a star matches any characters: `map<Int, *>`.
        case type(String)
    }

    /// The leaks that are allowed.
    public let pattern: Pattern
    /// The name of the round trips, in which a star matches any characters.
    public let scenario: String
    /// The reason why the leak is accepted, in one sentence.
    public let reason: String
    /// The last day on which the leak is accepted.
    public let until: CalendarDay
    /// The file and number of the entry, `leaks.json, entry 3`; `nil` if it is in no file.
    public let place: String?

    /// Allows the leaks that `pattern` selects, in the round trips with the name `scenario`, up to and including the
    /// day `until`.
    public init(_ pattern: Pattern, in scenario: String = "*", until: CalendarDay, because reason: String) {
        self.init(pattern, in: scenario, until: until, because: reason, at: nil)
    }

    init(_ pattern: Pattern, in scenario: String, until: CalendarDay, because reason: String, at place: String?) {
        self.pattern = pattern
        self.scenario = scenario
        self.reason = reason
        self.until = until
        self.place = place
    }

    /// Whether the allowance selects a group of a round trip. Ignores the day.
    func matches(_ group: GrowthGroup, in scenario: String) -> Bool {
        guard Wildcards.match(self.scenario, scenario) else { return false }
        return switch pattern {
        case .signature(let signature): signature == group.signature
        case .type(let type): Wildcards.match(type, group.type ?? group.title)
        }
    }

    /// Whether it covers only one round trip.
    var namesOneScenario: Bool { !scenario.contains("*") }
}

extension LeakAllowance: CustomStringConvertible {
    /// The entry as text: `type "map<Int, *>" until 2027-01-31 because "fixed in 3.2"`.
    public var description: String {
        let beginning =
            switch pattern {
            case .signature(let signature): "signature \(signature)"
            case .type(let type): "type \(Self.quoted(type))"
            }
        let place = scenario == "*" ? "" : " in \(Self.quoted(scenario))"
        return "\(beginning)\(place) until \(until) because \(Self.quoted(reason))"
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\"", "\\": quoted += "\\\(character)"
            case "\n", "\r": quoted += " "
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}

/// Patterns in which a star matches any characters.
enum Wildcards {
    /// Returns whether a text matches a pattern. On a mismatch, the last star matches one more byte.
    static func match(_ pattern: String, _ text: String) -> Bool {
        let pattern = Array(pattern.utf8)
        let text = Array(text.utf8)
        var (patternIndex, textIndex) = (0, 0)
        var star: (pattern: Int, text: Int)?
        while textIndex < text.count {
            if patternIndex < pattern.count, pattern[patternIndex] == UInt8(ascii: "*") {
                star = (patternIndex, textIndex)
                patternIndex += 1
            } else if patternIndex < pattern.count, pattern[patternIndex] == text[textIndex] {
                patternIndex += 1
                textIndex += 1
            } else if let last = star {
                star = (last.pattern, last.text + 1)
                patternIndex = last.pattern + 1
                textIndex = last.text + 1
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
