import DisposeRaceBenchmarks
import Rx
import RxBenchRaces

// The program that 'rxbench races' compiles with instrumentation: the races and what they need, nothing else.
#if TRACE_RESOURCES
    let invariants = [RaceInvariant("live resources") { Int(Resources.total) }]
#else
    // On real threads, where nothing is traced.
    let invariants: [RaceInvariant] = []
#endif
RaceMain.run(disposeRaces.map { Race($0) }, invariants: invariants)
