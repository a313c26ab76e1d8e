// plant: 0.1 % more steps, less than the margin.
// twin: The number of steps has a name.
// expected: same
// exit: 0
// margin: 1
// twin-margin: 1
// all:
/// Some thousand steps.
public func thousandth() -> Int {
    // base:
    steps(10_000)
    // planted:
    steps(10_010)
    // twin:
    let count = 10_000
    return steps(count)
    // all:
}
