import Foundation

/// A line of an allow-list that cannot be understood, or a file that cannot be read.
public struct LeakAllowanceError: Error, Hashable, CustomStringConvertible {
    /// The file and line, `leaks.allow:3`.
    public let place: String
    /// The mistake, and the remedy.
    public let problem: String

    /// One sentence for the place and the problem.
    public var description: String { "\(place): \(problem)" }
}

extension LeakAllowances {
    /// The entries in `text`, one a line.
    ///
    /// - Parameters:
    ///   - text: the content of a file.
    ///   - name: what errors call it.
    /// - Throws: ``LeakAllowanceError`` that names the first wrong line and the remedy.
    public init(parsing text: String, name: String) throws(LeakAllowanceError) {
        var entries: [LeakAllowance] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let place = "\(name):\(index + 1)"
            do throws(AllowanceLine.Problem) {
                if let entry = try AllowanceLine.entry(in: line, at: place) { entries.append(entry) }
            } catch {
                throw LeakAllowanceError(place: place, problem: error.sentence)
            }
        }
        self.init(entries)
    }
}

/// One line of an allow-list.
enum AllowanceLine {
    struct Problem: Error { let sentence: String }

    private static let example = "'type \"map<Int, *>\" until 2027-01-31 because \"Fixed in 3.2.\"'"

    /// The line's entry; `nil` for a remark or an empty line.
    static func entry(in line: Substring, at place: String) throws(Problem) -> LeakAllowance? {
        var words = try words(of: line)[...]
        guard !words.isEmpty else { return nil }
        var values: [String: String] = [:]
        while let keyword = words.popFirst() {
            guard ["signature", "type", "in", "until", "because"].contains(keyword) else {
                throw Problem(sentence: "'\(keyword)' is no word of an entry. Write one like \(example).")
            }
            guard values[keyword] == nil else {
                throw Problem(sentence: "'\(keyword)' stands twice. Remove one, or make two lines of it.")
            }
            guard let value = words.popFirst(), !value.isEmpty else {
                throw Problem(sentence: "Nothing follows '\(keyword)'. Write an entry like \(example).")
            }
            values[keyword] = value
        }
        return try entry(of: values, at: place)
    }

    private static func entry(of values: [String: String], at place: String) throws(Problem) -> LeakAllowance {
        guard let day = values["until"] else {
            throw Problem(sentence: "The entry has no day on which it expires. Add one: until 2027-01-31.")
        }
        guard let until = CalendarDay(day) else {
            throw Problem(sentence: "'\(day)' is no day. Write it as in 'until 2027-01-31'.")
        }
        guard let reason = values["because"] else {
            throw Problem(sentence: "The entry has no reason. Add one: because \"…\".")
        }
        return LeakAllowance(try pattern(of: values), in: values["in"] ?? "*", until: until, because: reason, at: place)
    }

    private static func pattern(of values: [String: String]) throws(Problem) -> LeakAllowance.Pattern {
        switch (values["signature"], values["type"]) {
        case (let signature?, nil):
            guard signature.utf8.count == 12,
                signature.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
            else {
                throw Problem(
                    sentence:
                        "'\(signature)' is no signature. Copy the twelve digits, 0 to 9 and a to f, from a report.")
            }
            return .signature(signature)
        case (nil, let type?): return .type(type)
        case (nil, nil):
            throw Problem(sentence: "The entry names no leak. Begin it with 'signature' or 'type', like \(example).")
        case (_?, _?):
            throw Problem(sentence: "The entry has a signature and a type. Keep one of them, or make two lines of it.")
        }
    }

    /// Words parted by spaces; quotation marks hold one together, and a backslash takes the next character as it is.
    private static func words(of line: Substring) throws(Problem) -> [String] {
        var words: [String] = []
        var word: String?
        var (isQuoted, isEscaped) = (false, false)
        for character in line {
            if isEscaped {
                word?.append(character)
                isEscaped = false
            } else if isQuoted, character == "\\" {
                isEscaped = true
            } else if character == "\"" {
                isQuoted.toggle()
                word = word ?? ""
            } else if isQuoted || !character.isWhitespace {
                if !isQuoted, word == nil, character == "#" { break }
                word = (word ?? "") + String(character)
            } else if let ended = word {
                words.append(ended)
                word = nil
            }
        }
        guard !isQuoted else { throw Problem(sentence: "A quotation mark is not closed. Close it in the same line.") }
        return words + (word.map { [$0] } ?? [])
    }
}

/// A day of the Gregorian calendar, written `2027-01-31`.
public struct CalendarDay: Hashable, Sendable, Comparable {
    /// The year, from 1 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// The day that `text` names as `2027-01-31`; `nil` if there is none such.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// The day of a year and month; `nil` if the calendar has none such.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Today, in Greenwich.
    public static var today: CalendarDay {
        var seconds = time(nil)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        guard
            let today = CalendarDay(
                year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        else { preconditionFailure("The system's clock is in no year from 1 to 9999.") }
        return today
    }

    /// Whether `left` comes first.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    private static func length(ofMonth month: Int, in year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

extension CalendarDay: CustomStringConvertible {
    /// `2027-01-31`.
    public var description: String {
        func padded(_ number: Int, _ width: Int) -> String { String(String(number + 10_000).suffix(width)) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
}
