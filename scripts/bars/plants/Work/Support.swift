// The work that plants add to or take from: the same on all sides, so that no plant moves its loops.

@inline(never) private func add(_ number: Int, to sum: Int) -> Int { sum &+ number }

@inline(never) private func step(_ value: UInt64) -> UInt64 { value &* 6_364_136_223_846_793_005 &+ 1 }

/// The sum of the numbers below `limit`.
@inline(never) func sum(below limit: Int) -> Int {
    var sum = 0
    for number in 0..<limit { sum = add(number, to: sum) }
    return sum
}

/// The given number of steps, each of which needs the previous step.
@inline(never) func steps(_ count: Int) -> Int {
    var value: UInt64 = 1
    for _ in 0..<count { value = step(value) }
    return Int(truncatingIfNeeded: value)
}

/// The sum of the numbers below ten, for benchmarks without a plant.
@inline(never) public func steady() -> Int { sum(below: 10) }
