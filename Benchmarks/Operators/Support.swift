import Rx
import RxBench

/// Where a benchmark's observer leaves what it received.
///
/// A pointer, as an observer that adds to a captured variable spends 90 instructions an event on the exclusivity check.
/// Observers are written out where they are subscribed, `{ cell.pointee &+= $0 }`: a closure that is passed around
/// first is wrapped once more to fit a generic parameter, and users do not do that.
final class Sum {
    let cell: UnsafeMutablePointer<Int>

    init() {
        cell = .allocate(capacity: 1)
        cell.initialize(to: 0)
    }

    deinit { cell.deallocate() }

    /// Returns what was added since the last call.
    func take() -> Int {
        defer { cell.pointee = 0 }
        return cell.pointee
    }
}

/// Hides from the optimiser how an observable was made, as a library boundary would.
@inline(never)
func hidden<Element>(_ observable: Observable<Element>) -> Observable<Element> { opaque(observable) }

/// `count` integers from a `create`, in one loop: the cheapest source there is.
@inline(never)
func integers(_ count: Int) -> Observable<Int> {
    .create { observer in
        for value in 0..<count { observer.onNext(value) }
        observer.onCompleted()
        return Disposables.create()
    }
}

/// An operator of a chain over integers, with its name.
struct Step: Sendable {
    let name: String
    let apply: @Sendable (Observable<Int>) -> Observable<Int>

    init(_ name: String, _ apply: @escaping @Sendable (Observable<Int>) -> Observable<Int>) {
        self.name = name
        self.apply = apply
    }
}

/// The growth of a chain from `integers(elements)` on, a stage for each of `steps`.
func stages(of steps: [Step], elements: Int) -> [Stage] {
    (0...steps.count).map { count in
        let grown: @Sendable (Observable<Int>) -> Observable<Int> = { source in
            hidden(steps.prefix(count).reduce(source) { $1.apply($0) })
        }
        return Stage(
            count == 0 ? "source" : "\(count) \(steps[count - 1].name)",
            subscribing: {
                let sequence = grown(PublishSubject<Int>())
                return Workload { for _ in 0..<100 { sequence.subscribe(onNext: { blackHole($0) }).dispose() } }
            }, subscriptions: 100
        ) {
            let sequence = grown(integers(elements))
            let sum = Sum()
            let cell = sum.cell
            return Workload {
                _ = sequence.subscribe(onNext: { cell.pointee &+= $0 })
                blackHole(sum.take())
            }
        }
    }
}

extension Benchmark {
    /// A benchmark that subscribes to a finite synchronous sequence in each iteration, and checks what arrives.
    ///
    /// - Parameters:
    ///   - elements: How many elements the source sends: the operations of one iteration.
    ///   - expecting: How many elements arrive at the observer.
    ///   - allocations: The budget of an iteration: what its one subscription takes, so that an element takes none.
    ///   - bar: Nanoseconds an element may take.
    ///   - assemble: Makes the sequence; called once, in set-up.
    static func stream<Element>(
        _ id: String, decides: String, tags: [String] = [], elements: Int, expecting expected: Int,
        relativeTo baseline: String? = nil,
        allocations: Int? = nil, bar: Double? = nil, assemble: @escaping @Sendable () -> Observable<Element>
    ) -> Benchmark {
        let limits = [allocations.map(Limit.allocationsPerIteration(atMost:)), bar.map(Limit.time(atMostNanoseconds:))]
            .compactMap { $0 }
        return Benchmark(id, decides: decides, tags: tags, operations: elements, relativeTo: baseline, limits: limits) {
            let sequence = hidden(assemble())
            let sum = Sum()
            let cell = sum.cell
            var received = 0
            return Workload(check: { try confirm(received, is: expected) }) {
                _ = sequence.subscribe(onNext: { _ in cell.pointee &+= 1 })
                received = sum.take()
                blackHole(received)
            }
        }
    }

    /// A benchmark that sends `elements` integers through a subject in each iteration, to subscriptions made in set-up.
    ///
    /// - Parameter allocations: The budget of an iteration: none, unless the operator makes inner sequences.
    static func push<Element>(
        _ id: String, decides: String, tags: [String] = [], elements: Int = 1_000, expecting expected: Int,
        relativeTo baseline: String? = nil,
        allocations: Int? = 0, assemble: @escaping @Sendable (Observable<Int>) -> Observable<Element>
    ) -> Benchmark {
        let limits = [allocations.map(Limit.allocationsPerIteration(atMost:))].compactMap { $0 }
        return Benchmark(id, decides: decides, tags: tags, operations: elements, relativeTo: baseline, limits: limits) {
            let subject = PublishSubject<Int>()
            let sum = Sum()
            let cell = sum.cell
            var received = 0
            let subscription = hidden(assemble(subject)).subscribe(onNext: { _ in cell.pointee &+= 1 })
            return Workload(check: { try confirm(received, is: expected) }, tearDown: subscription.dispose) {
                for value in 0..<elements { subject.onNext(value) }
                received = sum.take()
                blackHole(received)
            }
        }
    }
}
