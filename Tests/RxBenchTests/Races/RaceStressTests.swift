import Foundation
import Synchronization
import Testing

@testable import RxBench

private final class Counter: Sendable {
    let value = Atomic<Int>(0)
}

private func increments(_ increment: @escaping @Sendable (Counter) -> Void, actors: Int = 2) -> RaceScenario<Counter> {
    RaceScenario(
        "race/counter/increment", decides: "Nothing: a test.", makeState: { Counter() },
        actors: Array(repeating: increment, count: actors),
        finish: {
            $0.value.load(ordering: .relaxed) == actors ? .acceptable("both counted") : .forbidden("lost update")
        })
}

private let loadThenStore: @Sendable (Counter) -> Void = { counter in
    let seen = counter.value.load(ordering: .relaxed)
    // On a busy machine the two instructions may not overlap for minutes. Giving up the core between them makes the
    // overlap certain. 'sched_yield' may return at once although other threads wait.
    usleep(1)
    counter.value.store(seen + 1, ordering: .relaxed)
}

private let add: @Sendable (Counter) -> Void = { $0.value.add(1, ordering: .relaxed) }

// One at a time: the actors of another race would take the cores that these actors need.
@Suite("Race stress", .serialized) struct RaceStressTests {
    @Test func `load-then-store loses an update, which is found`() {
        let stress = RaceStress(increments(loadThenStore))
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        var rounds = 0
        while !recorder.outcomes.contains(where: { $0.expectation == .forbidden }), rounds < 5_000 {
            stress.run(rounds: 50, into: recorder)
            rounds += 50
        }
        #expect(recorder.outcomes.first?.label == "lost update")
        #expect(recorder.outcomes.map(\.count).reduce(0, +) == UInt64(rounds))
    }

    @Test(arguments: [2, 3, 4]) func `atomic increments are never reported`(actors: Int) {
        let stress = RaceStress(increments(add, actors: actors))
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        // Few rounds: on two cores, four actors that spin for each other need a time slice to meet.
        stress.run(rounds: 400, into: recorder)
        stress.run(rounds: 200, into: recorder)
        #expect(recorder.outcomes == [RaceOutcome(label: "both counted", expectation: .acceptable, count: 600)])
    }

    @Test func `the states of a batch die before the next is made`() {
        final class Tracked: Sendable {
            let live: AtomicBox
            init(_ live: AtomicBox) {
                self.live = live
                live.value.add(1, ordering: .relaxed)
            }
            deinit { live.value.subtract(1, ordering: .relaxed) }
        }
        let live = AtomicBox()
        let scenario = RaceScenario(
            "race/state/lifetime", decides: "Nothing: a test.", makeState: { Tracked(live) },
            actors: [{ _ in }, { _ in }],
            finish: { _ in .acceptable("\(live.value.load(ordering: .relaxed)) live") })
        let stress = RaceStress(scenario)
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        stress.run(rounds: 500, into: recorder)
        let batches = RaceTable<Tracked>.batches(of: 1..<501).map(\.count)
        #expect(batches.reduce(0, +) == 500)
        #expect(Set(recorder.outcomes.map(\.label)) == Set(batches.map { "\($0) live" }))
        #expect(live.value.load(ordering: .relaxed) == 0)
    }

    @Test func `delays depend on round and actor alone and sweep widths`() {
        #expect(RaceDelay.steps(round: 5, actor: 0) == RaceDelay.steps(round: 5, actor: 0))
        let widest = (0..<600).map { RaceDelay.steps(round: $0, actor: 1) }.max() ?? 0
        #expect((513...1023).contains(widest))
        #expect((0..<600).filter { $0 % 6 == 0 }.allSatisfy { RaceDelay.steps(round: $0, actor: 0) == 0 })
    }

    @Test func `each actor lets the others go first now and then, and no two of them in one round`() {
        for actor in 0..<4 {
            #expect((1...512).filter { RaceDelay.givesWay(round: $0, actor: actor) }.count == 2)
        }
        #expect((1...512).allSatisfy { round in (0..<4).count { RaceDelay.givesWay(round: round, actor: $0) } <= 1 })
    }
}

private final class AtomicBox: Sendable {
    let value = Atomic<Int>(0)
}
