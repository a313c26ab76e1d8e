extension PublishedLeak {
    /// A common report about `AsyncStream`: an object keeps its stream, and the handler `onTermination` of the stream
    /// captures the object. The published mend is `[weak self]`.
    static let terminationHandler = PublishedLeak(
        name: "termination-handler",
        expected: Expectation(
            "MotionManager", heldBy: "MotionManager.stream", "MotionManager.continuation",
            change: "closure in MotionManager.updates()", "closure in closure in MotionManager.updates()",
            "closure #1 in MotionManager.updates()"),
        innocents: { count in (0..<count).map { _ in MotionManager() } },
        leaky: .synchronous {
            let manager = MotionManager()
            manager.updates()
            manager.receive(9.81)
        },
        fixed: .synchronous {
            let manager = MotionManager()
            manager.weakUpdates()
            manager.receive(9.81)
        })
}

private final class MotionManager: @unchecked Sendable {
    private var stream: AsyncStream<Double>?
    private var continuation: AsyncStream<Double>.Continuation?
    private var isRunning = false

    func updates() {
        stream = AsyncStream { continuation in
            self.continuation = continuation
            isRunning = true
            continuation.onTermination = { _ in self.stop() }
        }
    }

    func weakUpdates() {
        stream = AsyncStream { continuation in
            self.continuation = continuation
            isRunning = true
            continuation.onTermination = { [weak self] _ in self?.stop() }
        }
    }

    func receive(_ acceleration: Double) { continuation?.yield(acceleration) }

    private func stop() { isRunning = false }
}
