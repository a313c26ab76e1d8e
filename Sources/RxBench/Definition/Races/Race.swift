/// A race whose state has an erased type. `RaceMain` and the search use races in this form.
public struct Race: Sendable {
    /// The stable name.
    public let id: String
    /// The number of actors at the start of the race.
    package let actorCount: Int
    /// Creates the closures that the search executes repeatedly.
    package let makeBody: @Sendable () -> RaceBody
    /// Plays rounds on real threads until `isOver` returns `true`. `isOver` is called once every few thousand rounds.
    package let playOnThreads: @Sendable (_ isOver: () -> Bool) -> [RaceOutcome]

    /// Creates a race from `scenario`.
    public init<State>(_ scenario: RaceScenario<State>) {
        id = scenario.id
        actorCount = scenario.actors.count
        makeBody = {
            let box = StateBox<State>()
            return RaceBody(
                setUp: { box.state = scenario.makeState() },
                act: { scenario.actors[$0](box.state.unsafelyUnwrapped) },
                finish: {
                    defer { box.state = nil }
                    return scenario.finish(box.state.unsafelyUnwrapped)
                })
        }
        playOnThreads = { isOver in
            let stress = RaceStress(scenario)
            defer { stress.stop() }
            let recorder = OutcomeRecorder()
            repeat { stress.run(rounds: scenario.rounds, into: recorder) } while !isOver()
            return recorder.outcomes
        }
    }

    /// Returns the races among the benchmarks of `suites`, in their order.
    package static func all(in suites: [Suite]) -> [Race] {
        suites.flatMap(\.benchmarks).compactMap(\.race)
    }

    /// Holds the state while actors use it.
    private final class StateBox<State> {
        var state: State?
    }
}

/// The closures of an execution. Each closure runs on a separate thread.
package final class RaceBody {
    package let setUp: () -> Void
    package let act: (Int) -> Void
    package let finish: () -> RaceGrade
    /// The grade of the last execution.
    package var grade: RaceGrade?

    init(setUp: @escaping () -> Void, act: @escaping (Int) -> Void, finish: @escaping () -> RaceGrade) {
        self.setUp = setUp
        self.act = act
        self.finish = finish
    }
}
