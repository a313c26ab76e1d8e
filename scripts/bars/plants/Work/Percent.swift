// plant: 1 % more steps.
// twin: The number of steps is the sum of two.
// expected: slower
// exit: 1
// margin: 0.5
// twin-margin: 2
// all:
/// Some thousand steps.
public func percent() -> Int {
    // base:
    steps(10_000)
    // planted:
    steps(10_100)
    // twin:
    steps(9_000 + 1_000)
    // all:
}
