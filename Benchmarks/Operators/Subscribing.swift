import Rx
import RxBench

/// What a subscription costs, from assembly to dispose.
let subscribing: [Benchmark] = [
    subscribeAndDispose("operator/subscribe/subject", decides: "The floor of subscribe and dispose (bar: 6 allocations).", tags: ["bar"]) { $0 },
    subscribeAndDispose("operator/subscribe/subject-map", decides: "What one operator adds to subscribe and dispose.") { $0.map { $0 &+ 1 } },
    subscribeAndDispose("operator/subscribe/chain?depth=6", decides: "Whether a subscription grows by one allocation an operator.", tags: ["bar"]) {
        $0.map { $0 &+ 1 }.filter { $0 > 0 }.scan(0) { $0 &+ $1 }.map { $0 ^ 5 }.enumerated().map { $0.element }
    },
    Benchmark("operator/subscribe/assembly?depth=6", decides: "Whether to keep an assembled sequence or to build it per use.", tags: ["subscribe"], operations: 1_000) {
        let subject = PublishSubject<Int>()
        let sum = Sum()
        let cell = sum.cell
        return Workload {
            for _ in 0..<1_000 {
                let sequence = subject.map { $0 &+ 1 }.filter { $0 > 0 }.scan(0) { $0 &+ $1 }.map { $0 ^ 5 }.enumerated().map { $0.element }
                sequence.subscribe(onNext: { cell.pointee &+= $0 }).dispose()
            }
            blackHole(sum.take())
        }
    },
    Benchmark("operator/subscribe/bag?subscriptions=100", decides: "What keeping subscriptions in a bag costs.", tags: ["subscribe"], operations: 100) {
        let subject = PublishSubject<Int>()
        let sum = Sum()
        let cell = sum.cell
        return Workload(check: { !subject.hasObservers }) {
            let bag = DisposeBag()
            for _ in 0..<100 { subject.subscribe(onNext: { cell.pointee &+= $0 }).disposed(by: bag) }
            blackHole(bag)
        }
    },
]

private func subscribeAndDispose<Element>(
    _ id: String, decides: String, tags: [String] = [], assemble: @escaping @Sendable (Observable<Int>) -> Observable<Element>
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["subscribe"] + tags, operations: 1_000) {
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
