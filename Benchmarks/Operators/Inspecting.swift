import Rx
import RxBench

/// Operators that observe elements without changing them.
let inspecting: [Benchmark] = [
    .push(
        "operator/do", decides: "What looking at each element costs.", tags: ["stateless"], expecting: 1_000,
        relativeTo: "operator/map"
    ) {
        $0.do(onNext: { blackHole($0) })
    }
]
