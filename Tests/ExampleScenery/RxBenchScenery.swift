import RxBench
import RxBenchRaces
import RxTest

/// The benchmarks and races that the examples of the harness and the guide's page on races use.
struct RxBenchScenery: Scenery {
    let scheduler = TestScheduler.ofMilliseconds
    let mySuite = Suite("Mine", [])
    let smallFile = Benchmark("parse/file?lines=10", decides: "Nothing.") { Workload {} }
    let largeFile = Benchmark("parse/file?lines=10000", decides: "Nothing.") { Workload {} }
    let lostUpdate = RaceScenario(
        "race/none", decides: "Nothing.", makeState: { 0 }, actors: [{ _ in }, { _ in }],
        finish: { _ in .acceptable("nothing") })
}
