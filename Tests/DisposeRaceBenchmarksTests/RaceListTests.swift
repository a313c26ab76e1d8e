import DisposeRaceBenchmarks
import Rx
import RxBench
import RxBenchRaces
import XCTest

/// Tests the list of races as a whole.
// An XCTest case, unlike the other tests, because live resources are counted for the whole process.
final class RaceListTests: XCTestCase {
    func testEveryRace_hasANameOfItsOwnAndSaysWhatItDecides() {
        XCTAssertEqual(Set(disposeRaces.map(\.id)).count, disposeRaces.count)
        for race in disposeRaces {
            XCTAssertNotNil(race.id.wholeMatch(of: /race(\/[a-z0-9-]+){2,3}(\?[a-z]+=[a-z]+)?/), race.id)
            XCTAssertTrue(race.decides.hasPrefix("Whether ") && race.decides.hasSuffix("."), race.id)
        }
    }

    func testEveryBenchmarkOfARace_isOnTheList() {
        let listed = Set(disposeRaces.map(\.id))
        XCTAssertEqual(disposeRaceSuite.benchmarks.map(\.id.description).filter { !listed.contains($0) }, [])
    }

    func testEveryFamilyOfTheLibrary_isOnTheList() {
        let families = Set(disposeRaces.compactMap { $0.id.split(separator: "/").dropFirst().first.map(String.init) })
        let expected: Set = [
            "amb", "async-sequence", "async-subject", "behavior-relay", "behavior-subject", "boolean-disposable",
            "buffer", "catch", "combine-latest", "composite-disposable", "concat", "concat-map", "debounce",
            "delay", "disposables", "dispose-bag", "flat-map", "flat-map-first", "flat-map-latest", "group-by",
            "merge", "merge-limited", "multicast", "observe-on", "publish", "publish-relay", "publish-subject",
            "queue", "ref-count", "ref-count-disposable", "replay-relay", "replay-subject", "retry", "retry-when",
            "sample", "scheduled-disposable", "serial-disposable", "share", "single", "single-assignment-disposable",
            "skip-until", "subscribe-on", "subscriber", "switch-latest", "take-until", "throttle", "timeout",
            "value", "values", "window", "with-latest-from", "zip",
        ]
        XCTAssertEqual(expected.subtracting(families), [])
    }

    /// Runs the actors one after another, in each order: this finds faults that don't depend on timing.
    func testEveryRace_withActorsThatTakeTurnsInEachOrder_isFineAndLeavesNothing() {
        for race in disposeRaces {
            for order in orders(of: race.actors.count) {
                let before = Resources.total
                let grade = {
                    let round = race.makeState()
                    for actor in order { race.actors[actor](round) }
                    return race.finish(round)
                }()
                XCTAssertNotEqual(grade.expectation, .forbidden, "\(race.id) \(order): \(grade.label)")
                assertResources(before, "\(race.id) \(order)")
            }
        }
    }

    func testEveryRace_inAFewRounds_hasNoForbiddenOutcomeAndLeavesNothing() {
        for race in disposeRaces {
            let before = Resources.total
            let stress = RaceStress(race)
            let recorder = OutcomeRecorder()
            // Few rounds: while other tests keep the cores busy, each round waits for a core.
            stress.run(rounds: 20, into: recorder)
            stress.stop()
            for outcome in recorder.outcomes {
                XCTAssertNotEqual(outcome.expectation, .forbidden, "\(race.id): \(outcome.label)")
            }
            assertResources(before, race.id)
        }
    }

    /// Waits until tasks release their references. A task drops its last reference on its own thread, without notice.
    private func assertResources(_ expected: Int32, _ race: String, line: UInt = #line) {
        var attempts = 5_000
        while attempts > 0, Resources.total != expected {
            usleep(1_000)
            attempts -= 1
        }
        XCTAssertEqual(Resources.total, expected, "\(race): live resources", line: line)
    }

    private func orders(of count: Int) -> [[Int]] {
        guard count > 1 else { return [[0]] }
        return orders(of: count - 1).flatMap { shorter in
            (0...shorter.count).map { place in
                var order = shorter
                order.insert(count - 1, at: place)
                return order
            }
        }
    }
}
