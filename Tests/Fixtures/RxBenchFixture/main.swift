import Foundation
import RxBench
import RxBenchCommands
import RxBenchEngine
import RxBenchRaces
import Synchronization

// The tool with planted faults and their clean twins, for the tests of the command line.

if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "write-and-die" {
    writeAndDie(path: CommandLine.arguments[2], spins: Int(CommandLine.arguments[3]) ?? 0)
}

if CommandLine.arguments.count > 2, CommandLine.arguments[1] == "mutate" {
    Mutations.run(Array(CommandLine.arguments.dropFirst(2)))
}

// FIXTURE_MANY=70 makes a run of the same size as the real suites, to measure its cost.
let many = Suite(
    "Many",
    (0..<(Int(ProcessInfo.processInfo.environment["FIXTURE_MANY"] ?? "") ?? 0)).map { index in
        Benchmark(
            "fixture/many/loop?index=\(index)", decides: "Nothing: one of many.", tags: ["many"], operations: 100_000
        ) {
            Workload { for n in 0..<100_000 { blackHole(n &* index) } }
        }
    })

// FIXTURE_BUILT_IN=1 leaves live resources to the built-in probe, which reads the resource count of Rx.
let isBuiltIn = ProcessInfo.processInfo.environment["FIXTURE_BUILT_IN"] != nil
let ledger = MetricDefinition(name: Metric.liveResources, unit: "count/iteration")

RxBenchMain.run(
    [measured, limited, reactive, failing, racing, many, paired],
    probes: {
        isBuiltIn ? [] : [TotalProbe(ledger) { .value(Double(Ledger.live.load(ordering: .relaxed))) }]
    })
