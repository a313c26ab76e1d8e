import Foundation
import RxBench

/// What is planted in this copy of the code: tests write another word over this one in an image's file. The file's name
/// cannot say it: under callgrind it is not to be had.
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

/// So many numbers, 16 MiB of them: more than a core's own caches hold.
private let places = 1 << 21

/// Follows references through all of memory: in order for the multiplier 1, from anywhere to anywhere for others of its
/// kind, with equal instructions but not in equal time. A linear congruential generator of full period: Hull, Dobell,
/// "Random Number Generators" (SIAM Review 4, 1962).
private func walk(_ id: String, multiplier: Int) -> Benchmark {
    Benchmark(id, decides: "Nothing: half of a comparison.", operations: 1_000) {
        let memory = UnsafeMutablePointer<Int>.allocate(capacity: places)
        for place in 0..<places { memory[place] = (place &* multiplier &+ 1) & (places - 1) }
        var place = 0
        return Workload(tearDown: { memory.deallocate() }, iteration: { for _ in 0..<1_000 { place = memory[place] } })
    }
}

/// Counts to a thousand in each iteration; after so many iterations it does nothing any more.
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

/// Ends its process after some iterations where 'crash' is planted, and never ends where 'hang' is: after the counts,
/// when it is timed.
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

/// Records durations of its own, of 20 µs: 8 µs more where 'late' is planted, and three in a hundred ten times as long
/// where 'tail' is.
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

/// For comparisons of two images: equal work, work that takes half as long again where 'slow' is planted, the same work
/// at other places in memory there, and work that is missing where 'old' is planted.
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
