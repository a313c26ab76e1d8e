import struct Foundation.Date
import struct Foundation.TimeInterval

/// Relates the units of a virtual clock to real time.
public protocol VirtualTimeConverterType {
    /// A point in virtual time.
    associatedtype VirtualTimeUnit
    /// A span of virtual time.
    associatedtype VirtualTimeIntervalUnit

    /// The real time that a point in virtual time stands for.
    func convertFromVirtualTime(_ virtualTime: VirtualTimeUnit) -> RxTime
    /// The point in virtual time that stands for a real time.
    func convertToVirtualTime(_ time: RxTime) -> VirtualTimeUnit
    /// The seconds that a span of virtual time stands for.
    func convertFromVirtualTimeInterval(_ virtualTimeInterval: VirtualTimeIntervalUnit) -> TimeInterval
    /// The span of virtual time that stands for the given seconds.
    func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> VirtualTimeIntervalUnit
    /// The point that lies a span after another.
    func offsetVirtualTime(_ time: VirtualTimeUnit, offset: VirtualTimeIntervalUnit) -> VirtualTimeUnit
    /// Which of two points comes first.
    func compareVirtualTime(_ lhs: VirtualTimeUnit, _ rhs: VirtualTimeUnit) -> VirtualTimeComparison
}

/// How one point in virtual time lies to another.
public enum VirtualTimeComparison: Sendable {
    /// Before it.
    case lessThan
    /// At the same time.
    case equal
    /// After it.
    case greaterThan
}

extension VirtualTimeComparison {
    var lessThan: Bool { self == .lessThan }
    var greaterThan: Bool { self == .greaterThan }
}
