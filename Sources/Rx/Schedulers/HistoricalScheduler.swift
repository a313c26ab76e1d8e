import struct Foundation.Date
import struct Foundation.TimeInterval

/// A virtual-time scheduler whose clock shows dates, for replaying events that were recorded with their times.
open class HistoricalScheduler: VirtualTimeScheduler<HistoricalSchedulerTimeConverter> {
    /// Creates a scheduler whose clock shows `initialClock`. The default is 1 January 1970.
    public init(initialClock: RxTime = Date(timeIntervalSince1970: 0)) {
        super.init(
            initialClock: initialClock, converter: HistoricalSchedulerTimeConverter(),
            ticks: VirtualTicks(
                tick: { Self.tick(of: $0.timeIntervalSinceReferenceDate) },
                time: { Date(timeIntervalSinceReferenceDate: Self.seconds(at: $0)) }))
    }

    /// Returns an integer in the same order as `seconds`. Floating-point numbers of one sign are ordered like their
    /// bits. For negative numbers, the order is reversed.
    private static func tick(of seconds: TimeInterval) -> Int {
        // Adds zero, so that negative zero has the same tick.
        let bits = Int(bitPattern: UInt(truncatingIfNeeded: (seconds + 0).bitPattern))
        return bits < 0 ? bits ^ .max : bits
    }

    private static func seconds(at tick: Int) -> TimeInterval {
        TimeInterval(bitPattern: UInt64(UInt(bitPattern: tick < 0 ? tick ^ .max : tick)))
    }
}

/// Virtual time that is real time: dates, and spans in seconds.
public struct HistoricalSchedulerTimeConverter: VirtualTimeConverterType, Sendable {
    /// A date.
    public typealias VirtualTimeUnit = RxTime
    /// Seconds.
    public typealias VirtualTimeIntervalUnit = TimeInterval

    /// Returns the same date.
    public func convertFromVirtualTime(_ virtualTime: RxTime) -> RxTime { virtualTime }

    /// Returns the same date.
    public func convertToVirtualTime(_ time: RxTime) -> RxTime { time }

    /// Returns the same number of seconds.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: TimeInterval) -> TimeInterval {
        virtualTimeInterval
    }

    /// Returns the same number of seconds.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> TimeInterval { timeInterval }

    /// Returns the date `offset` seconds after `time`.
    public func offsetVirtualTime(_ time: RxTime, offset: TimeInterval) -> RxTime { time.addingTimeInterval(offset) }

    /// Compares two dates.
    public func compareVirtualTime(_ lhs: RxTime, _ rhs: RxTime) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
