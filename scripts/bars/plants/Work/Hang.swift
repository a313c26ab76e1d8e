// plant: Call 2,000 does not return.
// twin: A call that never comes would not.
// expected: failed: did not end within 5 s
// exit: 3
// timeout: 5
// all:
import Foundation

// Unsafe: benchmarks run on one thread.
nonisolated(unsafe) private var calls = 0

/// The sum of the numbers below a thousand.
public func hang() -> Int {
    calls += 1
    // planted:
    if calls == 2_000 { sleep(3_600) }
    // twin:
    if calls < 0 { sleep(3_600) }
    // all:
    return sum(below: 1_000)
}
