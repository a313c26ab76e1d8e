import Rx
import RxBench

/// One benchmark for each operator with a plant; its source has no plant.
let streams: [Benchmark] = [
    .stream("planted/compact-map", expecting: 1_000) { integers(1_000).compactMap { $0 &+ 1 } },
    .push("planted/scan", through: BehaviorSubject(value: 0), expecting: 1_000) { $0.scan(0) { $0 &+ $1 } },
    .push("planted/publish", through: PublishSubject<Int>(), expecting: 1_000) { $0 },
    .stream("planted/take", subscriptions: 100, expecting: 200) { integers(3).take(2) },
    .stream("planted/skip", expecting: 999) { integers(1_000).skip(1) },
    .stream("planted/take-while", subscriptions: 100, expecting: 200) { integers(3).take(while: { $0 < 2 }) },
    .stream("planted/flat-map-just", expecting: 1_000) { integers(1_000).flatMap { Observable.just($0 &+ 1) } },
    .stream("planted/with-latest-from", expecting: 1_000) {
        integers(1_000).withLatestFrom(BehaviorSubject(value: 1)) { $0 &+ $1 }
    },
    .stream("planted/to-array", subscriptions: 10, expecting: 10) { integers(100).toArray().asObservable() },
]

/// `count` integers in one loop.
@inline(never) private func integers(_ count: Int) -> Observable<Int> {
    .create { observer in
        for value in 0..<count { observer.onNext(value) }
        observer.onCompleted()
        return Disposables.create()
    }
}

/// Hides from the optimiser how an observable was made, as a library boundary would.
@inline(never)
private func hidden<Element>(_ observable: Observable<Element>) -> Observable<Element> { opaque(observable) }

extension Benchmark {
    /// Work whose result is checked, where one is expected.
    static func work(_ id: String, is expected: Int? = nil, _ body: @escaping @Sendable () throws -> Int) -> Benchmark {
        Benchmark(id, decides: "Whether a planted change is seen.") {
            var result = 0
            return Workload(check: { try expected.map { try confirm(result, is: $0) } ?? true }) {
                result = try body()
                blackHole(result)
            }
        }
    }

    /// Subscribes to a finite sequence so many times, and checks how many elements arrive.
    fileprivate static func stream<Element>(
        _ id: String, subscriptions: Int = 1, expecting expected: Int,
        _ assemble: @escaping @Sendable () -> Observable<Element>
    ) -> Benchmark {
        Benchmark(id, decides: "Whether a planted change is seen.") {
            let sequence = hidden(assemble())
            let received = Count()
            return Workload(check: { try confirm(received.last, is: expected) }) {
                for _ in 0..<subscriptions { _ = sequence.subscribe(onNext: { _ in received.add() }) }
                received.take()
            }
        }
    }

    /// Sends a thousand integers to a subscription that was made in set-up, and checks how many elements arrive.
    fileprivate static func push<Subject: SubjectType, Element>(
        _ id: String, through make: @escaping @autoclosure @Sendable () -> Subject, expecting expected: Int,
        _ assemble: @escaping @Sendable (Observable<Int>) -> Observable<Element>
    ) -> Benchmark where Subject.Element == Int, Subject.Observer.Element == Int {
        Benchmark(id, decides: "Whether a planted change is seen.") {
            let subject = make()
            let observer = subject.asObserver()
            let received = Count()
            let subscription = hidden(assemble(subject.asObservable())).subscribe(onNext: { _ in received.add() })
            received.take()
            return Workload(check: { try confirm(received.last, is: expected) }, tearDown: { subscription.dispose() }) {
                for value in 0..<1_000 { observer.onNext(value) }
                received.take()
            }
        }
    }
}

/// How many elements have arrived, behind a pointer: a captured variable takes 90 instructions an event.
private final class Count {
    private let cell = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    private(set) var last = 0

    init() { cell.initialize(to: 0) }

    deinit { cell.deallocate() }

    @inline(__always) func add() { cell.pointee &+= 1 }

    /// Begins to count again.
    func take() {
        last = cell.pointee
        cell.pointee = 0
        blackHole(last)
    }
}
