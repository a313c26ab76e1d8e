import DisposeRaceBenchmarks
import Foundation
import PlantedRaces
import RxBench
import RxBenchRaces
import Testing

/// Each known shape has a faulty twin, which must be found, and a clean twin, which must not be reported.
@Suite("Known shapes", .serialized) struct KnownShapeTests {
    /// Gives up the core between the two steps, as in the other planted faults.
    private var turnForOthers: Pause { Pause { usleep(1) } }

    /// Returns the grade of the round in which one actor runs while the other is inside its faulty step.
    private func gradeInterleaved(
        _ race: PlantedRace, _ make: (PlantedRace) -> (Pause) -> RaceScenario<Round>
    ) -> RaceGrade {
        let pause = Pause()
        let scenario = make(race)(pause)
        let round = scenario.makeState()
        var hasCome = false
        pause.step = {
            if hasCome { return }
            hasCome = true
            // On a separate thread: on one thread, the recursive locks would let both actors in.
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                scenario.actors[1 - race.actor](round)
                done.signal()
            }
            done.wait()
        }
        scenario.actors[race.actor](round)
        // The clean twin may have no pause.
        pause.step()
        return scenario.finish(round)
    }

    @Test(arguments: PlantedRace.all) func `the bad interleaving of the faulty twin is forbidden`(race: PlantedRace) {
        #expect(gradeInterleaved(race, PlantedRace.faulty) == .forbidden(race.broken))
    }

    @Test(arguments: PlantedRace.all) func `the same interleaving of the clean twin is fine`(race: PlantedRace) {
        #expect(gradeInterleaved(race, PlantedRace.clean).expectation == .acceptable)
    }

    @Test(arguments: PlantedRace.all) func `stress finds the faulty twin`(race: PlantedRace) {
        let stress = RaceStress(race.faulty(turnForOthers))
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        var rounds = 0
        while !recorder.outcomes.contains(where: { $0.label == race.broken }), rounds < 20_000 {
            stress.run(rounds: 50, into: recorder)
            rounds += 50
        }
        #expect(recorder.outcomes.contains { $0.label == race.broken && $0.expectation == .forbidden })
    }

    @Test(arguments: PlantedRace.all) func `stress finds nothing in the clean twin`(race: PlantedRace) {
        let stress = RaceStress(race.clean(turnForOthers))
        defer { stress.stop() }
        let recorder = OutcomeRecorder()
        stress.run(rounds: 300, into: recorder)
        #expect(recorder.outcomes.filter { $0.expectation == .forbidden }.isEmpty)
    }
}
