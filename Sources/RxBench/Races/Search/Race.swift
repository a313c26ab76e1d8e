import RxBench

/// A race without its state's type, as the search takes it: what ``RaceMain`` is given.
public struct Race: Sendable {
    /// The stable name.
    public let id: String
    /// How many actors it begins with.
    package let actorCount: Int
    /// Makes what is executed again and again.
    let makeBody: @Sendable () -> RaceBody
    /// Plays rounds on real threads until `isOver`, which is asked between thousands of them.
    let playOnThreads: @Sendable (_ isOver: () -> Bool) -> [RaceOutcome]

    /// The race of `scenario`.
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

    /// The races among the benchmarks of `suites`, in their order.
    package static func all(in suites: [Suite]) -> [Race] {
        suites.flatMap(\.benchmarks).compactMap { $0.race as? Race }
    }

    /// Where the state lies while actors use it.
    private final class StateBox<State> {
        var state: State?
    }
}

/// The closures of an execution: each on the thread that it is meant for.
final class RaceBody {
    let setUp: () -> Void
    let act: (Int) -> Void
    let finish: () -> RaceGrade
    /// How the last execution was graded.
    var grade: RaceGrade?

    init(setUp: @escaping () -> Void, act: @escaping (Int) -> Void, finish: @escaping () -> RaceGrade) {
        self.setUp = setUp
        self.act = act
        self.finish = finish
    }
}

/// A count that each execution must leave as it found it, such as the number of live resources.
public struct RaceInvariant: Sendable {
    /// The things that are counted, in the plural: `live resources`.
    public let name: String
    /// Counts; called between executions, on one thread.
    public let count: @Sendable () -> Int

    /// A count with its name.
    public init(_ name: String, count: @escaping @Sendable () -> Int) {
        self.name = name
        self.count = count
    }
}
