import Rx
import RxBench

/// Sending to many.
let subjects: [Benchmark] = publishing + relays

private let publishing = [1, 2, 10, 100].map { observers in
    Benchmark(
        "operator/subject/publish?observers=\(observers)",
        decides: "How the cost of an event grows with its observers (bar: 15 ns with one).", tags: ["subject"], operations: 1_000,
        limits: [.allocationsPerIteration(atMost: 0)] + (observers == 1 ? [.time(atMostNanoseconds: 15)] : [])
    ) {
        let subject = PublishSubject<Int>()
        let sum = Sum()
        let cell = sum.cell
        let subscriptions = (0..<observers).map { _ in subject.subscribe(onNext: { cell.pointee &+= $0 }) }
        var total = 0
        return Workload(check: { total == observers * 499_500 }, tearDown: { subscriptions.forEach { $0.dispose() } }) {
            for value in 0..<1_000 { subject.onNext(value) }
            total = sum.take()
            blackHole(total)
        }
    }
}

private let relays: [Benchmark] = [
    relaying("operator/relay/publish", decides: "Whether a relay costs more than the subject in it.") { PublishRelay<Int>() } accept: { $0.accept($1) },
    relaying("operator/relay/behavior", decides: "What the latest value costs in a relay.") { BehaviorRelay(value: 0) } accept: { $0.accept($1) },
    relaying("operator/relay/replay?buffer=10", decides: "What the most recent values cost in a relay.") { ReplayRelay<Int>.create(bufferSize: 10) } accept: { $0.accept($1) },
    .push("operator/relay/bind", decides: "What going on through a relay adds to subscribing.", tags: ["subject"], expecting: 1_000, relativeTo: "operator/map") { source in
        .create { observer in
            let relay = PublishRelay<Int>()
            let subscription = relay.subscribe(observer)
            return Disposables.create(source.bind(to: relay), subscription)
        }
    },
]

/// Sends to one observer.
private func relaying<Relay: ObservableType & SendableMetatype>(
    _ id: String, decides: String, make: @escaping @Sendable () -> Relay, accept: @escaping @Sendable (Relay, Int) -> Void
) -> Benchmark where Relay.Element == Int {
    Benchmark(id, decides: decides, tags: ["subject"], operations: 1_000, relativeTo: "operator/subject/publish?observers=1") {
        let relay = make()
        let sum = Sum()
        let cell = sum.cell
        let subscription = relay.subscribe(onNext: { cell.pointee &+= $0 })
        var total = 0
        return Workload(check: { total == 499_500 }, tearDown: subscription.dispose) {
            for value in 0..<1_000 { accept(relay, value) }
            total = sum.take()
            blackHole(total)
        }
    }
}
