#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The leaks that are known and may stay for a while.
///
///     let known = try LeakAllowances(parsing: """
///         type "map<Int, *>" until 2099-12-31 because "Fixed in the next release."
///         """, name: "leaks.allow")
///     print(known.entries[0].reason)  // Fixed in the next release.
///
/// In a file each entry is a line, and lines that begin with `#` are remarks. A line names a leak by its `signature` or
/// by its `type`, in quotation marks where there are spaces; then, in any order, `until` a day, `because` of a reason,
/// and, if need be, `in` a round trip.
public struct LeakAllowances: Hashable, Sendable {
    /// The entries, in the order in which they are asked.
    public let entries: [LeakAllowance]

    /// No leak is allowed.
    public static let none = LeakAllowances([])

    /// Allows what `entries` say.
    public init(_ entries: [LeakAllowance]) { self.entries = entries }

    /// The entries of a file.
    ///
    /// - Throws: ``LeakAllowanceError`` that names the file, the line and the remedy.
    public init(contentsOfFile path: String) throws(LeakAllowanceError) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let text: String
        do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw LeakAllowanceError(
                place: path,
                problem: "The file cannot be read as UTF-8 text. Check its path, or create it with a remark in it.")
        }
        try self.init(parsing: text, name: name)
    }

    /// The entry by which a group of the round trip `scenario` may leak on `day`; `nil` if it may not.
    public func allowance(for group: GrowthGroup, in scenario: String, on day: CalendarDay = .today) -> LeakAllowance? {
        entries.first { $0.until >= day && $0.matches(group, in: scenario) }
    }

    /// The entries that should go: those whose day has passed, and those that matched nothing in `records`.
    ///
    /// An entry for round trips that did not run, or of which nothing could be counted, is left alone.
    ///
    /// - Parameters:
    ///   - records: what has been found, with or without these allowances.
    ///   - day: the day to judge them on.
    ///   - isWhole: whether the records are all that the entries are for. If not, an entry that is not for one round
    ///     trip alone is left alone as
    ///     well, unless it would match if its day had not passed.
    public func stale(
        after records: [GrowthReport], on day: CalendarDay = .today, isWhole: Bool = true
    ) -> [StaleAllowance] {
        entries.compactMap { entry in
            let relevant = records.filter { Wildcards.match(entry.scenario, $0.name) && !$0.groups.isEmpty }
            let isUsed = relevant.contains { record in record.growing.contains { entry.matches($0, in: record.name) } }
            let isJudged = isWhole || (entry.namesOneScenario && !relevant.isEmpty)
            if entry.until < day { return isJudged || isUsed ? StaleAllowance(entry, .expired) : nil }
            return relevant.isEmpty || isUsed || !isJudged ? nil : StaleAllowance(entry, .unmatched)
        }
    }

    /// Allows everything that leaks in `records`, and what these allow already.
    ///
    /// - Parameters:
    ///   - records: the reports whose leaks are allowed.
    ///   - until: the last day on which it may.
    ///   - reason: why it may, for all of them.
    public func adding(leaksOf records: [GrowthReport], until: CalendarDay, because reason: String) -> LeakAllowances {
        var entries = entries
        for record in records {
            for group in record.growing
            where !entries.contains(where: { $0.until >= until && $0.matches(group, in: record.name) }) {
                entries.append(
                    LeakAllowance(
                        .signature(group.signature), in: record.name, until: until,
                        because: "\(group.title): \(reason)"))
            }
        }
        return LeakAllowances(entries)
    }

    /// The content of a file with these entries, ending in a line feed.
    public var text: String {
        "# Known leaks: signature or type, until a day, because of a reason. Remove a line once its leak is gone.\n"
            + entries.map { "\($0)\n" }.joined()
    }
}

/// An entry of an allow-list that should go.
public struct StaleAllowance: Hashable, Sendable {
    /// Why an entry is of no use any more.
    public enum Reason: String, Hashable, Sendable, Codable {
        /// Its day has passed: the leak counts again.
        case expired
        /// Nothing of the kind leaks any more.
        case unmatched
    }

    /// The entry.
    public let allowance: LeakAllowance
    /// Why it should go.
    public let reason: Reason

    init(_ allowance: LeakAllowance, _ reason: Reason) {
        self.allowance = allowance
        self.reason = reason
    }
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
