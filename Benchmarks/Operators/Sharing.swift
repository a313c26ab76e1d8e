import Rx
import RxBench

/// Operators that share one subscription between many subscribers, and subjects that store elements.
let sharing: [Benchmark] = [
    .push(
        "operator/share", decides: "Whether a sequence may be shared just in case.", tags: ["share"], expecting: 1_000,
        relativeTo: "operator/map"
    ) { $0.share() },
    .push(
        "operator/share?replay=1", decides: "What remembering the latest element costs.", tags: ["share"],
        expecting: 1_000, relativeTo: "operator/share"
    ) {
        $0.share(replay: 1)
    },
    replaying(observers: 2),
    .push(
        "operator/multicast/selector", decides: "What using a sequence several times within one subscription costs.",
        tags: ["share"], expecting: 2_000
    ) {
        $0.multicast({ PublishSubject<Int>() }, selector: { Observable.merge($0, $0.map { $0 &+ 1 }) })
    },
    connecting("operator/share/connect", decides: "What a shared sequence costs that has one subscriber at a time.") {
        $0.share()
    },
    connecting("operator/ref-count/connect", decides: "Whether publish and refCount cost more than share.") {
        $0.publish().refCount()
    },
    multicast(observers: 10), multicast(observers: 100),
    remembering("operator/subject/behavior", decides: "What keeping the latest value costs.") {
        BehaviorSubject(value: 0)
    },
    replay(buffer: 10), replay(buffer: 1_000),
    asyncSubject,
]

private func replaying(observers: Int) -> Benchmark {
    Benchmark(
        "operator/share?replay=1&observers=\(observers)",
        decides: "What one more subscriber to a replayed value costs.",
        tags: ["share"], operations: 1_000, limits: [.allocationsPerIteration(atMost: 0)]
    ) {
        let source = PublishSubject<Int>()
        let shared = hidden(source.share(replay: 1))
        let sum = Sum()
        let cell = sum.cell
        let subscriptions = (0..<observers).map { _ in shared.subscribe(onNext: { cell.pointee &+= $0 }) }
        var total = 0
        return Workload(
            check: { try confirm(total, is: observers * 499_500) }, tearDown: { subscriptions.forEach { $0.dispose() } }
        ) {
            for value in 0..<1_000 { source.onNext(value) }
            total = sum.take()
            blackHole(total)
        }
    }
}

/// Subscribes and disposes, which connects and disconnects the source.
private func connecting(
    _ id: String, decides: String, assemble: @escaping @Sendable (Observable<Int>) -> Observable<Int>
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["share", "subscribe"], operations: 1_000) {
        let subject = PublishSubject<Int>()
        let sequence = hidden(assemble(subject))
        let sum = Sum()
        let cell = sum.cell
        var received = 0
        return Workload(check: { try confirm(received, is: 1) && !subject.hasObservers }) {
            for _ in 0..<999 { sequence.subscribe(onNext: { cell.pointee &+= $0 }).dispose() }
            let last = sequence.subscribe(onNext: { cell.pointee &+= $0 })
            subject.onNext(1)
            last.dispose()
            received = sum.take()
        }
    }
}

private func multicast(observers: Int) -> Benchmark {
    Benchmark(
        "operator/multicast?observers=\(observers)", decides: "What a connection adds to sending to many.",
        tags: ["share"], operations: 1_000,
        relativeTo: "operator/subject/publish?observers=\(observers)"
    ) {
        let source = PublishSubject<Int>()
        let shared = source.multicast(PublishSubject<Int>())
        let sum = Sum()
        let cell = sum.cell
        let subscriptions =
            (0..<observers).map { _ in shared.subscribe(onNext: { cell.pointee &+= $0 }) } + [shared.connect()]
        var total = 0
        return Workload(
            check: { try confirm(total, is: observers * 499_500) }, tearDown: { subscriptions.forEach { $0.dispose() } }
        ) {
            for value in 0..<1_000 { source.onNext(value) }
            total = sum.take()
            blackHole(total)
        }
    }
}

private func replay(buffer: Int) -> Benchmark {
    remembering("operator/subject/replay?buffer=\(buffer)", decides: "What keeping the most recent values costs.") {
        ReplaySubject.create(bufferSize: buffer)
    }
}

/// Sends to one observer.
private func remembering<Subject: SubjectType & ObserverType & SendableMetatype>(
    _ id: String, decides: String, make: @escaping @Sendable () -> Subject
) -> Benchmark where Subject.Element == Int {
    Benchmark(
        id, decides: decides, tags: ["subject"], operations: 1_000, relativeTo: "operator/subject/publish?observers=1"
    ) {
        let subject = make()
        let sum = Sum()
        let cell = sum.cell
        let subscription = subject.subscribe(onNext: { cell.pointee &+= $0 })
        var total = 0
        return Workload(check: { try confirm(total, is: 499_500) }, tearDown: subscription.dispose) {
            for value in 0..<1_000 { subject.onNext(value) }
            total = sum.take()
            blackHole(total)
        }
    }
}

/// An asynchronous subject sends nothing until it completes, so each iteration needs a new subject.
private let asyncSubject = Benchmark(
    "operator/subject/async", decides: "What keeping only the last value costs.", tags: ["subject"], operations: 1_000
) {
    let sum = Sum()
    let cell = sum.cell
    var received = 0
    return Workload(check: { try confirm(received, is: 999) }) {
        let subject = AsyncSubject<Int>()
        _ = subject.subscribe(onNext: { cell.pointee &+= $0 })
        for value in 0..<1_000 { subject.onNext(value) }
        subject.onCompleted()
        received = sum.take()
        blackHole(received)
    }
}
