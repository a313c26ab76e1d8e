import Foundation
import Rx

/// Events are equal if they are of the same case and their values are equal.
///
/// Errors compare by description, and on Apple's platforms also by the domain and code of their `NSError`.
extension Event: Equatable where Element: Equatable {
    public static func == (lhs: Event, rhs: Event) -> Bool {
        switch (lhs, rhs) {
        case (.next(let left), .next(let right)): left == right
        case (.error(let left), .error(let right)): areEqual(left, right)
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Events are equal if they are of the same case and their values are equal; errors compare as those of `Event` do.
extension MaybeEvent: Equatable where Element: Equatable {
    public static func == (lhs: MaybeEvent, rhs: MaybeEvent) -> Bool {
        switch (lhs, rhs) {
        case (.success(let left), .success(let right)): left == right
        case (.error(let left), .error(let right)): areEqual(left, right)
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Events are equal if they are of the same case; errors compare as those of `Event` do.
extension CompletableEvent: Equatable {
    public static func == (lhs: CompletableEvent, rhs: CompletableEvent) -> Bool {
        switch (lhs, rhs) {
        case (.error(let left), .error(let right)): areEqual(left, right)
        case (.completed, .completed): true
        default: false
        }
    }
}

/// Whether two errors are the same, as far as errors can be compared.
func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
#if canImport(ObjectiveC)
    let (left, right) = (lhs as NSError, rhs as NSError)
    return left.domain == right.domain && left.code == right.code && "\(lhs)" == "\(rhs)"
#else
    return "\(lhs)" == "\(rhs)"
#endif
}
