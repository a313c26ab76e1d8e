import Rx
import RxBench

/// The cost of creating elements.
let sources: [Benchmark] = [
    .stream(
        "operator/source/create", decides: "The floor of every benchmark that is fed by create.", tags: ["source"],
        elements: 10_000, expecting: 10_000, allocations: 3
    ) {
        integers(10_000)
    },
    .stream(
        "operator/source/range", decides: "Whether range is close to a loop (bar: 5 ns an element).", tags: ["source"],
        elements: 10_000, expecting: 10_000, allocations: 4, bar: 5
    ) { .range(start: 0, count: 10_000) },
    .stream(
        "operator/source/from-array", decides: "What walking an array costs.", tags: ["source"], elements: 10_000,
        expecting: 10_000, allocations: 4
    ) {
        .from(Array(0..<10_000))
    },
    .stream(
        "operator/source/generate", decides: "What two user closures an element cost.", tags: ["source"],
        elements: 10_000, expecting: 10_000, allocations: 5
    ) {
        .generate(initialState: 0, condition: { $0 < 10_000 }, iterate: { $0 + 1 })
    },
    .stream(
        "operator/source/repeat-take", decides: "What an endless source that is cut costs.", tags: ["source"],
        elements: 10_000, expecting: 10_000, allocations: 6
    ) {
        Observable.repeatElement(1).take(10_000)
    },
    subscribing("operator/source/just", decides: "What a sequence of one value costs.") { .just(1) },
    subscribing("operator/source/of?elements=4", decides: "What a short literal sequence costs.") { .of(1, 2, 3, 4) },
    subscribing("operator/source/deferred", decides: "What making the sequence at subscription costs.") {
        .deferred { .just(1) }
    },
    subscribing("operator/source/using", decides: "What a resource per subscription costs.") {
        .using({ BooleanDisposable() }, observableFactory: { _ in .just(1) })
    },
]

/// Subscribes to a short sequence many times.
private func subscribing(
    _ id: String, decides: String, assemble: @escaping @Sendable () -> Observable<Int>
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["source", "subscribe"], operations: 1_000) {
        let sequence = hidden(assemble())
        let sum = Sum()
        let cell = sum.cell
        var total = 0
        return Workload(check: { total > 0 }) {
            for _ in 0..<1_000 { _ = sequence.subscribe(onNext: { cell.pointee &+= $0 }) }
            total = sum.take()
            blackHole(total)
        }
    }
}
