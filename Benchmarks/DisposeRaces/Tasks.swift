import Rx
import RxBenchRaces

/// Tasks that wait for a sequence and are cancelled. The actor that sends or cancels runs the jobs that this resumes.
let taskRaces: [RaceScenario<Round>] = [
    awaiting("race/value/success-cancel", "Whether a task may be cancelled as its value comes.") { source in
        source.next(1)
    },
    awaiting("race/value/error-cancel", "Whether a task may be cancelled as its sequence fails.") { $0.fail() },
    race("race/values/next-cancel", "Whether a task may be cancelled as elements come to it.") { round in
        walk(round) { source in source.next(1) }
    },
    race("race/values/end-cancel", "Whether a task may be cancelled as its sequence completes.") { round in
        walk(round) { $0.complete() }
    },
]

/// The way in which a task has ended.
final class Ending: Sendable {
    private let returns = Count()
    private let errors = Count()
    private let cancellations = Count()

    func note(_ error: (any Error)?) {
        let count = error == nil ? returns : error is CancellationError ? cancellations : errors
        count.raise()
    }

    /// `nil` unless the task has ended exactly once.
    var name: String? {
        switch (returns.now, errors.now, cancellations.now) {
        case (1, 0, 0): "returned"
        case (0, 1, 0): "failed"
        case (0, 0, 1): "cancelled"
        default: nil
        }
    }
}

/// Cancels a task that waits for a value while `send` sends an event.
private func awaiting(
    _ id: String, _ decides: String, _ send: @escaping @Sendable (OpenSource) -> Void
) -> RaceScenario<Round> {
    race(id, decides) { round in
        let source = round.source()
        let single = source.makeSequence().take(1).asSingle()
        return cancelling(round, source, send) { _ = try await single.value }
    }
}

/// Cancels a task that iterates over a sequence while `send` sends an event.
private func walk(_ round: Round, _ send: @escaping @Sendable (OpenSource) -> Void) -> [() -> Void] {
    let source = round.source()
    let values = source.makeSequence().values
    return cancelling(round, source, send) { for try await _ in values {} }
}

private func cancelling(
    _ round: Round, _ source: OpenSource, _ send: @escaping @Sendable (OpenSource) -> Void,
    _ wait: @escaping @Sendable () async throws -> Void
) -> [() -> Void] {
    let executor = ManualExecutor()
    let ending = Ending()
    let task = Task(executorPreference: executor) {
        do {
            try await wait()
            ending.note(nil)
        } catch {
            ending.note(error)
        }
    }
    executor.run()
    round.afterwards(executor.run)
    round.expect("the task went on other than once") { ending.name != nil }
    round.expect("the source was not let go of") { source.release.count.now == 1 }
    round.label { ending.name ?? "" }
    return [
        {
            send(source)
            executor.run()
        },
        {
            task.cancel()
            executor.run()
        },
    ]
}
