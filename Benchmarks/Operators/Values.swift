import Rx
import RxBench

/// Elements that are expensive to copy.
let values: [Benchmark] = [
    sending(
        "operator/map/text", decides: "Whether a string costs more than its reference count.",
        value: opaque("a text that is longer than fifteen bytes"), expecting: 1_000
    ) { $0.map { $0.isEmpty ? "" : $0 } },
    sending(
        "operator/subject/large?bytes=256", decides: "Whether an element of many words is copied more than once.",
        value: Large(), expecting: 1_000
    ) { $0 },
    sending(
        "operator/map/large?bytes=256", decides: "Whether map moves what it makes of an element.", value: Large(),
        expecting: 1_000
    ) { $0.map { $0.next } },
    sending(
        "operator/filter/large?bytes=256", decides: "Whether filter leaves an element where it is.", value: Large(),
        expecting: 1_000
    ) { $0.filter { $0.first >= 0 } },
]

/// A value of 256 bytes that contains no references.
private struct Large: Sendable {
    private typealias Eight = (Int, Int, Int, Int, Int, Int, Int, Int)
    private(set) var first = 1
    private let others: (Int, Int, Int, Int, Int, Int, Int) = (2, 3, 4, 5, 6, 7, 8)
    private let rest: (Eight, Eight, Eight) = (
        (1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 3, 4, 5, 6, 7, 8)
    )

    var next: Large {
        var next = self
        next.first &+= 1
        return next
    }
}

/// Sends one value 1,000 times.
private func sending<Value: Sendable>(
    _ id: String, decides: String, value: Value, expecting expected: Int,
    assemble: @escaping @Sendable (Observable<Value>) -> Observable<Value>
) -> Benchmark {
    Benchmark(
        id, decides: decides, tags: ["stateless", "values"], operations: 1_000, relativeTo: "operator/map",
        limits: [.allocationsPerIteration(atMost: 0)]
    ) {
        let subject = PublishSubject<Value>()
        let sum = Sum()
        let cell = sum.cell
        let subscription = hidden(assemble(subject)).subscribe(onNext: { _ in cell.pointee &+= 1 })
        var received = 0
        return Workload(check: { try confirm(received, is: expected) }, tearDown: subscription.dispose) {
            for _ in 0..<1_000 { subject.onNext(value) }
            received = sum.take()
            blackHole(received)
        }
    }
}
