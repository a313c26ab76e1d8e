import Rx
import RxBench

/// Operators that let some elements pass.
let filtering: [Benchmark] = [
    .push("operator/filter", decides: "Whether deciding costs more than transforming.", tags: ["stateless"], expecting: 500, relativeTo: "operator/map") {
        $0.filter { $0 & 1 == 0 }
    },
    .stream("operator/take?count=10000", decides: "What counting down costs.", tags: ["stateful"], elements: 10_000, expecting: 10_000, allocations: 4) {
        integers(10_000).take(10_000)
    },
    .stream("operator/skip?count=5000", decides: "What counting up costs.", tags: ["stateful"], elements: 10_000, expecting: 5_000, allocations: 4) {
        integers(10_000).skip(5_000)
    },
    .push("operator/take-while", decides: "Whether a predicate that may end the sequence costs more than filter.", tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map") {
        $0.take(while: { $0 >= 0 })
    },
    .push("operator/distinct-until-changed", decides: "What remembering the last key costs.", tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map") {
        $0.distinctUntilChanged()
    },
]
