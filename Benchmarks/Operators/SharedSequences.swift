import Rx
import RxBench

/// Relays, bindings and the sequences of user interfaces. Workers send on the main queue, so that no element waits for
/// a turn. A turn on that queue takes one allocation.
let sharedSequences: [Benchmark] = [
    accepting(
        "operator/relay/publish", decides: "Whether a relay costs more than a subject.",
        relativeTo: "operator/subject/publish?observers=1"
    ) {
        let relay = PublishRelay<Int>()
        return (relay, relay.accept)
    },
    accepting(
        "operator/relay/behavior", decides: "What keeping the latest value costs.", relativeTo: "operator/relay/publish"
    ) {
        let relay = BehaviorRelay(value: 0)
        return (relay, relay.accept)
    },
    accepting(
        "operator/relay/bind", decides: "What a binding between two relays costs.", relativeTo: "operator/relay/publish"
    ) {
        let source = PublishRelay<Int>()
        let target = PublishRelay<Int>()
        let binding = source.bind(to: target)
        return (target.do(onDispose: binding.dispose), source.accept)
    },
    replay(buffer: 10), replay(buffer: 1_000),
    .push(
        "operator/driver", decides: "What a driver costs: the way through the main scheduler, and sharing.",
        tags: ["shared"], expecting: 1_000, relativeTo: "operator/map", allocations: 1_000
    ) {
        $0.asDriver(onErrorJustReturn: 0).asObservable()
    },
    .push(
        "operator/driver/map", decides: "What an operator of a driver adds: that of an observable, and sharing.",
        tags: ["shared"], expecting: 1_000, relativeTo: "operator/driver", allocations: 1_000
    ) {
        $0.asDriver(onErrorJustReturn: 0).map { $0 &+ 1 }.asObservable()
    },
    .push(
        "operator/signal/map", decides: "What sharing without a replay saves.", tags: ["shared"], expecting: 1_000,
        relativeTo: "operator/driver/map", allocations: 1_000
    ) {
        $0.asSignal(onErrorJustReturn: 0).map { $0 &+ 1 }.asObservable()
    },
    .push(
        "operator/driver/flat-map-latest", decides: "What an inner driver for each element costs.", tags: ["shared"],
        expecting: 1_000, relativeTo: "operator/driver/map", allocations: nil
    ) {
        $0.asDriver(onErrorJustReturn: 0).flatMapLatest { Driver.just($0 ^ 3) }.asObservable()
    },
    merging(drivers: 2), merging(drivers: 8),
    subscribeAndDispose("operator/subscribe/driver", decides: "What a driver takes on its way to the main scheduler.") {
        $0.asDriver(onErrorDriveWith: .empty()).asObservable()
    },
    .push(
        "operator/control-property", decides: "What going through a control's property costs.", tags: ["shared"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        ControlProperty(values: $0, valueSink: AnyObserver<Int> { _ in }).asObservable()
    },
]

private func replay(buffer: Int) -> Benchmark {
    accepting(
        "operator/relay/replay?buffer=\(buffer)", decides: "What keeping the most recent values costs.",
        relativeTo: "operator/relay/publish"
    ) {
        let relay = ReplayRelay<Int>.create(bufferSize: buffer)
        return (relay.asObservable(), relay.accept)
    }
}

/// Each element passes through all drivers.
private func merging(drivers count: Int) -> Benchmark {
    .push(
        "operator/driver/merge?sources=\(count)", decides: "What one more driver costs that is merged.",
        tags: ["shared"], expecting: 1_000 * count, relativeTo: "operator/driver", allocations: nil
    ) { source in
        Driver.merge((0..<count).map { _ in source.asDriver(onErrorJustReturn: 0) }).asObservable()
    }
}

/// Sends through a relay to one observer.
private func accepting(
    _ id: String, decides: String, relativeTo baseline: String,
    make: @escaping @Sendable () -> (Observable<Int>, (Int) -> Void)
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["relay"], operations: 1_000, relativeTo: baseline) {
        let (sequence, accept) = make()
        let sum = Sum()
        let cell = sum.cell
        let subscription = sequence.subscribe(onNext: { cell.pointee &+= $0 })
        var total = 0
        return Workload(check: { try confirm(total, is: 499_500) }, tearDown: subscription.dispose) {
            for value in 0..<1_000 { accept(value) }
            total = sum.take()
            blackHole(total)
        }
    }
}
