import struct Foundation.Date
import struct Foundation.TimeInterval

/// A virtual-time scheduler whose clock shows dates, for replaying what was recorded with its times.
open class HistoricalScheduler: VirtualTimeScheduler<HistoricalSchedulerTimeConverter> {
    /// A scheduler whose clock shows `initialClock`; 1 January 1970 if it is left out.
    public init(initialClock: RxTime = Date(timeIntervalSince1970: 0)) {
        super.init(
            initialClock: initialClock, converter: HistoricalSchedulerTimeConverter(),
            ticks: VirtualTicks(
                tick: { Self.tick(of: $0.timeIntervalSinceReferenceDate) },
                time: { Date(timeIntervalSinceReferenceDate: Self.seconds(at: $0)) }))
    }

    /// Floating-point numbers of one sign are in the order of their bits; those of negative ones are turned round.
    private static func tick(of seconds: TimeInterval) -> Int {
        // Plus zero, so that negative zero is the same tick.
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

    /// The same date.
    public func convertFromVirtualTime(_ virtualTime: RxTime) -> RxTime { virtualTime }

    /// The same date.
    public func convertToVirtualTime(_ time: RxTime) -> RxTime { time }

    /// The same seconds.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: TimeInterval) -> TimeInterval {
        virtualTimeInterval
    }

    /// The same seconds.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> TimeInterval { timeInterval }

    /// The date that lies `offset` seconds after `time`.
    public func offsetVirtualTime(_ time: RxTime, offset: TimeInterval) -> RxTime { time.addingTimeInterval(offset) }

    /// Which of two dates comes first.
    public func compareVirtualTime(_ lhs: RxTime, _ rhs: RxTime) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
