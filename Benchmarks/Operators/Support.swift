import Rx
import RxBench

/// Storage for the sum of the elements that a benchmark's observer receives.
///
/// A pointer, because an observer that adds to a captured variable spends 90 instructions an event on exclusivity
/// checks. Observers are written at the call to `subscribe`, as `{ cell.pointee &+= $0 }`: passing a closure on to a
/// generic parameter would wrap it again, which does not happen in users' code.
final class Sum {
    let cell: UnsafeMutablePointer<Int>

    init() {
        cell = .allocate(capacity: 1)
        cell.initialize(to: 0)
    }

    deinit { cell.deallocate() }

    /// Returns and resets the sum since the last call.
    func take() -> Int {
        defer { cell.pointee = 0 }
        return cell.pointee
    }
}

/// Hides an observable's origin from the optimiser, as a library boundary would.
@inline(never)
func hidden<Element>(_ observable: Observable<Element>) -> Observable<Element> { opaque(observable) }

/// Returns a `create` that sends `count` integers in one loop: the cheapest possible source.
@inline(never)
func integers(_ count: Int) -> Observable<Int> {
    .create { observer in
        for value in 0..<count { observer.onNext(value) }
        observer.onCompleted()
        return Disposables.create()
    }
}

/// An operator in a chain over integers, and its name.
struct Step: Sendable {
    let name: String
    let apply: @Sendable (Observable<Int>) -> Observable<Int>

    init(_ name: String, _ apply: @escaping @Sendable (Observable<Int>) -> Observable<Int>) {
        self.name = name
        self.apply = apply
    }
}

/// Returns a growing chain that starts with `integers(elements)`, with one stage for each of `steps`.
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
    /// A benchmark that subscribes to a finite synchronous sequence in each iteration, and checks the elements.
    ///
    /// - Parameters:
    ///   - elements: The number of elements that the source sends: the operations of one iteration.
    ///   - expecting: The number of elements that the observer receives.
    ///   - allocations: The budget of an iteration: the allocations of its subscription. An element takes none.
    ///   - bar: The limit of the time for one element, in nanoseconds.
    ///   - assemble: Makes the sequence. It is called once, in set-up.
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
    /// - Parameter allocations: The budget of an iteration: 0, unless the operator makes inner sequences.
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
