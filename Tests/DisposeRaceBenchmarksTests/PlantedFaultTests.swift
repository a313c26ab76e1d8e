import Rx
import RxBench
import RxBenchRaces
import Synchronization
import Testing

@testable import DisposeRaceBenchmarks

/// Looks whether it was disposed, and then disposes: two threads can both find that it was not.
private final class LookThenAct: Disposable {
    private let isDisposed = Atomic<Bool>(false)
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    func dispose() {
        if isDisposed.load(ordering: .relaxed) { return }
        isDisposed.store(true, ordering: .relaxed)
        action()
    }
}

@Suite("Planted faults in real races") struct PlantedFaultTests {
    @Test func `a disposable that looks and then acts runs its action twice, which is found`() {
        let stress = RaceStress(disposeOnce("race/planted/look-then-act") { LookThenAct($0) })
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        var rounds = 0
        // Bounded: a machine with one core needs a preemption between two instructions.
        while !recorder.outcomes.contains(where: { $0.expectation == .forbidden }), rounds < 5_000_000 {
            stress.run(rounds: 1_000, into: recorder)
            rounds += 1_000
        }
        #expect(recorder.outcomes.first?.expectation == .forbidden)
        #expect(recorder.outcomes.first?.label == "action ran 2 times")
    }

    @Test func `a disposable of the library runs its action once in every round`() {
        let stress = RaceStress(disposeOnce("race/planted/clean-twin") { Disposables.create(with: $0) })
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        stress.run(rounds: 20_000, into: recorder)
        #expect(recorder.outcomes.allSatisfy { $0.expectation == .acceptable })
        #expect(recorder.outcomes.map(\.count).reduce(0, +) == 20_000)
    }
}
