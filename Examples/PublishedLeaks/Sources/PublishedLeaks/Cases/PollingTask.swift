extension PublishedLeak {
    /// A common report about tasks: a loop with `Task.sleep` awaits a method of `self`, and the task is cancelled in
    /// `deinit`, which never runs. The published mend captures `self` weakly and asks for it in each turn of the loop.
    static let pollingTask = PublishedLeak(
        name: "polling-task",
        expected: Expectation("StatusPoller", heldBy: "Task", change: "closure in StatusPoller.start()"),
        innocents: { count in (0..<count).map { _ in StatusPoller() } },
        leaky: .asynchronous {
            let poller = StatusPoller()
            poller.start()
            await poller.firstPoll()
        },
        fixed: .asynchronous {
            let poller = StatusPoller()
            poller.startWeakly()
            await poller.firstPoll()
        })
}

private final class StatusPoller: @unchecked Sendable {
    private var task: Task<Void, Never>?
    private let polls = AsyncStream<Int>.makeStream()
    private var count = 0

    deinit { task?.cancel() }

    func start() {
        task = Task {
            while !Task.isCancelled {
                await self.poll()
                try? await Task.sleep(for: .seconds(3_600))
            }
        }
    }

    func startWeakly() {
        task = Task { [weak self] in
            while !Task.isCancelled {
                await self?.poll()
                try? await Task.sleep(for: .seconds(3_600))
            }
        }
    }

    /// Waits for the first poll.
    func firstPoll() async { for await _ in polls.stream { break } }

    private func poll() async {
        count += 1
        polls.continuation.yield(count)
    }
}
