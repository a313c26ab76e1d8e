import CRxBench

/// Makes `value` count as used, so that the optimiser cannot remove the work that produced it.
///
/// ```swift
/// let numbers = opaque([1, 2, 3])
/// let sum = Workload { blackHole(numbers.reduce(0, +)) }
/// ```
/// Costs no call: the value is written to the stack and an empty assembly statement claims to read it.
@inlinable @inline(__always)
public func blackHole<Value>(_ value: Value) {
    withUnsafePointer(to: value) { rxbench_use(UnsafeRawPointer($0)) }
}

/// Returns `value`, which the optimiser from here on takes for unknown.
///
/// ```swift
/// // A loop up to the limit is not folded into its result.
/// let limit = opaque(100_000)
/// ```
@inlinable @inline(__always)
public func opaque<Value>(_ value: Value) -> Value {
    var copy = value
    withUnsafeMutablePointer(to: &copy) { rxbench_use(UnsafeRawPointer($0)) }
    return copy
}
