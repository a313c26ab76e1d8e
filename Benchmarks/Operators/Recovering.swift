import Rx
import RxBench

/// Operators that continue after an error.
let recovering: [Benchmark] = [
    .push(
        "operator/catch", decides: "What standing by for an error costs each element.", tags: ["recover"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.catch { _ in .just(-1) }
    },
    .push(
        "operator/retry-when", decides: "What standing by for another attempt costs each element.", tags: ["recover"],
        expecting: 1_000, relativeTo: "operator/map"
    ) {
        $0.retry(when: { (errors: Observable<any Error>) in errors.take(3) })
    },
    caught,
    retried("operator/retry/error", decides: "What another attempt after an error costs.") { $0.retry(1_000) },
    retried("operator/retry/behavior", decides: "What asking a behavior about each attempt costs.") {
        $0.retry(.immediate(maxCount: 1_000), scheduler: HistoricalScheduler())
    },
]

struct Failure: Error {}

/// Returns a sequence that fails at once. The error is made beforehand, because boxing it takes an allocation.
func failing(_ attempts: UnsafeMutablePointer<Int>) -> Observable<Int> {
    let failure: any Error = Failure()
    return .create { observer in
        attempts.pointee &+= 1
        observer.onError(failure)
        return Disposables.create()
    }
}

private let caught = Benchmark(
    "operator/catch/error", decides: "What going on with another sequence after an error costs.", tags: ["recover"],
    operations: 1_000
) {
    let attempts = Sum()
    let sum = Sum()
    let cell = sum.cell
    let sequence = hidden(failing(attempts.cell).catch { _ in .just(7) })
    var received = 0
    var made = 0
    return Workload(check: { try confirm(received, is: 7_000) && confirm(made, is: 1_000) }) {
        for _ in 0..<1_000 { _ = sequence.subscribe(onNext: { cell.pointee &+= $0 }) }
        received = sum.take()
        made = attempts.take()
        blackHole(received)
    }
}

/// A sequence that is retried until the thousandth attempt has failed.
private func retried(
    _ id: String, decides: String, _ retry: @escaping @Sendable (Observable<Int>) -> Observable<Int>
) -> Benchmark {
    Benchmark(id, decides: decides, tags: ["recover"], operations: 1_000) {
        let attempts = Sum()
        let sum = Sum()
        let cell = sum.cell
        let sequence = hidden(retry(failing(attempts.cell)))
        var errors = 0
        var made = 0
        return Workload(check: { try confirm(errors, is: 1) && confirm(made, is: 1_000) }) {
            _ = sequence.subscribe(onNext: { cell.pointee &+= $0 }, onError: { _ in cell.pointee &+= 1 })
            errors = sum.take()
            made = attempts.take()
            blackHole(errors)
        }
    }
}
