import Foundation
import Rx

/// A point in the virtual time of a test.
public typealias TestTime = Int

/// A value and the virtual time at which it was recorded.
///
///     let events: [Recorded<Event<Int>>] = [.next(210, 1), .completed(250)]
public struct Recorded<Value> {
    /// The time of the value.
    public let time: TestTime
    /// The recorded value.
    public let value: Value

    /// Creates a recording of `value` at `time`.
    public init(time: TestTime, value: Value) { (self.time, self.value) = (time, value) }
}

extension Recorded: Sendable where Value: Sendable {}
extension Recorded: Equatable where Value: Equatable {}

extension Recorded: CustomDebugStringConvertible {
    /// A description such as `next(1) @ 210`.
    public var debugDescription: String { "\(value) @ \(time)" }
}

extension Recorded {
    /// Creates a recording of a value.
    public static func next<Element>(_ time: TestTime, _ element: Element) -> Recorded<Event<Element>>
    where Value == Event<Element> { Recorded(time: time, value: .next(element)) }

    /// Creates a recording of completion. Pass the type only if it cannot be inferred.
    public static func completed<Element>(
        _ time: TestTime, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> { Recorded(time: time, value: .completed) }

    /// Creates a recording of an error. Pass the type only if it cannot be inferred.
    public static func error<Element>(
        _ time: TestTime, _ error: any Error, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> { Recorded(time: time, value: .error(error)) }

    /// Returns a list of events. Use it if the type of an array literal cannot be inferred.
    public static func events<Element>(_ events: Recorded<Event<Element>>...) -> [Recorded<Event<Element>>]
    where Value == Event<Element> { events }

    /// Returns a list of events. Use it if the type of an array literal cannot be inferred.
    public static func events<Element>(_ events: [Recorded<Event<Element>>]) -> [Recorded<Event<Element>>]
    where Value == Event<Element> { events }
}

/// The times at which a subscription to a testable observable began and ended.
public struct Subscription: Hashable, Sendable {
    /// The time at which the subscription began.
    public let subscribe: TestTime
    /// The time at which the subscription ended. `Int.max` if it has not ended.
    public let unsubscribe: TestTime

    /// Creates a subscription that has not ended.
    public init(_ subscribe: TestTime) { self.init(subscribe, .max) }

    /// Creates a subscription that began and ended at the given times.
    public init(_ subscribe: TestTime, _ unsubscribe: TestTime) {
        (self.subscribe, self.unsubscribe) = (subscribe, unsubscribe)
    }
}

extension Subscription: CustomDebugStringConvertible {
    /// A description such as `(200: 300)`, or `(200: Infinity)` if the subscription has not ended.
    public var debugDescription: String { "(\(subscribe): \(unsubscribe == .max ? "Infinity" : "\(unsubscribe)"))" }
}

/// Two events are equal if they are the same case and their values are equal.
///
/// Errors are compared by description, and on Apple platforms also by the domain and code of their `NSError`.
extension Event: Equatable where Element: Equatable {
    public static func == (lhs: Event, rhs: Event) -> Bool {
        if let left = lhs.error, let right = rhs.error { return areEqual(left, right) }
        return lhs.element == rhs.element && (lhs.error == nil) == (rhs.error == nil)
    }
}

/// Two events are equal if they are the same case and their values or errors are equal, as for `Event`.
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

/// Two events are equal if they are the same case and their errors are equal, as for `Event`.
extension CompletableEvent: Equatable {
    public static func == (lhs: CompletableEvent, rhs: CompletableEvent) -> Bool {
        switch (lhs, rhs) {
        case (.error(let left), .error(let right)): areEqual(left, right)
        case (.completed, .completed): true
        default: false
        }
    }
}

// The event of a single is a `Result`. The standard library makes `Result` equatable only if its failure type is
// equatable. `any Error` is not.
extension Result where Success: Equatable, Failure == any Error {
    /// Returns whether both results are the same case and their values or errors are equal. Errors are compared as for
    /// `Event`.
    public static func == (lhs: Result, rhs: Result) -> Bool {
        switch (lhs, rhs) {
        case (.success(let left), .success(let right)): left == right
        case (.failure(let left), .failure(let right)): areEqual(left, right)
        default: false
        }
    }

    /// Returns whether two results differ.
    public static func != (lhs: Result, rhs: Result) -> Bool { !(lhs == rhs) }
}

/// Returns whether both lists contain equal events of singles.
public func == <Element: Equatable>(lhs: [SingleEvent<Element>], rhs: [SingleEvent<Element>]) -> Bool {
    lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0 == $1 }
}

/// Returns whether two lists of events of singles differ.
public func != <Element: Equatable>(lhs: [SingleEvent<Element>], rhs: [SingleEvent<Element>]) -> Bool { !(lhs == rhs) }

/// Returns whether two errors are equal, as far as errors can be compared.
func areEqual(_ lhs: any Error, _ rhs: any Error) -> Bool {
    #if canImport(ObjectiveC)
        let (left, right) = (lhs as NSError, rhs as NSError)
        return left.domain == right.domain && left.code == right.code && "\(lhs)" == "\(rhs)"
    #else
        return "\(lhs)" == "\(rhs)"
    #endif
}

#if canImport(XCTest)
    import XCTest

    /// Fails the test unless both lists of events are equal. Errors are compared as for `Event`.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [Event<Element>], _ rhs: [Event<Element>], file: StaticString = #filePath, line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both lists of results are equal. Failures are compared as for `Event`.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [SingleEvent<Element>], _ rhs: [SingleEvent<Element>], file: StaticString = #filePath, line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both lists of events are equal. Errors are compared as for `Event`.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [MaybeEvent<Element>], _ rhs: [MaybeEvent<Element>], file: StaticString = #filePath, line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both lists of events are equal. Errors are compared as for `Event`.
    public func XCTAssertEqual(
        _ lhs: [CompletableEvent], _ rhs: [CompletableEvent], file: StaticString = #filePath, line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both recordings have equal times and events.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [Recorded<Event<Element>>], _ rhs: [Recorded<Event<Element>>], file: StaticString = #filePath,
        line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both recordings of optional values have equal times and events.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [Recorded<Event<Element?>>], _ rhs: [Recorded<Event<Element?>>], file: StaticString = #filePath,
        line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless the recording consists of the given values and no stop event. Times are not compared.
    public func XCTAssertRecordedElements<Element: Equatable>(
        _ stream: [Recorded<Event<Element>>], _ elements: [Element], file: StaticString = #filePath, line: UInt = #line
    ) {
        let events = stream.map(\.value)
        let expected = elements.map { Event.next($0) }
        if events != expected { fail(events, expected, file: file, line: line) }
    }

    private func fail<Item>(_ lhs: [Item], _ rhs: [Item], file: StaticString, line: UInt) {
        func list(_ items: [Item]) -> String {
            items.isEmpty ? "  nothing" : items.map { "  \($0)" }.joined(separator: "\n")
        }
        XCTFail(
            "The sequences differ. The first is:\n\(list(lhs))\nand the second:\n\(list(rhs))", file: file, line: line)
    }
#endif
