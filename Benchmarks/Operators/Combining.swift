import Rx
import RxBench

/// Operators with several sources, which exist from the start or are created for each element.
let combining: [Benchmark] =
    flattening + [2, 8].flatMap { [merge(sources: $0), combineLatest(sources: $0), zip(sources: $0)] }
    + meeting + sequencing

// MARK: A sequence for each element

private let ten = Array(1...10)

private let flattening: [Benchmark] = [
    .push(
        "operator/flat-map/just", decides: "Whether flatMap may be used where compactMap would do.", tags: ["flatten"],
        expecting: 1_000, relativeTo: "operator/map", allocations: 0
    ) {
        $0.flatMap { Observable.just($0 &+ 2) }
    },
    .push(
        "operator/flat-map/empty", decides: "What an inner sequence costs that has nothing to send.", tags: ["flatten"],
        expecting: 0, allocations: 0
    ) {
        $0.flatMap { _ in Observable<Int>.empty() }
    },
    .push(
        "operator/flat-map/from?count=10", decides: "What an element of an inner array costs.", tags: ["flatten"],
        elements: 100, expecting: 1_000, allocations: 0
    ) {
        $0.flatMap { _ in Observable.from(ten) }
    },
    .push(
        "operator/flat-map/range?count=1", decides: "What a short inner sequence costs beside just.",
        tags: ["flatten"], expecting: 1_000, allocations: 0
    ) {
        $0.flatMap { Observable.range(start: $0, count: 1) }
    },
    .push(
        "operator/flat-map/range?count=10", decides: "What each element of a short inner sequence costs.",
        tags: ["flatten"], elements: 100, expecting: 1_000, allocations: 0
    ) {
        $0.flatMap { Observable.range(start: $0, count: 10) }
    },
    .push(
        "operator/concat-map", decides: "What keeping inner sequences in order costs.", tags: ["flatten"],
        expecting: 1_000, relativeTo: "operator/flat-map/just", allocations: 1_000
    ) {
        $0.concatMap { Observable.just($0 &- 3) }
    },
    .push(
        "operator/flat-map-first/just", decides: "What letting one inner sequence in at a time costs.",
        tags: ["flatten"], expecting: 1_000, relativeTo: "operator/flat-map/just", allocations: 1_000
    ) {
        $0.flatMapFirst { Observable.just($0 &+ 4) }
    },
    .push(
        "operator/merge/limited?concurrent=2", decides: "What a queue of inner sequences costs that is not used.",
        tags: ["flatten"], expecting: 1_000, relativeTo: "operator/flat-map/just", allocations: 1_000
    ) {
        $0.map { Observable.just($0 &- 4) }.merge(maxConcurrent: 2)
    },
    .push(
        "operator/flat-map-latest/just", decides: "What flatMapLatest adds when inner sequences end by themselves.",
        tags: ["flatten"], expecting: 1_000, relativeTo: "operator/flat-map/just", allocations: 1_000
    ) {
        $0.flatMapLatest { Observable.just($0 ^ 9) }
    },
    .push(
        "operator/flat-map-latest/switch", decides: "What giving up one live inner sequence for the next costs.",
        tags: ["flatten"], expecting: 1_000, allocations: 5_000
    ) {
        let inner = BehaviorSubject(value: 5)
        return $0.flatMapLatest { _ in inner }
    },
]

// MARK: Several sources

private func merge(sources: Int) -> Benchmark {
    .stream(
        "operator/merge/sync?sources=\(sources)", decides: "What serialising several sources costs an element.",
        tags: ["combine"], elements: 8_000, expecting: 8_000
    ) {
        .merge((0..<sources).map { _ in integers(8_000 / sources) })
    }
}

private func combineLatest(sources: Int) -> Benchmark {
    fanIn(
        "operator/combine-latest?sources=\(sources)",
        decides: "How the cost of a new value grows with the values it is combined with.", sources: sources,
        expecting: 1_000
    ) {
        if sources == 2 { return .combineLatest($0[0], $0[1]) { $0 &+ $1 } }
        return .combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7], resultSelector: sumOfEight)
    }
}

private func zip(sources: Int) -> Benchmark {
    fanIn(
        "operator/zip?sources=\(sources)", decides: "What queueing elements until each has its partners costs.",
        sources: sources, expecting: 1_000 / sources
    ) {
        if sources == 2 { return .zip($0[0], $0[1]) { $0 &* $1 } }
        return .zip($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7], resultSelector: sumOfEight)
    }
}

