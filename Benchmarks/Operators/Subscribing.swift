import Rx
import RxBench

/// The cost of a subscription from assembly to disposal. Some are compared with the cost of their objects alone.
let subscribing: [Benchmark] = [
    objects(3), objects(5), objects(6), objects(18),
    subscribeAndDispose(
        "operator/subscribe/subject", decides: "The floor of subscribe and dispose (bar: 6 allocations).",
        allocations: 5, objects: 3
    ) { $0 },
    subscribeAndDispose(
        "operator/subscribe/subject-map", decides: "What one operator adds to subscribe and dispose.", allocations: 6
    ) { $0.map { $0 &+ 1 } },
    subscribeAndDispose(
        "operator/subscribe/subject-map-filter", decides: "What a usual short chain takes of subscribe and dispose.",
        allocations: 5, objects: 5
    ) { $0.map { $0 &- 2 }.filter { $0 > -9 } },
    subscribeAndDispose(
        "operator/subscribe/chain?depth=6", decides: "Whether a subscription grows by one allocation an operator.",
        allocations: 11
    ) {
        $0.map { $0 &+ 1 }.filter { $0 > 0 }.scan(0) { $0 &+ $1 }.map { $0 ^ 5 }.enumerated().map { $0.element }
    },
    Benchmark(
        "operator/subscribe/assembly?depth=6", decides: "Whether to keep an assembled sequence or to build it per use.",
        tags: ["subscribe"], operations: 1_000
    ) {
        let subject = PublishSubject<Int>()
        let sum = Sum()
        let cell = sum.cell
        return Workload {
            for _ in 0..<1_000 {
                let sequence = subject.map { $0 &+ 1 }.filter { $0 > 0 }.scan(0) { $0 &+ $1 }.map { $0 ^ 5 }
                    .enumerated().map { $0.element }
                sequence.subscribe(onNext: { cell.pointee &+= $0 }).dispose()
            }
            blackHole(sum.take())
        }
    },
    assembleOnce,
    newSubject,
    bag(subscriptions: 100),
    bag(subscriptions: 1_000),
]

/// The allocations of one operator. Subtract the allocations of `operator/subscribe/subject`.
let subscribingToOperators: [Benchmark] = [
    subscribeAndDispose(
        "operator/subscribe/take", decides: "Whether counting takes an allocation of its own.", allocations: 6
    ) { $0.take(3) },
    subscribeAndDispose(
        "operator/subscribe/distinct-until-changed", decides: "Whether a key takes an allocation of its own.",
        allocations: 6
    ) { $0.distinctUntilChanged() },
    subscribeAndDispose(
        "operator/subscribe/flat-map", decides: "What flatMap takes before there is an element.", allocations: 6
    ) { $0.flatMap { Observable.just($0 &+ 1) } },
    subscribeAndDispose(
        "operator/subscribe/merge?sources=2", decides: "What one more source of merge takes.", allocations: 11
    ) { Observable<Int>.merge($0, $0) },
    subscribeAndDispose(
        "operator/subscribe/combine-latest?sources=2", decides: "What one more source of combineLatest takes.",
        allocations: 11
    ) {
        Observable<Int>.combineLatest($0, $0) { $0 &+ $1 }
    },
    subscribeAndDispose(
        "operator/subscribe/zip?sources=2", decides: "What the queues of zip take while they are empty.",
        allocations: 11
    ) { Observable<Int>.zip($0, $0) { $0 &- $1 } },
    subscribeAndDispose(
        "operator/subscribe/with-latest-from", decides: "What a second source takes that is only remembered.",
        allocations: 10
    ) { $0.withLatestFrom($0) },
    subscribeAndDispose(
        "operator/subscribe/concat?sources=2", decides: "What a sequence takes that another one follows.",
        allocations: 8
    ) { $0.concat(Observable<Int>.never()) },
    subscribeAndDispose("operator/subscribe/catch", decides: "What standing by for an error takes.", allocations: 6) {
        $0.catch { _ in .never() }
    },
    subscribeAndDispose(
        "operator/subscribe/retry", decides: "What standing by for another attempt takes.", allocations: 7
    ) { $0.retry(2) },
    subscribeAndDispose(
        "operator/subscribe/debounce", decides: "What a timer takes that is not running.", allocations: 6
    ) {
        $0.debounce(.seconds(1), scheduler: HistoricalScheduler())
    },
    subscribeAndDispose(
        "operator/subscribe/relay", decides: "Whether a relay is as cheap to subscribe to as a subject."
    ) { _ in PublishRelay<Int>().asObservable() },
    subscribeAndDispose(
        "operator/subscribe/observe-on", decides: "What a queue to another thread takes while it is empty.",
        allocations: 6
    ) {
        $0.observe(on: CurrentThreadScheduler.instance)
    },
]

