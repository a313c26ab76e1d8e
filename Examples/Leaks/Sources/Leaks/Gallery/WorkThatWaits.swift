import Rx
import Synchronization

extension PlantedLeak {
    static let hourTimer = PlantedLeak(
        "hour-timer",
        mistake: "A reminder in an hour is scheduled each time the screen opens, and never disposed.",
        remedy: "Keep the subscription in a bag that goes with the screen.",
        waitingNames: [
            "of timer, due in ", "ReminderScreen.open(leaking:)",
            "dispose the subscription made at WorkThatWaits.swift",
        ]
    ) { leaking in ReminderScreen().open(leaking: leaking) }

    static let lateTimer = PlantedLeak(
        "late-timer",
        mistake:
            """
            A timer of a queue ticks on behind a closed screen; its handler is let go of some time after it was \
            disposed.
            """,
        remedy: "Dispose it when the screen closes.",
        grade: .likely, names: ["ClockScreen"]
    ) { leaking in
        let screen = ClockScreen()
        let ticking = screen.start()
        if !leaking { ticking.dispose() }
    }

    static let abandonedValue = PlantedLeak(
        "abandoned-value",
        mistake: "A task waits for the one value of a sequence that never sends it, and is never cancelled.",
        remedy: "Cancel the task when the screen closes.",
        grade: .likely, names: ["AnswerScreen"]
    ) { leaking in
        let screen = AnswerScreen()
        let waiting = screen.ask()
        if !leaking {
            waiting.cancel()
            await waiting.value
        }
    }

    static let longSleep = PlantedLeak(
        "long-sleep",
        mistake: "A task that sleeps for an hour captures self strongly, and is never cancelled.",
        remedy: "Cancel the task when the screen closes.",
        grade: .likely, names: ["SessionScreen"]
    ) { leaking in
        let screen = SessionScreen()
        let waiting = screen.expire()
        if !leaking {
            waiting.cancel()
            await waiting.value
        }
    }
}

private final class ReminderScreen {
    private static let scheduler = SerialDispatchQueueScheduler(qos: .utility)
    private let bag = DisposeBag()

    func open(leaking: Bool) {
        let reminder = Observable<Int>.timer(.seconds(3_600), scheduler: Self.scheduler).subscribe(onNext: { _ in })
        if !leaking { reminder.disposed(by: bag) }
    }
}

private final class ClockScreen: Sendable {
    private static let scheduler = SerialDispatchQueueScheduler(qos: .utility)
    private let seconds = Mutex(0)

    func start() -> any Disposable {
        Observable<Int>.interval(.seconds(60), scheduler: Self.scheduler).subscribe(onNext: { second in
            self.seconds.withLock { $0 = second }
        })
    }
}

private final class AnswerScreen: Sendable {
    private let answers = PublishSubject<String>()
    private let latest = Mutex("")

    func ask() -> Task<Void, Never> {
        Task {
            let answer = try? await answers.asSingle().value
            latest.withLock { $0 = answer ?? "" }
        }
    }
}

private final class SessionScreen: Sendable {
    private let expired = PublishSubject<Void>()

    func expire() -> Task<Void, Never> {
        Task {
            do { try await Task.sleep(for: .seconds(3_600)) } catch { return }
            expired.onNext(())
        }
    }
}
