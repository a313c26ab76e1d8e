import OwnSuiteWork
import Rx
import RxBench
import RxBenchCommands

// Each benchmark: a stable ID, the decision that its figures inform, and the work. Set-up is outside the
// measured closure; 'opaque' hides a value from the optimiser, and 'blackHole' keeps it from removing the work.
RxBenchMain.run([
    Suite(
        "OwnSuite",
        [
            Benchmark(
                "stream/loop", decides: "Nothing. It is the baseline of the pipeline.", operations: 1_000
            ) {
                let count = opaque(1_000)
                return Workload {
                    var sum = 0
                    for number in 0..<count where number.isMultiple(of: 2) { sum = opaque(sum + number) }
                    blackHole(sum)
                }
            },
            Benchmark(
                "stream/pipeline", decides: "Whether the pipeline can replace the loop.",
                operations: 1_000,
                relativeTo: "stream/loop",
                // For 'explain': the pipeline as it grows, one operator at a time.
                stages: [
                    Stage("range") {
                        let count = opaque(1_000)
                        return Workload {
                            _ = Observable.range(start: 0, count: count).subscribe(onNext: { blackHole($0) })
                        }
                    },
                    Stage("filter") {
                        let count = opaque(1_000)
                        return Workload { _ = evenNumbers(below: count).subscribe(onNext: { blackHole($0) }) }
                    },
                ]
            ) {
                let count = opaque(1_000)
                var sum = 0
                // Checked after the first iteration and after the last: work that stops being done is no work
                // that got faster.
                return Workload(check: { try confirm(sum, is: 249_500) }) {
                    sum = 0
                    _ = evenNumbers(below: count).subscribe(onNext: { sum += $0 })
                    blackHole(sum)
                }
            },
            Benchmark(
                "stream/subscribe", decides: "Whether a subscription may be made for every request.",
                operations: 100
            ) {
                let numbers = PublishSubject<Int>()
                let twice = doubled(numbers)
                return Workload { for _ in 0..<100 { twice.subscribe(onNext: { blackHole($0) }).dispose() } }
            },
        ])
])
