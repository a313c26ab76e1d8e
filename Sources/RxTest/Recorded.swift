import Foundation
import Rx

/// A point in the virtual time of a test.
public typealias TestTime = Int

/// A value and the virtual time at which it was seen.
///
///     let events: [Recorded<Event<Int>>] = [.next(210, 1), .completed(250)]
public struct Recorded<Value> {
    /// The time of the value.
    public let time: TestTime
    /// The value that was seen.
    public let value: Value

    /// `value`, seen at `time`.
    public init(time: TestTime, value: Value) { (self.time, self.value) = (time, value) }
}

extension Recorded: Sendable where Value: Sendable {}
extension Recorded: Equatable where Value: Equatable {}

extension Recorded: CustomDebugStringConvertible {
    /// `next(1) @ 210`
    public var debugDescription: String { "\(value) @ \(time)" }
}

extension Recorded {
    /// A value at a time.
    public static func next<Element>(_ time: TestTime, _ element: Element) -> Recorded<Event<Element>>
    where Value == Event<Element> { Recorded(time: time, value: .next(element)) }

    /// Completion at a time. The type is only needed where it cannot be inferred.
    public static func completed<Element>(
        _ time: TestTime, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> { Recorded(time: time, value: .completed) }

    /// An error at a time. The type is only needed where it cannot be inferred.
    public static func error<Element>(
        _ time: TestTime, _ error: any Error, _ type: Element.Type = Element.self
    ) -> Recorded<Event<Element>> where Value == Event<Element> { Recorded(time: time, value: .error(error)) }

    /// A list of events, for where a literal's type cannot be inferred.
    public static func events<Element>(_ events: Recorded<Event<Element>>...) -> [Recorded<Event<Element>>]
    where Value == Event<Element> { events }

    /// A list of events, for where a literal's type cannot be inferred.
    public static func events<Element>(_ events: [Recorded<Event<Element>>]) -> [Recorded<Event<Element>>]
    where Value == Event<Element> { events }
}

/// When a testable observable was subscribed to, and when that ended.
public struct Subscription: Hashable, Sendable {
    /// When it began.
    public let subscribe: TestTime
    /// When it ended; `Int.max` if it has not.
    public let unsubscribe: TestTime

    /// A subscription that has not ended.
    public init(_ subscribe: TestTime) { self.init(subscribe, .max) }

    /// A subscription from one time to another.
    public init(_ subscribe: TestTime, _ unsubscribe: TestTime) {
        (self.subscribe, self.unsubscribe) = (subscribe, unsubscribe)
    }
}

extension Subscription: CustomDebugStringConvertible {
    /// `(200: 300)`, or `(200: Infinity)` if it has not ended.
    public var debugDescription: String { "(\(subscribe): \(unsubscribe == .max ? "Infinity" : "\(unsubscribe)"))" }
}

/// Events are equal if they are of the same case and their values are equal.
///
/// Errors compare by description, and on Apple's platforms also by the domain and code of their `NSError`.
extension Event: Equatable where Element: Equatable {
    public static func == (lhs: Event, rhs: Event) -> Bool {
        if let left = lhs.error, let right = rhs.error { return areEqual(left, right) }
        return lhs.element == rhs.element && (lhs.error == nil) == (rhs.error == nil)
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

#if canImport(XCTest)
    import XCTest

    /// Fails the test unless both sequences are equal; errors are compared as events compare them.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [Event<Element>], _ rhs: [Event<Element>], file: StaticString = #filePath, line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both results are equal; failures are compared as events compare errors.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [SingleEvent<Element>], _ rhs: [SingleEvent<Element>], file: StaticString = #filePath, line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both sequences are equal; errors are compared as events compare them.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [MaybeEvent<Element>], _ rhs: [MaybeEvent<Element>], file: StaticString = #filePath, line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both sequences are equal; errors are compared as events compare them.
    public func XCTAssertEqual(
        _ lhs: [CompletableEvent], _ rhs: [CompletableEvent], file: StaticString = #filePath, line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both recordings are equal: times and events.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [Recorded<Event<Element>>], _ rhs: [Recorded<Event<Element>>], file: StaticString = #filePath,
        line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless both recordings of optional values are equal: times and events.
    public func XCTAssertEqual<Element: Equatable>(
        _ lhs: [Recorded<Event<Element?>>], _ rhs: [Recorded<Event<Element?>>], file: StaticString = #filePath,
        line: UInt = #line
    ) {
        if lhs != rhs { fail(lhs, rhs, file: file, line: line) }
    }

    /// Fails the test unless the recording consists of the given values, whenever they came, and no stop event.
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
