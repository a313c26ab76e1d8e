// plant: Call 2,000 stops the program.
// twin: A call that never comes would stop it.
// expected: failed: Its process crashed with signal
// exit: 3
// all:
// Unsafe: benchmarks run on one thread.
nonisolated(unsafe) private var calls = 0

/// The sum of the numbers below a thousand.
public func crash() -> Int {
    calls += 1
    // planted:
    precondition(calls != 2_000)
    // twin:
    precondition(calls > 0)
    // all:
    return sum(below: 1_000)
}
