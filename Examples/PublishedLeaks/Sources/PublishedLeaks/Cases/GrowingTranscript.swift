extension PublishedLeak {
    /// A common report about debug logs: a text that is never read grows while the program runs. The
    /// published mend keeps the end of the text.
    static let growingTranscript = PublishedLeak(
        name: "growing-transcript",
        expected: Expectation("String", heldBy: "Transcript.text", change: "Transcript.text"),
        innocents: { count in (0..<count).map { _ in Transcript(limit: 100) } },
        leaky: .synchronous { Transcript.endless.append("GET /items 200, 12 ms, 4 rows, user ada, trace 17") },
        fixed: .synchronous { Transcript.limited.append("GET /items 200, 12 ms, 4 rows, user ada, trace 17") })
}

private final class Transcript {
    static let endless = Transcript(limit: .max)
    static let limited = Transcript(limit: 2_000)

    private let limit: Int
    private var text = ""

    init(limit: Int) { self.limit = limit }

    func append(_ line: String) {
        text += "\(line)\n"
        if text.utf8.count > limit { text = String(text.suffix(limit / 2)) }
    }
}
