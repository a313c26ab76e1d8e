// plant: One of 50 calls takes 50 times as long; the others are as before.
// twin: One of 50 calls begins to count again, and takes no longer.
// expected: p50 same, p99 slower
// exit: 1
// margin: 25
// twin-margin: 50
// all:
// Unsafe: benchmarks run on one thread.
nonisolated(unsafe) private var calls = 0

/// Some thousand steps: few calls are interrupted by the machine.
public func tail() -> Int {
    calls += 1
    // planted:
    if calls.isMultiple(of: 50) { return steps(100_000) }
    // twin:
    if calls.isMultiple(of: 50) { calls = 0 }
    // all:
    return steps(2_000)
}
