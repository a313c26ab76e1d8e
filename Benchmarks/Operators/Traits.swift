import Rx
import RxBench

/// Sequences with guarantees. Most send one value to each subscription, so they measure the cost of subscribing.
let traits: [Benchmark] = [
    asking("operator/single/map", decides: "Whether a Single costs more than the sequence in it.") {
        Single.just(1).map { $0 &+ 1 }.asObservable()
    },
    asking("operator/single/flat-map", decides: "What asking for one thing after another costs.") {
        Single.just(1).flatMap { .just($0 &+ 2) }.asObservable()
    },
    asking("operator/single/create", decides: "What the check that there is one answer costs.") {
        Single<Int>.create { answer in
            answer(.success(3))
            return Disposables.create()
        }.asObservable()
    },
    asking("operator/single/zip?sources=2", decides: "What waiting for two answers costs.") {
        Single.zip(.just(1), .just(2)) { $0 &+ $1 }.asObservable()
    },
    asking("operator/single/zip?sources=8", decides: "How waiting for answers grows with their number.") {
        Single.zip(.just(1), .just(2), .just(3), .just(4), .just(5), .just(6), .just(7), .just(8)) {
            a, b, c, d, e, f, g, h in
            let left = a &+ b &+ c &+ d
            return left &+ e &+ f &+ g &+ h
        }.asObservable()
    },
    asking("operator/maybe/if-empty", decides: "What a value in place of none costs.") {
        Maybe<Int>.empty().ifEmpty(default: 4).asObservable()
    },
    asking("operator/completable/and-then", decides: "What doing one thing after another costs.") {
        Completable.empty().andThen(Single.just(5)).asObservable()
    },
    .push(
        "operator/as-single", decides: "What making sure of one value costs until it is known.", tags: ["trait"],
        expecting: 0, relativeTo: "operator/map"
    ) {
        // Two elements would be an error: the filter forwards none.
        $0.filter { $0 < 0 }.asSingle().asObservable()
    },
    .push(
        "operator/infallible/map", decides: "Whether a promise not to fail costs an element anything.", tags: ["trait"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.asInfallible(onErrorJustReturn: 0).map { $0 &* 2 }.asObservable()
    },
]

/// Subscribes to a sequence of one value 1,000 times.
private func asking(_ id: String, decides: String, assemble: @escaping @Sendable () -> Observable<Int>) -> Benchmark {
    Benchmark(
        id, decides: decides, tags: ["trait", "subscribe"], operations: 1_000, relativeTo: "operator/source/just"
    ) {
        let sequence = hidden(assemble())
        let sum = Sum()
        let cell = sum.cell
        var received = 0
        return Workload(check: { try confirm(received, is: 1_000) }) {
            for _ in 0..<1_000 { _ = sequence.subscribe(onNext: { _ in cell.pointee &+= 1 }) }
            received = sum.take()
            blackHole(received)
        }
    }
}
