import Dispatch

extension PublishedLeak {
    /// A common report about `DispatchSourceTimer`: the event handler captures `self`, `self` keeps the timer, and it
    /// is cancelled in `deinit`, which never runs. The published mend captures `self` weakly.
    static let dispatchTimerHandler = PublishedLeak(
        name: "dispatch-timer-handler",
        expected: Expectation(
            "Heartbeat", heldBy: "Heartbeat.timer", "DispatchSource", change: "closure in Heartbeat.start()"),
        innocents: { count in
            (0..<count).map { _ in
                let heartbeat = Heartbeat()
                heartbeat.startWeakly()
                return heartbeat
            }
        },
        leaky: .synchronous {
            let heartbeat = Heartbeat()
            heartbeat.start()
        },
        fixed: .synchronous {
            let heartbeat = Heartbeat()
            heartbeat.startWeakly()
        })
}

private final class Heartbeat {
    private let timer = DispatchSource.makeTimerSource(queue: .global())
    private var beats = 0
    private var missed = 0

    deinit {
        timer.setEventHandler(handler: nil)
        timer.cancel()
    }

    func start() {
        timer.schedule(deadline: .now() + 3_600, repeating: 3_600)
        timer.setEventHandler { self.beat() }
        timer.resume()
    }

    func startWeakly() {
        timer.schedule(deadline: .now() + 3_600, repeating: 3_600)
        timer.setEventHandler { [weak self] in self?.beat() }
        timer.resume()
    }

    private func beat() { beats += 1 }
}
