extension PublishedLeak {
    /// A common report about lazy log messages: an escaping autoclosure captures `self` although no closure is visible,
    /// and the logger of `self` keeps it. The published mend makes the text before the call.
    static let storedAutoclosure = PublishedLeak(
        name: "stored-autoclosure",
        expected: Expectation(
            "SyncEngine", heldBy: "LazyLog.messages", "SyncEngine.log", change: "closure in SyncEngine.run()",
            "closure #1 in SyncEngine.run()", "autoclosure in SyncEngine.run()"),
        innocents: { count in
            (0..<count).map { _ in
                let engine = SyncEngine()
                engine.runEagerly()
                return engine
            }
        },
        leaky: .synchronous {
            let engine = SyncEngine()
            engine.run()
        },
        fixed: .synchronous {
            let engine = SyncEngine()
            engine.runEagerly()
        })
}

private final class LazyLog {
    private var messages: [() -> String] = []

    func debug(_ message: @escaping @autoclosure () -> String) { messages.append(message) }

    func text() -> String { messages.map { $0() }.joined(separator: "\n") }
}

private final class SyncEngine {
    private let log = LazyLog()
    private var rounds = 0

    func run() {
        rounds += 1
        log.debug("round \(self.rounds)")
    }

    func runEagerly() {
        rounds += 1
        let text = "round \(rounds)"
        log.debug(text)
    }
}
