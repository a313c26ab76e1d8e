import Foundation

/// A day of the Gregorian calendar, written `2027-01-31`.
public struct CalendarDay: Hashable, Sendable, Comparable {
    /// The year, from 1 to 9999.
    public let year: Int
    /// The month, from 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Reads a day in the form `2027-01-31`; `nil` if `text` has another form, or if the calendar has no such day.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2D || (0x30...0x39).contains($0) })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
        self.init(year: numbers[0], month: numbers[1], day: numbers[2])
    }

    /// Creates a day from its numbers; `nil` if the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.length(ofMonth: month, in: year)).contains(day)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The present day in UTC.
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

    /// Whether `left` is earlier than `right`.
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
