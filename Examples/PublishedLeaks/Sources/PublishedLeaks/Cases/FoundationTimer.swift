import Foundation

extension PublishedLeak {
    /// A common report about `Timer`: the run loop keeps a repeating timer, and its block captures `self`. The
    /// published mend captures it weakly and invalidates the timer. On Linux, Foundation then still leaks the timer
    /// itself.
    static let foundationTimer = PublishedLeak(
        name: "foundation-timer",
        expected: Expectation(
            "CountdownLabel", heldBy: "RunLoop", "CountdownLabel.timer", "Timer",
            change: "closure in CountdownLabel.start()"),
        innocents: { count in (0..<count).map { CountdownLabel(seconds: $0) } },
        leakOfSystem: "Timer, held by a retain without a reference: this is a leak of Foundation",
        leaky: .synchronous {
            let label = CountdownLabel(seconds: 60)
            label.start()
        },
        fixed: .synchronous {
            let label = CountdownLabel(seconds: 60)
            label.startWeakly()
            label.stop()
        })
}

private final class CountdownLabel: @unchecked Sendable {
    private var seconds: Int
    private var timer: Timer?

    init(seconds: Int) { self.seconds = seconds }

    func start() {
        let timer = Timer(timeInterval: 3_600, repeats: true) { _ in self.tick() }
        RunLoop.main.add(timer, forMode: .common)
        self.timer = timer
    }

    func startWeakly() {
        let timer = Timer(timeInterval: 3_600, repeats: true) { [weak self] _ in self?.tick() }
        RunLoop.main.add(timer, forMode: .common)
        self.timer = timer
    }

    func stop() {
        timer?.invalidate()
        timer = nil
    }

    private func tick() { seconds -= 1 }
}
