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

/// As the events of an observable: the same case, and equal values or errors.
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

/// As the events of an observable: the same case, and equal errors.
extension CompletableEvent: Equatable {
    public static func == (lhs: CompletableEvent, rhs: CompletableEvent) -> Bool {
        switch (lhs, rhs) {
        case (.error(let left), .error(let right)): areEqual(left, right)
        case (.completed, .completed): true
        default: false
        }
    }
}

// The event of a single is a `Result`, which the standard library makes equatable only if its failure is; `any Error`
// is not.
extension Result where Success: Equatable, Failure == any Error {
    /// Whether both are the same case, and their values or errors are equal. Errors compare as those of events do.
    public static func == (lhs: Result, rhs: Result) -> Bool {
        switch (lhs, rhs) {
        case (.success(let left), .success(let right)): left == right
        case (.failure(let left), .failure(let right)): areEqual(left, right)
        default: false
        }
    }

    /// Whether they differ.
    public static func != (lhs: Result, rhs: Result) -> Bool { !(lhs == rhs) }
}

/// Whether both lists hold equal events of singles.
public func == <Element: Equatable>(lhs: [SingleEvent<Element>], rhs: [SingleEvent<Element>]) -> Bool {
    lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0 == $1 }
}

/// Whether two lists of events of singles differ.
public func != <Element: Equatable>(lhs: [SingleEvent<Element>], rhs: [SingleEvent<Element>]) -> Bool { !(lhs == rhs) }

/// Whether two errors are the same, as far as errors can be compared.
func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
    #if canImport(ObjectiveC)
        let (left, right) = (lhs as NSError, rhs as NSError)
        return left.domain == right.domain && left.code == right.code && "\(lhs)" == "\(rhs)"
    #else
        return "\(lhs)" == "\(rhs)"
    #endif
}
