import Rx
import RxBench

/// Operators that look on.
let inspecting: [Benchmark] = [
    .push(
        "operator/do", decides: "What looking at each element costs.", tags: ["stateless"], expecting: 1_000,
        relativeTo: "operator/map"
    ) {
        $0.do(onNext: { blackHole($0) })
    }
]
