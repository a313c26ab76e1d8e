import RxBench
import RxBenchRaces
import RxTest

/// What the examples of the harness measure, and the guide's page on races.
struct RxBenchScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let mySuite = Suite("Mine", [])
    let smallFile = Benchmark("parse/file?lines=10", decides: "Nothing.") { Workload {} }
    let largeFile = Benchmark("parse/file?lines=10000", decides: "Nothing.") { Workload {} }
    let lostUpdate = RaceScenario(
        "race/none", decides: "Nothing.", makeState: { 0 }, actors: [{ _ in }, { _ in }],
        finish: { _ in .acceptable("nothing") })
}
