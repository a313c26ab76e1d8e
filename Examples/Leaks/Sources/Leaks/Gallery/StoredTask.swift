import Rx
import Synchronization

extension PlantedLeak {
    static let storedTask = PlantedLeak(
        "stored-task",
        mistake: "A task that self keeps captures self strongly, so that the 'deinit' that would cancel it never runs.",
        remedy: "Cancel the task when the screen closes.",
        grade: .likely, names: ["InboxScreen", "cancel the task of InboxScreen.open()"]
    ) { leaking in
        let screen = InboxScreen()
        await screen.open()
        if !leaking { await screen.close() }
    }
}

private final class InboxScreen: Sendable {
    let unread = BehaviorRelay(value: 0)
    private let mail = AsyncStream.makeStream(of: Int.self)
    private let reading = Mutex<Task<Void, Never>?>(nil)

    func open() async {
        await withCheckedContinuation { started in
            let task = Task {
                started.resume()
                for await count in mail.stream { self.unread.accept(count) }
            }
            reading.withLock { $0 = task }
        }
    }

    func close() async {
        let task = reading.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    deinit { reading.withLock { $0?.cancel() } }
}
