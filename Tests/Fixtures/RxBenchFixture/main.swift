import Foundation
import RxBench
import RxBenchCommands
import RxBenchRaces
import Synchronization

// The tool with planted faults and their clean twins, for the tests of the command line.

if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "write-and-die" {
    writeAndDie(path: CommandLine.arguments[2], spins: Int(CommandLine.arguments[3]) ?? 0)
}

RxBenchMain.run([measured, failing, racing], probes: { [TotalProbe(MetricDefinition(name: Metric.liveResources, unit: "count/iteration")) {
    .value(Double(Ledger.live.load(ordering: .relaxed)))
}] })