/// Six maps and six filters, assembled for one element.
private let assembleOnce = Benchmark(
    "operator/subscribe/assembly?depth=12", decides: "Whether a long chain may be built for a single element.",
    tags: ["subscribe"], operations: 1_000, relativeTo: objectsID(18)
) {
    let sum = Sum()
    let cell = sum.cell
    let subject = PublishSubject<Int>()
    var total = 0
    return Workload(check: { try confirm(total, is: 3_000) }) {
        for _ in 0..<1_000 {
            let sequence = subject.map { $0 &+ 1 }.filter { $0 >= 0 }.map { $0 ^ 5 }.filter { $0 != -7 }.map { $0 &* 3 }
                .filter { $0 < 1 << 60 }.map { $0 >> 1 }.filter { ($0 | 7) > 0 }.map { $0 & 63 }
                .filter { ($0 & 0xffff_ffff_ffff) >= 0 }.map { $0 &- 3 }.filter { ($0 ^ 3) != 1 << 50 }
            let subscription = sequence.subscribe(onNext: { cell.pointee &+= $0 })
            subject.onNext(0)
            subscription.dispose()
        }
        total = sum.take()
        blackHole(total)
    }
}

private let newSubject = Benchmark(
    "operator/subscribe/new-subject", decides: "Whether a subject may be made for a single subscription.",
    tags: ["subscribe", "subject"], operations: 1_000, relativeTo: objectsID(6)
) {
    let sum = Sum()
    let cell = sum.cell
    return Workload {
        for _ in 0..<1_000 { blackHole(PublishSubject<Int>().subscribe(onNext: { cell.pointee &+= $0 })) }
        blackHole(sum.take())
    }
}

private func bag(subscriptions: Int) -> Benchmark {
    Benchmark(
        "operator/subscribe/bag?subscriptions=\(subscriptions)", decides: "What keeping subscriptions in a bag costs.",
        tags: ["subscribe"], operations: subscriptions
    ) {
        let subject = PublishSubject<Int>()
        let sum = Sum()
        let cell = sum.cell
        return Workload(check: { !subject.hasObservers }) {
            let bag = DisposeBag()
            for _ in 0..<subscriptions { subject.subscribe(onNext: { cell.pointee &+= $0 }).disposed(by: bag) }
            blackHole(bag)
        }
    }
}

func subscribeAndDispose<Element>(
    _ id: String, decides: String, allocations: Double? = nil, objects: Int? = nil,
    assemble: @escaping @Sendable (Observable<Int>) -> Observable<Element>
) -> Benchmark {
    Benchmark(
        id, decides: decides, tags: ["subscribe"], operations: 1_000, relativeTo: objects.map(objectsID),
        limits: [allocations.map(Limit.allocations(atMost:))].compactMap { $0 }
    ) {
        let subject = PublishSubject<Int>()
        let sequence = hidden(assemble(subject))
        let sum = Sum()
        let cell = sum.cell
        return Workload(check: { !subject.hasObservers }) {
            for _ in 0..<1_000 { sequence.subscribe(onNext: { _ in cell.pointee &+= 1 }).dispose() }
            blackHole(sum.take())
        }
    }
}

private func objectsID(_ count: Int) -> String { "operator/limit/objects?count=\(count)" }

/// Makes and releases the number of objects that a subscription makes.
private func objects(_ count: Int) -> Benchmark {
    Benchmark(
        objectsID(count), decides: "What a subscription of so many objects would take if it did nothing with them.",
        tags: ["subscribe"], operations: 1_000
    ) {
        var total = 0
        return Workload(check: { try confirm(total, is: 1_000 * count) }) {
            total = 0
            for _ in 0..<1_000 {
                withUnsafeTemporaryAllocation(of: Unmanaged<SinkSized>.self, capacity: count) { room in
                    for index in room.indices { room[index] = .passRetained(SinkSized()) }
                    for object in room {
                        total &+= object._withUnsafeGuaranteedRef { $0.words.0 }
                        object.release()
                    }
                }
            }
        }
    }
}

/// An object of 64 bytes, which is the size of an operator's sink.
private final class SinkSized {
    var words = (1, 2, 3, 4, 5, 6)
}
