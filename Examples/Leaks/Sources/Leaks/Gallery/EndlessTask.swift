import Rx
import Synchronization

extension PlantedLeak {
    static let endlessTask = PlantedLeak(
        "endless-task",
        mistake:
            """
            A task iterates over the values of a sequence that never ends, captures self strongly and is never \
            cancelled.
            """,
        remedy: "Cancel the task when the screen closes.",
        grade: .likely, names: ["FeedScreen"]
    ) { leaking in
        let screen = FeedScreen()
        let task = screen.follow()
        screen.posts.onNext("first")
        if !leaking {
            task.cancel()
            await task.value
        }
    }
}

private final class FeedScreen: Sendable {
    let posts = PublishSubject<String>()
    private let latest = Mutex("")

    func follow() -> Task<Void, Never> {
        let values = posts.values
        return Task {
            do {
                for try await post in values { self.show(post) }
            } catch {
                self.show("\(error)")
            }
        }
    }

    private func show(_ post: String) { latest.withLock { $0 = post } }
}
