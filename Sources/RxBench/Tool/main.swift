import OperatorBenchmarks
import RxBench
import RxBenchCommands

// Stands in until the real suites are plugged in.
let selfCheck = Suite(
    "Self-check",
    [
        Benchmark("harness/loop/empty", decides: "Whether the harness adds cost of its own.", tags: ["harness"], operations: 10_000) {
            Workload { for n in 0..<10_000 { blackHole(n) } }
        },
        Benchmark(
            "harness/array/append?count=1000", decides: "Whether growing an array shows its reallocations.", tags: ["harness"],
            operations: 1_000, relativeTo: "harness/loop/empty"
        ) {
            Workload {
                var numbers: [Int] = []
                for n in 0..<1_000 { numbers.append(n) }
                blackHole(numbers)
            }
        },
        Benchmark("harness/heap/allocation?bytes=32", decides: "Whether counts of allocations are exact.", tags: ["harness"], operations: 1_000) {
            Workload {
                for _ in 0..<1_000 {
                    let block = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
                    blackHole(block)
                    block.deallocate()
                }
            }
        },
    ])

RxBenchMain.run([operatorSuite, selfCheck])
