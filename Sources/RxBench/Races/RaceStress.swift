import Foundation
import RxBench
import Synchronization

/// Runs a race on real threads, which live until ``stop()``, and sweeps how far apart the actors start.
///
/// The calling thread plays the first actor, so that two actors on two cores are never preempted by a referee.
/// Not thread-safe: call from one thread.
public final class RaceStress<State: Sendable> {
    private let scenario: RaceScenario<State>
    private let table: RaceTable<State>
    private var nextRound = 1

    /// Starts one thread for each actor but the first.
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

    /// Ends the threads and waits for them. The stress cannot be run afterwards.
    public func stop() {
        table.wake(for: 0..<0)
        table.waitUntilAsleep()
    }
}
