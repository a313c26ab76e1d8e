import Rx
import RxBench

/// Sequences for the main queue, on which the benchmarks run: nothing is handed over.
let sharedSequences: [Benchmark] = [
    .push("operator/driver/map", decides: "What a driver costs where an observable would do.", tags: ["driver"], expecting: 1_000, relativeTo: "operator/map", allocations: 1_000) {
        $0.asDriver(onErrorJustReturn: 0).map { $0 &+ 1 }.asObservable()
    },
    .push("operator/signal/map", decides: "Whether a signal, which remembers nothing, costs less than a driver.", tags: ["driver"], expecting: 1_000, relativeTo: "operator/map", allocations: 1_000) {
        $0.asSignal(onErrorJustReturn: 0).map { $0 &- 1 }.asObservable()
    },
    .push("operator/driver/flat-map-latest", decides: "What an inner driver for each element costs.", tags: ["driver"], expecting: 1_000, relativeTo: "operator/flat-map-latest/just", allocations: nil) {
        $0.asDriver(onErrorJustReturn: 0).flatMapLatest { Driver.just($0 ^ 3) }.asObservable()
    },
    .push("operator/control-property", decides: "What going through a control's property costs.", tags: ["driver"], expecting: 1_000, relativeTo: "operator/map") {
        ControlProperty(values: $0, valueSink: AnyObserver<Int> { _ in }).asObservable()
    },
]
