extension PublishedLeak {
    /// A common report about `AsyncStream`: an object keeps the continuation, and its `onTermination` captures the object.
    /// The published mend is `[weak self]`.
    static let terminationHandler = PublishedLeak(
        name: "termination-handler",
        expected: Expectation(
            "MotionManager", heldBy: "MotionManager.continuation", change: "closure in MotionManager.updates()",
            "closure in closure in MotionManager.updates()", "closure #1 in MotionManager.updates()"),
        innocents: { count in (0..<count).map { _ in MotionManager() } },
        leaky: .synchronous {
            let manager = MotionManager()
            _ = manager.updates()
            manager.receive(9.81)
        },
        fixed: .synchronous {
            let manager = MotionManager()
            _ = manager.weakUpdates()
            manager.receive(9.81)
        })
}

private final class MotionManager: @unchecked Sendable {
    private var continuation: AsyncStream<Double>.Continuation?
    private var isRunning = false

    func updates() -> AsyncStream<Double> {
        AsyncStream { continuation in
            self.continuation = continuation
            isRunning = true
            continuation.onTermination = { _ in self.stop() }
        }
    }

    func weakUpdates() -> AsyncStream<Double> {
        AsyncStream { continuation in
            self.continuation = continuation
            isRunning = true
            continuation.onTermination = { [weak self] _ in self?.stop() }
        }
    }

    func receive(_ acceleration: Double) { continuation?.yield(acceleration) }

    private func stop() { isRunning = false }
}
