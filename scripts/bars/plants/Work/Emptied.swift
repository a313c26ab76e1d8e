// plant: A call does nothing.
// twin: A call names its result before it returns it.
// expected: failed: Its check expected 499500 and got 0
// exit: 3
// all:
/// The sum of the numbers below a thousand.
public func emptied() -> Int {
    // base:
    sum(below: 1_000)
    // planted:
    0
    // twin:
    let result = sum(below: 1_000)
    return result
    // all:
}
