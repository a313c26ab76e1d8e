import Foundation
import Rx

/// Relates the whole ticks of a test's clock to seconds.
///
/// Times become ticks by rounding to the nearest; those beyond what an integer holds become the last tick.
public struct TestSchedulerVirtualTimeConverter: VirtualTimeConverterType, Sendable {
    /// Ticks.
    public typealias VirtualTimeUnit = Int
    /// Ticks.
    public typealias VirtualTimeIntervalUnit = Int

    /// The seconds that a tick stands for.
    private let resolution: Double

    init(resolution: Double) { self.resolution = resolution }

    /// The date that lies `virtualTime` ticks after 1 January 1970.
    public func convertFromVirtualTime(_ virtualTime: Int) -> RxTime {
        Date(timeIntervalSince1970: convertFromVirtualTimeInterval(virtualTime))
    }

    /// The number of ticks since 1 January 1970, rounded.
    public func convertToVirtualTime(_ time: RxTime) -> Int { convertToVirtualTimeInterval(time.timeIntervalSince1970) }

    /// The seconds that so many ticks stand for.
    public func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
        TimeInterval(virtualTimeInterval) * resolution
    }

    /// The number of ticks in so many seconds, rounded.
    public func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int {
        let ticks = timeInterval / resolution + 0.5
        return ticks < TimeInterval(Int.max) ? Int(ticks) : .max
    }

    /// The tick that lies `offset` ticks after `time`.
    public func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time + offset }

    /// Which of two ticks comes first.
    public func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
        lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
    }
}
