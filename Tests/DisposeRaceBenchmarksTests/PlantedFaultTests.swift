import Foundation
import Rx
import RxBench
import RxBenchRaces
import Synchronization
import Testing

@testable import DisposeRaceBenchmarks

/// Checks whether it was disposed, and then disposes: two threads can both find that it was not.
private final class LookThenAct: Disposable, @unchecked Sendable {
    // @unchecked: the test calls it from two threads at once on purpose.
    private let isDisposed = Atomic<Bool>(false)
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    func dispose() {
        if isDisposed.load(ordering: .relaxed) { return }
        // On a busy machine the two instructions may not overlap for minutes. Giving up the core between them makes the
        // overlap certain. 'sched_yield' may return at once although other threads wait.
        usleep(1)
        isDisposed.store(true, ordering: .relaxed)
        action()
    }
}

// One at a time: the actors of another race would take the cores that these actors need.
@Suite("Planted faults in real races", .serialized) struct PlantedFaultTests {
    @Test func `a disposable that looks and then acts runs its action twice, which is found`() {
        let stress = RaceStress(disposeOnce("race/planted/look-then-act") { LookThenAct($0) })
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        var rounds = 0
        while !recorder.outcomes.contains(where: { $0.expectation == .forbidden }), rounds < 5_000 {
            stress.run(rounds: 50, into: recorder)
            rounds += 50
        }
        #expect(recorder.outcomes.first?.expectation == .forbidden)
        #expect(recorder.outcomes.first?.label == "action ran 2 times")
    }

    @Test func `a disposable of the library runs its action once in every round`() {
        let stress = RaceStress(disposeOnce("race/planted/clean-twin") { Disposables.create(with: $0) })
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        // Few rounds: while other tests keep the cores busy, each round waits for a core twice, tens of milliseconds.
        stress.run(rounds: 500, into: recorder)
        #expect(recorder.outcomes.allSatisfy { $0.expectation == .acceptable })
        #expect(recorder.outcomes.map(\.count).reduce(0, +) == 500)
    }
}
