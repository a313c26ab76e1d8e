// plant: Every second step is gone.
// twin: The number of steps is a product.
// expected: faster
// exit: 0
// all:
/// Some thousand steps.
public func removed() -> Int {
    // base:
    steps(4_000)
    // planted:
    steps(2_000)
    // twin:
    steps(2 * 2_000)
    // all:
}
