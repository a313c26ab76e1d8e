import Rx
import RxBench

/// Operators that forward some of the elements.
let filtering: [Benchmark] = [
    .push(
        "operator/filter", decides: "Whether deciding costs more than transforming.", tags: ["stateless"],
        expecting: 500, relativeTo: "operator/map"
    ) {
        $0.filter { $0 & 1 == 0 }
    },
    .stream(
        "operator/take?count=10000", decides: "What counting down costs.", tags: ["stateful"], elements: 10_000,
        expecting: 10_000, allocations: 4
    ) {
        integers(10_000).take(10_000)
    },
    .stream(
        "operator/skip?count=5000", decides: "What counting up costs.", tags: ["stateful"], elements: 10_000,
        expecting: 5_000, allocations: 4
    ) {
        integers(10_000).skip(5_000)
    },
    .push(
        "operator/take-while", decides: "Whether a predicate that may end the sequence costs more than filter.",
        tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.take(while: { $0 >= 0 })
    },
    .stream(
        "operator/distinct", decides: "What remembering all elements costs.", tags: ["stateful"], elements: 10_000,
        expecting: 10_000
    ) {
        integers(10_000).distinct()
    },
    .push(
        "operator/partition", decides: "Whether one half of a partition costs more than filter.", tags: ["stateless"],
        expecting: 500, relativeTo: "operator/map"
    ) {
        $0.partition { $0 & 1 == 0 }.nonMatches
    },
    .push(
        "operator/pausable", decides: "What asking whether elements may pass costs.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.pausable(BehaviorSubject(value: true))
    },
    .push(
        "operator/pausable-buffered", decides: "What an element costs that might have had to wait.",
        tags: ["stateful"], expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.pausableBuffered(BehaviorSubject(value: true))
    },
    .push(
        "operator/distinct-until-changed", decides: "What remembering the last key costs.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.distinctUntilChanged()
    },
    .push(
        "operator/skip-while", decides: "Whether a predicate that has decided once still costs.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.skip(while: { $0 < 0 })
    },
    .push(
        "operator/take-until", decides: "What standing by for another sequence's element costs.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.take(until: Observable<Int>.never())
    },
    .push(
        "operator/skip-until", decides: "What having waited for another sequence costs.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.skip(until: Observable.just(0))
    },
    .push(
        "operator/ignore-elements", decides: "What an element costs that nobody wants.", tags: ["stateless"],
        expecting: 0, relativeTo: "operator/map"
    ) {
        $0.ignoreElements()
    },
    .push(
        "operator/if-empty", decides: "What watching for an empty sequence costs a full one.", tags: ["stateful"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.ifEmpty(default: 1)
    },
    takeLast(100), takeLast(5_000),
    .stream(
        "operator/element-at", decides: "What counting to one element costs.", tags: ["stateful"], elements: 10_000,
        expecting: 1, relativeTo: "operator/source/create"
    ) {
        integers(10_000).element(at: 9_999)
    },
    .stream(
        "operator/single-element", decides: "What making sure that there is only one match costs.", tags: ["stateful"],
        elements: 10_000, expecting: 1, relativeTo: "operator/source/create"
    ) {
        integers(10_000).single { $0 == 5_000 }
    },
]

private func takeLast(_ count: Int) -> Benchmark {
    .stream(
        "operator/take-last?count=\(count)", decides: "What keeping the last elements costs each one.",
        tags: ["stateful"], elements: 10_000, expecting: count, relativeTo: "operator/source/create"
    ) {
        integers(10_000).takeLast(count)
    }
}
