import Foundation
import RxBench

/// The fault that is planted in this copy of the code. Tests overwrite its word in an image's file. The file's name
/// can't carry the fault, because the name isn't available under callgrind.
private let planted: StaticString = "planted in this image: nothing"

private func isPlanted(_ word: String) -> Bool { opaque(planted).description.contains(": \(word).") }

private func loop(_ id: String, steps: Int) -> Benchmark {
    Benchmark(id, decides: "Nothing: half of a comparison.", operations: 1_000) {
        let count = opaque(steps)
        return Workload {
            var value: UInt64 = 1
            for _ in 0..<count { value = opaque(value &* 6_364_136_223_846_793_005 &+ 1) }
            blackHole(value)
        }
    }
}

/// The number of places, which take 16 MiB: more than a core's private caches hold.
private let places = 1 << 21

/// Follows references through all of memory: in order for the multiplier 1, and in scattered order for other
/// multipliers of its kind. The instructions are equal, the times are not. A linear congruential generator of full
/// period: Hull, Dobell, "Random Number Generators" (SIAM Review 4, 1962).
private func walk(_ id: String, multiplier: Int) -> Benchmark {
    Benchmark(id, decides: "Nothing: half of a comparison.", operations: 1_000) {
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: places)
        for place in 0..<places { memory[place] = (place &* multiplier &+ 1) & (places - 1) }
        var place = 0
        return Workload(tearDown: { memory.deallocate() }, iteration: { for _ in 0..<1_000 { place = memory[place] } })
    }
}

/// Counts to a thousand in each iteration. After `limit` iterations it does nothing.
func tiring(_ id: String, tags: [String] = [], after limit: Int) -> Benchmark {
    Benchmark(id, decides: "Nothing: its check is to notice when it stops.", tags: tags, operations: 1_000) {
        var iterations = 0
        var count = 0
        return Workload(check: { try confirm(count, is: 1_000) }) {
            count = 0
            iterations += 1
            guard iterations <= limit else { return }
            for _ in 0..<1_000 { count = opaque(count &+ 1) }
        }
    }
}

/// Aborts after some iterations if 'crash' is planted, and never returns if 'hang' is planted. Both happen after the
/// counts, while the benchmark is timed.
private func doomed(_ id: String) -> Benchmark {
    Benchmark(id, decides: "Nothing: half of a comparison.", operations: 1_000) {
        var iterations = 0
        return Workload {
            iterations += 1
            if iterations > 20, isPlanted("crash") { abort() }
            while iterations > 20, isPlanted("hang") { blackHole(iterations) }
            for step in 0..<1_000 { blackHole(step) }
        }
    }
}

/// Records durations of 20 µs. If 'late' is planted, they are 8 µs longer. If 'tail' is planted, three in a hundred
/// take ten times the usual duration.
private func late(_ id: String) -> Benchmark {
    Benchmark(id, decides: "Nothing: half of a comparison.", operations: 100) {
        let usual: UInt64 = isPlanted("late") ? 28_000 : 20_000
        let longest = isPlanted("tail") ? 10 * usual : usual
        return .latencies { recorder in
            for round in 0..<100 {
                let start = MonotonicClock.nanoseconds
                var elapsed: UInt64 = 0
                while elapsed < (round < 97 ? usual : longest) { elapsed = MonotonicClock.nanoseconds - start }
                recorder.record(nanoseconds: elapsed)
            }
        }
    }
}

/// For comparisons of two images: equal work, work with 1.5 times the steps if 'slow' is planted, work in another order
/// of memory if 'slow' is planted, and work that is missing if 'old' is planted.
let paired = Suite(
    "Paired",
    [
        loop("fixture/paired/steady", steps: 1_000),
        loop("fixture/paired/planted", steps: isPlanted("slow") ? 1_500 : 1_000),
        walk("fixture/paired/scattered", multiplier: isPlanted("slow") ? 1_664_525 : 1),
        tiring("fixture/paired/tiring", after: isPlanted("tired") ? 20 : .max),
        doomed("fixture/paired/doomed"),
        late("fixture/paired/late"),
        Benchmark("fixture/paired/throws", decides: "Nothing: it has no set-up.") { throw CocoaError(.fileNoSuchFile) },
    ] + (isPlanted("old") ? [] : [loop("fixture/paired/new", steps: 1_000)])
        + (isPlanted("fail") ? [tiring("fixture/paired/unfit", after: 0)] : []))
