import DisposeRaceBenchmarks
import Rx
import RxBenchRaces

// What 'rxbench races' compiles with instrumentation: the races and what they need, nothing else.
RaceMain.run(disposeRaces.map { Race($0) }, invariants: [RaceInvariant("live resources") { Int(Resources.total) }])
