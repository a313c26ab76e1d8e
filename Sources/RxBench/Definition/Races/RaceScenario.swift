import Foundation
import Synchronization

/// A race to run many times: a shared state, two to four actors that use it at the same time, and a final check that
/// grades the outcome.
///
/// ```swift
/// import Synchronization
///
/// final class Door: Sendable { let isOpen = Atomic<Bool>(true) }
/// let close: @Sendable (Door) -> Void = { $0.isOpen.store(false, ordering: .relaxed) }
/// let race = RaceScenario(
///     "race/door", decides: "Whether two may close it.", makeState: { Door() }, actors: [close, close],
///     finish: { $0.isOpen.load(ordering: .relaxed) ? .forbidden("open") : .acceptable("closed") })
/// print(race.benchmark.operations)  // 1000
/// ```
/// Each actor runs on a separate thread; `makeState` and `finish` run on the first actor's thread.
public struct RaceScenario<State: Sendable>: Sendable {
    /// The stable name, as for a `Benchmark`.
    public let id: String
    /// A sentence that states the decision that the outcomes inform.
    public let decides: String
    /// The tags by which the race can be selected.
    public let tags: [String]
    /// The number of rounds per iteration, at least 1.
    public let rounds: Int
    /// The limits on the cost of the race, as for a `Benchmark`.
    public let limits: [Limit]
    /// Creates the state of one round.
    public let makeState: @Sendable () -> State
    /// The closures that the threads run on the state. There are two to four.
    public let actors: [@Sendable (State) -> Void]
    /// Grades the round after all actors have returned.
    public let finish: @Sendable (State) -> RaceGrade

    /// Defines a race.
    public init(
        _ id: String, decides: String, tags: [String] = [], rounds: Int = 1_000, limits: [Limit] = [],
        makeState: @escaping @Sendable () -> State,
        actors: [@Sendable (State) -> Void], finish: @escaping @Sendable (State) -> RaceGrade
    ) {
        precondition(
            (2...4).contains(actors.count),
            "The number of actors of '\(id)' is \(actors.count); a race has two to four.")
        precondition(rounds > 0, "'\(id)' has \(rounds) rounds an iteration; it must be at least 1.")
        self.id = id
        self.decides = decides
        self.tags = tags
        self.rounds = rounds
        self.limits = limits
        self.makeState = makeState
        self.actors = actors
        self.finish = finish
    }

    /// The race as a benchmark that reports how often each outcome occurred, and the time per round.
    public var benchmark: Benchmark {
        var benchmark = Benchmark(id, decides: decides, tags: tags + ["race"], operations: rounds, limits: limits) {
            let stress = RaceStress(self)
            return .outcomes(tearDown: { stress.stop() }, iteration: { stress.run(rounds: rounds, into: $0) })
        }
        benchmark.race = Race(self)
        return benchmark
    }
}

/// The outcome of a round.
public struct RaceGrade: Sendable, Hashable {
    /// A short description of the observed result.
    public let label: String
    /// The grade of the outcome.
    public let expectation: Expectation

    /// Returns the grade of a correct outcome.
    public static func acceptable(_ label: String) -> Self { Self(label: label, expectation: .acceptable) }
    /// Returns the grade of a correct outcome whose frequency is worth knowing.
    public static func interesting(_ label: String) -> Self { Self(label: label, expectation: .interesting) }
    /// Returns the grade of an outcome that is a defect.
    public static func forbidden(_ label: String) -> Self { Self(label: label, expectation: .forbidden) }
}

/// Runs a race on real threads, which exist until ``stop()`` is called. The delay between the starts of the actors
/// varies.
///
/// The calling thread runs the first actor, so that two actors on two cores are never preempted by a coordinating
/// thread. This class is not thread-safe: use it from one thread.
public final class RaceStress<State: Sendable> {
    private let scenario: RaceScenario<State>
    private let table: RaceTable<State>
    private var nextRound = 1

    /// Starts one thread for each actor except the first.
    public init(_ scenario: RaceScenario<State>) {
        self.scenario = scenario
        table = RaceTable(actors: scenario.actors)
        for index in 1..<scenario.actors.count {
            let thread = Thread { [table] in table.serve(index) }
            thread.name = "race actor \(index)"
            thread.start()
        }
    }

    /// Runs `rounds` rounds and adds their outcomes to `recorder`.
    public func run(rounds: Int, into recorder: OutcomeRecorder) {
        var grades: [RaceGrade: UInt64] = [:]
        let range = nextRound..<(nextRound + rounds)
        nextRound = range.upperBound
        table.wake(for: range)
        for batch in RaceTable<State>.batches(of: range) {
            let states = batch.map { _ in scenario.makeState() }
            table.play(batch, with: states)
            for state in states { grades[scenario.finish(state), default: 0] += 1 }
        }
        table.waitUntilAsleep()
        for (grade, count) in grades { recorder.record(grade.label, grade.expectation, count: count) }
    }

    /// Ends the threads and waits until they have ended. The stress test cannot be run again afterwards.
    public func stop() {
        table.wake(for: 0..<0)
        table.waitUntilAsleep()
    }
}
