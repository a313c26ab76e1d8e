import Rx
import Synchronization

extension PlantedLeak {
    static let pollingTask = PlantedLeak(
        "polling-task",
        mistake: "A task that polls for ever captures self strongly, so that the 'deinit' that would cancel it never runs.",
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
    private let polling = Mutex<Task<Void, Never>?>(nil)

    func open() async {
        await withCheckedContinuation { started in
            let task = Task {
                started.resume()
                while !Task.isCancelled {
                    self.unread.accept(self.unread.value + 1)
                    try? await Task.sleep(for: .seconds(3_600))
                }
            }
            polling.withLock { $0 = task }
        }
    }

    func close() async {
        let task = polling.withLock { $0.take() }
        task?.cancel()
        await task?.value
    }

    deinit { polling.withLock { $0?.cancel() } }
}
