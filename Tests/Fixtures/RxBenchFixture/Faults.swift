import Foundation
import RxBench
import RxBenchEngine
import RxBenchRaces
import Synchronization

/// The number of resources that a fixture has taken and not released.
enum Ledger {
    static let live = Atomic<Int>(0)
}

struct PlantedError: Error, CustomStringConvertible {
    let description = "planted"
}

func allocate(_ count: Int, bytes: Int) {
    for _ in 0..<count {
        let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        blackHole(block)
        block.deallocate()
    }
}

let measured = Suite(
    "Measured",
    [
        Benchmark("fixture/loop/short", decides: "Nothing: clean.", tags: ["clean"], operations: 1_000) {
            Workload { for n in 0..<1_000 { blackHole(n) } }
        },
        Benchmark(
            "fixture/loop/long", decides: "Nothing: ten times the work.", operations: 1_000,
            relativeTo: "fixture/loop/short"
        ) {
            Workload { for n in 0..<10_000 { blackHole(n) } }
        },
        Benchmark(
            "fixture/heap/exact", decides: "Nothing: a thousand blocks of 32 bytes.", tags: ["clean"], operations: 1_000
        ) {
            Workload { allocate(1_000, bytes: 32) }
        },
        // FIXTURE_EXTRA plants one more allocation, the regression that a comparison must find.
        Benchmark("fixture/heap/extra", decides: "Nothing: a regression on demand.") {
            let count = ProcessInfo.processInfo.environment["FIXTURE_EXTRA"] == nil ? 3 : 4
            return Workload { allocate(count, bytes: 32) }
        },
        // FIXTURE_EXTRA plants fewer allocations, half of which are never freed.
        Benchmark("fixture/keeping/half", decides: "Nothing: a leak on demand.") {
            let isPlanted = ProcessInfo.processInfo.environment["FIXTURE_EXTRA"] != nil
            return Workload {
                allocate(isPlanted ? 3 : 10, bytes: 32)
                for _ in 0..<(isPlanted ? 3 : 0) {
                    blackHole(UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16))
                }
            }
        },
        // FIXTURE_EXTRA plants a tenth of a per cent more steps.
        Benchmark("fixture/loop/extra", decides: "Nothing: a regression on demand.", operations: 100_000) {
            let count = ProcessInfo.processInfo.environment["FIXTURE_EXTRA"] == nil ? 100_000 : 100_100
            return Workload { for n in 0..<count { blackHole(n) } }
        },
        // A chain of loops, whose second stage takes ten times the steps of the first.
        Benchmark(
            "fixture/stages/known", decides: "Nothing: a chain of known costs.", operations: 1_000,
            stages: [
                Stage("short", subscribing: { Workload { allocate(3, bytes: 32) } }) {
                    Workload { for n in 0..<1_000 { blackHole(n) } }
                },
                Stage("long", subscribing: { Workload { allocate(5, bytes: 32) } }) {
                    Workload {
                        allocate(2, bytes: 32)
                        for n in 0..<10_000 { blackHole(n) }
                    }
                },
            ]
        ) { Workload { for n in 0..<10_000 { blackHole(n) } } },
        Benchmark("fixture/heap/threads", decides: "Nothing: another thread allocates.") {
            Workload {
                let thread = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    allocate(50, bytes: 32)
                    thread.signal()
                }
                thread.wait()
            }
        },
        Benchmark("fixture/latency/known", decides: "Nothing: a known distribution.", tags: ["clean"], operations: 100)
        {
            Workload.latencies { recorder in for n in 1...100 { recorder.record(nanoseconds: UInt64(n)) } }
        },
        Benchmark("fixture/print/noise", decides: "Nothing: prints to standard output.", tags: ["clean"]) {
            Workload { print("noise") }
        },
    ])

let failing = Suite(
    "Failing",
    [
        Benchmark("fixture/fail/set-up", decides: "Nothing.", tags: ["fault"]) { throw PlantedError() },
        Benchmark("fixture/fail/iteration", decides: "Nothing.", tags: ["fault"]) { Workload { throw PlantedError() } },
        Benchmark("fixture/fail/check", decides: "Nothing.", tags: ["fault"]) { Workload(check: { false }) {} },
        // Enough iterations for the first check, but not for the last.
        tiring("fixture/fail/tiring", tags: ["fault"], after: 3),
        tiring("fixture/tireless", after: .max),
        Benchmark("fixture/fail/exit", decides: "Nothing.", tags: ["fault"]) { Workload { exit(7) } },
        Benchmark("fixture/fail/crash", decides: "Nothing.", tags: ["fault"]) { Workload { abort() } },
        Benchmark("fixture/fail/silent", decides: "Nothing.", tags: ["fault"]) { Workload.latencies { _ in } },
        Benchmark("fixture/hang/forever", decides: "Nothing.") { Workload { while true { blackHole(0) } } },
        Benchmark("fixture/hang/interrupt", decides: "Nothing: asks the tool to end.") {
            let signal = ProcessInfo.processInfo.environment["FIXTURE_SIGNAL"] == "INT" ? SIGINT : SIGTERM
            return Workload {
                kill(getppid(), signal)
                while true { blackHole(0) }
            }
        },
        Benchmark("fixture/leak/planted", decides: "Nothing: keeps what it takes.") {
            Workload { Ledger.live.add(1, ordering: .relaxed) }
        },
        Benchmark("fixture/leak/clean", decides: "Nothing: gives back what it takes.", tags: ["clean"]) {
            Workload {
                Ledger.live.add(1, ordering: .relaxed)
                Ledger.live.subtract(1, ordering: .relaxed)
            }
        },
    ])

private final class Counter: Sendable {
    let value = Atomic<Int>(0)
}

private func race(_ id: String, tags: [String], increment: @escaping @Sendable (Counter) -> Void) -> Benchmark {
    // Few rounds: the actors meet in each round. While other tests keep the cores busy, every meeting waits until both
    // actors run.
    RaceScenario(
        id, decides: "Nothing: two increments.", tags: tags, rounds: 50, makeState: { Counter() },
        actors: [increment, increment],
        finish: { $0.value.load(ordering: .relaxed) == 2 ? .acceptable("both counted") : .forbidden("lost update") }
    ).benchmark
}

let racing = Suite(
    "Racing",
    [
        race("fixture/race/load-then-store", tags: ["fault"]) { counter in
            let seen = counter.value.load(ordering: .relaxed)
            // On a busy machine the two instructions may not overlap for seconds. Giving up the core between them makes
            // the overlap certain. 'sched_yield' may return at once although other threads wait.
            usleep(1)
            counter.value.store(seen + 1, ordering: .relaxed)
        },
        race("fixture/race/add", tags: ["clean"]) { $0.value.add(1, ordering: .relaxed) },
        race("fixture/race/trap", tags: ["fault"]) { _ in fatalError("met") },
    ])

/// Overwrites a file repeatedly, alternating between all `b` and all `a`, until a thread kills the process after
/// `spins` steps.
func writeAndDie(path: String, spins: Int) -> Never {
    do { try AtomicFile.write([UInt8](repeating: UInt8(ascii: "a"), count: 300_000), to: path) } catch { exit(1) }
    Thread.detachNewThread {
        for step in 0..<spins { blackHole(step) }
        kill(getpid(), SIGKILL)
    }
    while true {
        for letter in [UInt8(ascii: "b"), UInt8(ascii: "a")] {
            do { try AtomicFile.write([UInt8](repeating: letter, count: 300_000), to: path) } catch { exit(1) }
        }
    }
}