/// Sources that send alternately to an operator.
private let meeting: [Benchmark] = [
    fanIn(
        "operator/merge/live?sources=2", decides: "What merging subjects costs an element.", sources: 2,
        expecting: 1_000
    ) { .merge($0[0], $0[1]) },
    fanIn("operator/sample", decides: "What keeping an element for the next tick costs.", sources: 2, expecting: 500) {
        $0[0].sample($0[1])
    },
    fanIn(
        "operator/combine-latest/collection?sources=8",
        decides: "What an array in place of arguments costs combineLatest.", sources: 8, expecting: 1_000
    ) {
        .combineLatest($0) { $0[0] &+ $0[7] }
    },
    fanIn(
        "operator/zip/collection?sources=8", decides: "What an array in place of arguments costs zip.", sources: 8,
        expecting: 125
    ) {
        .zip($0) { $0[0] &- $0[7] }
    },
    fanIn(
        "operator/infallible/combine-latest?sources=2",
        decides: "Whether a promise not to fail costs an element anything.", sources: 2, expecting: 1_000
    ) {
        Infallible.combineLatest($0[0].asInfallible(onErrorJustReturn: 0), $0[1].asInfallible(onErrorJustReturn: 0)) {
            $0 &+ $1
        }.asObservable()
    },
    fanIn(
        "operator/driver/combine-latest?sources=2",
        decides: "What sharing the result on the main queue adds to combineLatest.", sources: 2, expecting: 1_000
    ) {
        Driver.combineLatest($0[0].asDriver(onErrorJustReturn: 0), $0[1].asDriver(onErrorJustReturn: 0)) { $0 &- $1 }
            .asObservable()
    },
]

private func sumOfEight(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Int) -> Int {
    let left = a &+ b &+ c &+ d
    return left &+ e &+ f &+ g &+ h
}

/// Sends 1,000 integers, alternating between the sources. Each source has already sent one integer.
private func fanIn(
    _ id: String, decides: String, sources: Int, expecting expected: Int,
    assemble: @escaping @Sendable ([Observable<Int>]) -> Observable<Int>
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["combine"], operations: 1_000, relativeTo: "operator/map") {
        let subjects = (0..<sources).map { _ in PublishSubject<Int>() }
        let sum = Sum()
        let cell = sum.cell
        let subscription = hidden(assemble(subjects)).subscribe(onNext: { _ in cell.pointee &+= 1 })
        for subject in subjects { subject.onNext(0) }
        blackHole(sum.take())
        // Unretained: a loop over the array would retain and release each subject, which adds 6 ns to every event.
        let feeds = subjects.map(Unmanaged.passUnretained)
        var received = 0
        return Workload(check: { try confirm(received, is: expected) }, tearDown: subscription.dispose) {
            for value in 0..<1_000 / sources {
                for feed in feeds { feed._withUnsafeGuaranteedRef { $0.onNext(value) } }
            }
            withExtendedLifetime(subjects) {}
            received = sum.take()
            blackHole(received)
        }
    }
}

// MARK: One sequence with or after another

private let sequencing: [Benchmark] = [
    .push(
        "operator/with-latest-from", decides: "What looking at another sequence's latest value costs.",
        tags: ["combine"], expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.withLatestFrom(BehaviorSubject(value: 7)) { $0 &- $1 }
    },
    .push(
        "operator/amb", decides: "What having won the race costs an element.", tags: ["combine"], expecting: 1_000,
        relativeTo: "operator/map"
    ) {
        Observable.amb([$0, .never()])
    },
    .stream(
        "operator/start-with?count=3", decides: "Whether elements in front cost those behind them anything.",
        tags: ["combine"], elements: 10_000, expecting: 10_003, relativeTo: "operator/source/create"
    ) {
        integers(10_000).startWith(1, 2, 3)
    },
    .stream(
        "operator/concat?sources=4", decides: "What following one long sequence by another costs an element.",
        tags: ["combine"], elements: 10_000, expecting: 10_000, relativeTo: "operator/source/create"
    ) {
        .concat((0..<4).map { _ in integers(2_500) })
    },
    .stream(
        "operator/concat/just?sources=1000", decides: "What going on to the next sequence costs.", tags: ["combine"],
        elements: 1_000, expecting: 1_000
    ) {
        .concat((0..<1_000).map { Observable.just($0) })
    },
    .stream(
        "operator/concat/range?sources=1000", decides: "What subscribing to the next sequence costs.",
        tags: ["combine"], elements: 1_000, expecting: 1_000
    ) {
        .concat((0..<1_000).map { Observable.range(start: $0, count: 1) })
    },
    caughtInTurn(sources: 10), caughtInTurn(sources: 1_000),
]

/// All sources except the last fail.
// Not in Recovering.swift: in one file the compiler merges equal closures, and 'operator/catch/error' would make an
// additional call for each of its events.
private func caughtInTurn(sources: Int) -> Benchmark {
    Benchmark(
        "operator/catch/sequence?sources=\(sources)", decides: "What one more sequence to fall back on costs.",
        tags: ["recover"], operations: sources
    ) {
        let attempts = Sum()
        let sum = Sum()
        let cell = sum.cell
        let all = Array(repeating: failing(attempts.cell), count: sources - 1) + [.just(7)]
        let sequence = hidden(Observable.catch(sequence: all))
        var received = 0
        var made = 0
        return Workload(check: { try confirm(received, is: 7) && confirm(made, is: sources - 1) }) {
            _ = sequence.subscribe(onNext: { cell.pointee &+= $0 })
            received = sum.take()
            made = attempts.take()
            blackHole(received)
        }
    }
}
