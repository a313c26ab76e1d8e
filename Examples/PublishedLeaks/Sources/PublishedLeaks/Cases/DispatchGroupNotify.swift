import Dispatch

extension PublishedLeak {
    /// A common report about `DispatchGroup`: one path of a callback forgets `leave()`, so that the block of `notify`
    /// waits for ever and keeps what it captures. The published mend is `defer { group.leave() }`.
    static let dispatchGroupNotify = PublishedLeak(
        name: "dispatch-group-notify",
        expected: Expectation(
            "SyncJob", heldBy: "DispatchGroup", "closure in SyncCoordinator.sync",
            change: "closure in SyncCoordinator.sync"),
        innocents: { count in (0..<count).map { SyncJob(folder: "folder \($0)") } },
        leaky: .synchronous { SyncCoordinator().sync(SyncJob(folder: "broken"), alwaysLeaving: false) },
        fixed: .synchronous { SyncCoordinator().sync(SyncJob(folder: "broken"), alwaysLeaving: true) })
}

private final class SyncJob: @unchecked Sendable {
    let folder: String
    private(set) var isFinished = false

    init(folder: String) { self.folder = folder }

    func run(_ completion: (Bool) -> Void) { completion(folder != "broken") }

    func finish() { isFinished = true }
}

private struct SyncCoordinator {
    func sync(_ job: SyncJob, alwaysLeaving: Bool) {
        let group = DispatchGroup()
        group.enter()
        job.run { succeeded in
            if succeeded || alwaysLeaving { group.leave() }
        }
        group.notify(queue: .global()) { job.finish() }
    }
}
