/// A leak that is known and may stay for a while: which one, why, and until when.
public struct LeakAllowance: Hashable, Sendable {
    /// Tells the leaks that an allowance is about.
    public enum Pattern: Hashable, Sendable {
        /// Those of one cause, by the twelve digits that reports print.
        case signature(String)
        /// Those of what is called so; a star stands for any characters: `map<Int, *>`.
        case type(String)
    }

    /// The leaks that are allowed.
    public let pattern: Pattern
    /// In which round trips, by name; a star stands for any characters.
    public let scenario: String
    /// Why it may leak, in one sentence.
    public let reason: String
    /// The last day on which it may.
    public let until: CalendarDay
    /// Where the entry stands, `leaks.allow:3`; `nil` if it is in no file.
    public let place: String?

    /// Allows what `pattern` names, in the round trips that `scenario` names, up to and including the day `until`.
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

    /// Whether the allowance is about the group of a round trip.
    func matches(_ group: GrowthGroup, in scenario: String) -> Bool {
        guard Wildcards.match(self.scenario, scenario) else { return false }
        return switch pattern {
        case .signature(let signature): signature == group.signature
        case .type(let type): Wildcards.match(type, group.type ?? group.title)
        }
    }

    /// Whether it is for one round trip alone.
    var namesOneScenario: Bool { !scenario.contains("*") }
}

extension LeakAllowance: CustomStringConvertible {
    /// The entry as it stands in a file: `type "map<Int, *>" until 2027-01-31 because "fixed in 3.2"`.
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

/// Patterns in which a star stands for any characters.
enum Wildcards {
    /// The classic linear matcher: on a mismatch, lets the last star swallow one more byte.
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
