import Rx
import RxBench

/// Sending to many.
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
