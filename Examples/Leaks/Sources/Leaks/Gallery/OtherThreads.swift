import Dispatch
import Rx
import Synchronization

extension PlantedLeak {
    static let queueWorker = PlantedLeak(
        "queue-worker",
        mistake:
            """
            A block on a global queue subscribes to a subject that outlives the screen, and nobody disposes the \
            subscription.
            """,
        remedy: "Dispose the subscription when the block has what it wants.",
        grade: .likely, names: ["Downloads.progress", "DownloadScreen"]
    ) { leaking in
        let screen = DownloadScreen()
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let subscription = screen.follow(Downloads.progress)
            Downloads.progress.onNext(1)
            if !leaking { subscription.dispose() }
            done.signal()
        }
        done.wait()
    }

    static let detachedTask = PlantedLeak(
        "detached-task",
        mistake:
            "A detached task subscribes to a subject that outlives the screen, and nobody disposes the subscription.",
        remedy: "Dispose the subscription when the task ends.",
        grade: .likely, names: ["Uploads.progress", "UploadScreen"]
    ) { leaking in
        let screen = UploadScreen()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let subscription = screen.follow(Uploads.progress)
            Uploads.progress.onNext(1)
            if !leaking { subscription.dispose() }
            done.signal()
        }
        done.wait()
    }

    static let fulfilledExpectation = PlantedLeak(
        "fulfilled-expectation",
        mistake:
            """
            A test waits for an expectation that a queue fulfils; the subscription captures self strongly and is \
            kept in self's own bag.
            """,
        remedy: "Capture self weakly in the closure.",
        grade: .likely, names: ["SyncScreen: .bag", "closure in SyncScreen.open(leaking:fulfilling:)"]
    ) { leaking in
        let expectation = Expectation()
        SyncScreen().open(leaking: leaking, fulfilling: expectation)
        expectation.wait()
    }
}

private enum Downloads { static let progress = PublishSubject<Int>() }
private enum Uploads { static let progress = PublishSubject<Int>() }

private final class DownloadScreen: Sendable {
    private let latest = Mutex(0)

    func follow(_ progress: PublishSubject<Int>) -> any Disposable {
        progress.subscribe(onNext: { latest in self.latest.withLock { $0 = latest } }, onDisposed: { _ = self })
    }
}
// Different from the screen above: in release, the compiler merges two equal functions under the name of the first.
private final class UploadScreen: Sendable {
    private let latest = Mutex(0)

    func follow(_ progress: PublishSubject<Int>) -> any Disposable {
        progress.subscribe(onNext: { latest in self.latest.withLock { $0 = latest } })
    }
}

/// Like an expectation of a test: any thread may fulfil it, and one thread waits for it.
private final class Expectation: Sendable {
    private let fulfilled = DispatchSemaphore(value: 0)

    func fulfil() { fulfilled.signal() }
    func wait() { fulfilled.wait() }
}

private final class SyncScreen: Sendable {
    private let changes = PublishSubject<Int>()
    private let latest = Mutex(0)
    private let bag = DisposeBag()

    func open(leaking: Bool, fulfilling expectation: Expectation) {
        if leaking {
            changes.subscribe(onNext: { change in self.latest.withLock { $0 = change } }).disposed(by: bag)
        } else {
            changes.subscribe(onNext: { [weak self] change in self?.latest.withLock { $0 = change } }).disposed(by: bag)
        }
        DispatchQueue.global().async { [changes] in
            changes.onNext(1)
            expectation.fulfil()
        }
    }
}
