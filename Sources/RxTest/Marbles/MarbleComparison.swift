extension Marbles {
    /// Returns both diagrams, one above the other, with equal times in the same column and a mark under the first
    /// difference. Returns `nil` if they are equal.
    ///
    ///     let recorded: Marbles = "--a-b--|"
    ///     print(recorded.difference(from: "--a(bc)-|") ?? "equal")  // expected  --a(bc)-|
    ///                                                               // recorded  --a-   b--|
    ///                                                               //              ^
    ///
    /// The rows are padded with spaces, which have no meaning, so each row can be copied into a test.
    public func difference(from expected: Marbles) -> String? {
        guard self != expected else { return nil }
        let tick = tick ?? expected.tick ?? Marbles.defaultTick
        let rows = MarbleRows(expected.timeline(tick: tick), timeline(tick: tick), tick: tick)
        return "expected  \(rows.top)\nrecorded  \(rows.bottom)\n          \(rows.sign)"
    }
}

/// Two diagrams with the same time in the same column.
private struct MarbleRows {
    private(set) var top = ""
    private(set) var bottom = ""
    /// The line with the mark under the first difference.
    private(set) var sign = ""

    init(_ above: [(offset: Int, mark: TimedMark)], _ below: [(offset: Int, mark: TimedMark)], tick: Int) {
        // Grouped by time, because events that were recorded out of order must still be compared.
        let above = Dictionary(grouping: above, by: \.offset).mapValues { $0.map(\.mark.mark) }
        let below = Dictionary(grouping: below, by: \.offset).mapValues { $0.map(\.mark.mark) }
        let (lastAbove, lastBelow) = (above.keys.max(), below.keys.max())
        var cursor = 0
        var rows = ("", "")
        for offset in Set(above.keys).union(below.keys).sorted() {
            let wait = MarbleWriter.wait(offset - cursor, tick: tick)
            let marks = (above[offset] ?? [], below[offset] ?? [])
            let cells = (Self.cell(marks.0), Self.cell(marks.1))
            if sign.isEmpty, marks.0 != marks.1 { sign = String(repeating: " ", count: (rows.0 + wait).count) + "^" }
            let width = max(cells.0.count, cells.1.count)
            rows.0 += wait + Self.padded(cells.0, to: width)
            rows.1 += wait + Self.padded(cells.1, to: width)
            if offset == lastAbove { top = Self.trimmed(rows.0) }
            if offset == lastBelow { bottom = Self.trimmed(rows.1) }
            cursor = offset + tick
        }
    }

    private static func cell(_ marks: [Mark]) -> String { marks.isEmpty ? "-" : MarbleWriter.cell(marks) }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
    }

    private static func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == " " }.reversed()) }
}

#if canImport(Testing)
    import Testing

    /// Records an issue unless both diagrams are equal. The issue shows the diagrams one above the other.
    ///
    /// ```swift compiled
    /// import Testing
    ///
    /// let scheduler = TestScheduler(initialClock: 0)
    /// let letters = scheduler.createHotObservable(marbles: "--a-b-(c|)")
    /// expectMarbles(scheduler.start { letters.skip(1) }.marbles(), "----b-(c|)")
    /// ```
    public func expectMarbles(
        _ recorded: Marbles, _ expected: Marbles, _ message: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let difference = recorded.difference(from: expected) else { return }
        Issue.record(
            "The marbles differ.\(message.isEmpty ? "" : " \(message)")\n\(difference)", sourceLocation: sourceLocation)
    }
#endif

#if canImport(XCTest)
    import XCTest

    /// Fails the test unless both diagrams are equal. The failure shows the diagrams one above the other.
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
