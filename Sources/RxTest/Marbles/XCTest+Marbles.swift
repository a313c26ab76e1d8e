#if canImport(XCTest)
    import XCTest

    /// Fails the test unless both diagrams are equal, and shows them under each other.
    ///
    /// ```swift compiled
    /// let scheduler = TestScheduler(initialClock: 0)
    /// let letters = scheduler.createHotObservable(marbles: "--a-b-(c|)")
    /// XCTAssertMarbles(scheduler.start { letters.skip(1) }.marbles(), "----b-(c|)")
    /// ```
    public func XCTAssertMarbles(
        _ recorded: @autoclosure () throws -> Marbles, _ expected: @autoclosure () throws -> Marbles,
        _ message: @autoclosure () -> String = "", file: StaticString = #filePath, line: UInt = #line
    ) rethrows {
        guard let difference = try recorded().difference(from: expected()) else { return }
        let message = message()
        XCTFail("The marbles differ.\(message.isEmpty ? "" : " \(message)")\n\(difference)", file: file, line: line)
    }
#endif
