import DisposeRaceBenchmarks
import Rx
import RxBenchRaces

// The program that 'rxbench races' compiles with instrumentation. It contains only the races and the code that they
// need.
#if TRACE_RESOURCES
    let invariants = [RaceInvariant("live resources") { Int(Resources.total) }]
#else
    // The races are played on real threads, and no resources are traced.
    let invariants: [RaceInvariant] = []
#endif
RaceMain.run(disposeRaces.map { Race($0) }, invariants: invariants)
