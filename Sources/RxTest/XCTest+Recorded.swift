#if canImport(XCTest)
    import Rx
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
