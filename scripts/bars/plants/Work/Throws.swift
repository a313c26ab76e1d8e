// plant: Call 2,000 throws an error.
// twin: A call that never comes would throw.
// expected: failed: An iteration threw
// exit: 3
// all:
struct Refused: Error {}

// Unsafe: benchmarks run on one thread.
nonisolated(unsafe) private var calls = 0

/// The sum of the numbers below a thousand.
public func throwing() throws -> Int {
    calls += 1
    // planted:
    if calls == 2_000 { throw Refused() }
    // twin:
    if calls < 0 { throw Refused() }
    // all:
    return sum(below: 1_000)
}
