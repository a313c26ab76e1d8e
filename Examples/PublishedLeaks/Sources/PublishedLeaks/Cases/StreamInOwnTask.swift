extension PublishedLeak {
    /// A common report about `for await`: a task that `self` keeps iterates over a stream that never ends, and captures
    /// `self`. The published mend captures `self` weakly and unwraps it inside the loop.
    static let streamInOwnTask = PublishedLeak(
        name: "stream-in-own-task",
        expected: Expectation(
            "ChatViewModel", heldBy: "Task", "ChatViewModel.task", change: "closure in ChatViewModel.follow()"),
        innocents: { count in
            (0..<count).map { _ in
                let model = ChatViewModel(connection: ChatConnection())
                model.followWeakly()
                return model
            }
        },
        leaky: .asynchronous {
            let connection = ChatConnection()
            let model = ChatViewModel(connection: connection)
            model.follow()
            connection.receive("hello")
        },
        fixed: .asynchronous {
            let connection = ChatConnection()
            let model = ChatViewModel(connection: connection)
            model.followWeakly()
            connection.receive("hello")
        })
}

private final class ChatConnection: Sendable {
    let messages: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (messages, continuation) = AsyncStream.makeStream() }

    func receive(_ message: String) { continuation.yield(message) }
}

private final class ChatViewModel: @unchecked Sendable {
    private let connection: ChatConnection
    private var lines: [String] = []
    private var task: Task<Void, Never>?

    init(connection: ChatConnection) { self.connection = connection }

    deinit { task?.cancel() }

    func follow() {
        task = Task {
            for await message in connection.messages { self.show(message) }
        }
    }

    func followWeakly() {
        task = Task { [weak self, messages = connection.messages] in
            for await message in messages { self?.show(message) }
        }
    }

    private func show(_ message: String) { lines.append(message) }
}
