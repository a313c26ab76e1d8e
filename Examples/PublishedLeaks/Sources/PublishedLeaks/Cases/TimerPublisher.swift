import Foundation
import OpenCombine
import OpenCombineFoundation

extension PublishedLeak {
    /// A common report about `Timer.publish` of Combine: the sink of an automatically connected timer captures `self`,
    /// which keeps the subscription. The published mend is `[weak self]`. On Linux, Foundation then still
    /// leaks the timer itself.
    static let timerPublisher = PublishedLeak(
        name: "timer-publisher",
        expected: Expectation(
            "ClockModel", heldBy: "ClockModel.ticking", "RunLoop", "Timer", change: "closure in ClockModel.start()"),
        innocents: { count in (0..<count).map { _ in ClockModel() } },
        leakOfSystem: "Timer, held by a retain without a reference: this is a leak of Foundation",
        leaky: .synchronous {
            let model = ClockModel()
            model.start()
        },
        fixed: .synchronous {
            let model = ClockModel()
            model.startWeakly()
        })
}

private final class ClockModel {
    private(set) var text = "--:--"
    private var ticking: AnyCancellable?

    func start() {
        ticking = Timer.publish(every: 3_600, on: .main, in: .common)
            .autoconnect()
            .sink { date in self.show(date) }
    }

    func startWeakly() {
        ticking = Timer.publish(every: 3_600, on: .main, in: .common)
            .autoconnect()
            .sink { [weak self] date in self?.show(date) }
    }

    private func show(_ date: Date) { text = "\(date)" }
}
