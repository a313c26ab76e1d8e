import Rx
import RxBench

/// Sending to many observers.
let subjects: [Benchmark] = [1, 2, 10, 100].map { observers in
    Benchmark(
        "operator/subject/publish?observers=\(observers)",
        decides: "How the cost of an event grows with its observers (bar: 15 ns with one).", tags: ["subject"],
        operations: 1_000,
        limits: [.allocationsPerIteration(atMost: 0)] + (observers == 1 ? [.time(atMostNanoseconds: 15)] : [])
    ) {
        let subject = PublishSubject<Int>()
        let sum = Sum()
        let cell = sum.cell
        let subscriptions = (0..<observers).map { _ in subject.subscribe(onNext: { cell.pointee &+= $0 }) }
        var total = 0
        return Workload(
            check: { try confirm(total, is: observers * 499_500) }, tearDown: { subscriptions.forEach { $0.dispose() } }
        ) {
            for value in 0..<1_000 { subject.onNext(value) }
            total = sum.take()
            blackHole(total)
        }
    }
}

/// The cost of a subject by its number of observers. Each does 1,000 operations, or one for each observer if more.
let subjectCurves: [Benchmark] = [10, 1_000, 100_000].flatMap { observers in
    [sending(observers: observers), joining(observers: observers)]
        + Order.allCases.map { leaving(observers: observers, in: $0) }
}

private func sending(observers: Int) -> Benchmark {
    let deliveries = max(1_000, observers)
    return Benchmark(
        "operator/subject/send?observers=\(observers)", decides: "Whether a delivery costs the same among many.",
        tags: ["subject", "curve"], operations: deliveries, limits: [.allocationsPerIteration(atMost: 0)]
    ) {
        let crowd = Crowd(observers)
        crowd.join()
        var total = 0
        return Workload(check: { try confirm(total, is: deliveries) }, tearDown: { crowd.leave(in: .first) }) {
            for _ in 0..<deliveries / observers { crowd.subject.onNext(1) }
            total = crowd.sum.take()
        }
    }
}

/// Subscribes all observers, and releases them together with their subject.
private func joining(observers: Int) -> Benchmark {
    let rounds = max(1, 1_000 / observers)
    return Benchmark(
        "operator/subject/subscribe?observers=\(observers)", decides: "Whether subscribing costs the same among many.",
        tags: ["subject", "subscribe", "curve"], operations: rounds * observers
    ) {
        let crowd = Crowd(observers)
        return Workload(check: { !crowd.subject.hasObservers }) {
            for _ in 0..<rounds {
                crowd.join()
                crowd.subject.onCompleted()
                crowd.renew()
            }
        }
    }
}

/// Subscribes all observers, and disposes them one by one.
private func leaving(observers: Int, in order: Order) -> Benchmark {
    let rounds = max(1, 1_000 / observers)
    return Benchmark(
        "operator/subject/dispose?order=\(order.rawValue)&observers=\(observers)",
        decides: "Whether leaving costs the same among many, whoever goes first.",
        tags: ["subject", "subscribe", "curve"], operations: rounds * observers
    ) {
        let crowd = Crowd(observers)
        return Workload(check: { !crowd.subject.hasObservers }) {
            for _ in 0..<rounds {
                crowd.join()
                crowd.leave(in: order)
            }
        }
    }
}

/// The order in which the observers leave.
private enum Order: String, CaseIterable {
    case first, last, random
}

/// The observers of one subject, and storage for their subscriptions.
private final class Crowd {
    private(set) var subject = PublishSubject<Int>()
    let sum = Sum()
    private let size: Int
    private var subscriptions: [any Disposable] = []
    /// The shuffled order, which is the same in each process.
    private let shuffled: [Int]

    init(_ size: Int) {
        self.size = size
        subscriptions.reserveCapacity(size)
        var generator = SplitMix()
        shuffled = (0..<size).shuffled(using: &generator)
    }

    func join() {
        let cell = sum.cell
        // A different body from other observers: otherwise the compiler would make one closure call the other.
        for _ in 0..<size { subscriptions.append(subject.subscribe(onNext: { _ in cell.pointee &+= 1 })) }
    }

    func leave(in order: Order) {
        switch order {
        case .first: for index in 0..<size { subscriptions[index].dispose() }
        case .last: for index in (0..<size).reversed() { subscriptions[index].dispose() }
        case .random: for index in shuffled { subscriptions[index].dispose() }
        }
        subscriptions.removeAll(keepingCapacity: true)
    }

    /// Continues with a new subject that has not ended.
    func renew() {
        subscriptions.removeAll(keepingCapacity: true)
        subject = PublishSubject()
    }
}

/// A generator of numbers that are sufficiently random for a shuffle.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
