extension PublishedLeak {
    /// A common course of a report: a screen leaks by its delegate, and a singleton keeps a history as well. Both must
    /// be reported. The published mends are a weak delegate and a bound.
    static let twoMistakes = PublishedLeak(
        name: "two-mistakes",
        expected: Expectation(
            "ChatScreen", heldBy: "MessageComposer.delegate", "ChatScreen.composer",
            change: "MessageComposer.delegate", "ChatScreen.composer", "TypingLog.entries"),
        innocents: { count in (0..<count).map { ChatScreen(room: "room \($0)") } },
        alsoReported: ["MessageComposer.delegate", "TypingLog.entries", "TypingEntry"],
        leaky: .synchronous {
            let screen = ChatScreen(room: "swift")
            screen.open()
            screen.type("hello", log: .endless)
        },
        fixed: .synchronous {
            let screen = ChatScreen(room: "swift")
            screen.open()
            screen.type("hello", log: .short)
            screen.close()
        })
}

private final class TypingEntry {
    let room: String
    let count: Int

    init(room: String, count: Int) { (self.room, self.count) = (room, count) }
}

private final class TypingLog {
    static let endless = TypingLog(limit: .max)
    static let short = TypingLog(limit: 5)

    private let limit: Int
    private var entries: [TypingEntry] = []

    init(limit: Int) { self.limit = limit }

    func add(_ entry: TypingEntry) {
        entries.append(entry)
        if entries.count > limit { entries.removeFirst() }
    }
}

private final class MessageComposer {
    var delegate: ChatScreen?
    private(set) var text = ""

    func type(_ text: String) {
        self.text += text
        delegate?.didType(text)
    }
}

private final class ChatScreen {
    private let room: String
    private let composer = MessageComposer()
    private var log: TypingLog?

    init(room: String) { self.room = room }

    func open() { composer.delegate = self }

    func close() { composer.delegate = nil }

    func type(_ text: String, log: TypingLog) {
        self.log = log
        composer.type(text)
    }

    func didType(_ text: String) { log?.add(TypingEntry(room: room, count: text.count)) }
}
