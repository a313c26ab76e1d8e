import Rx

// The measured code, or the code that calls it, in a separate target: 'ab' compares this target
// between two commits, with the benchmarks of the later one.

/// The even numbers below `count`.
public func evenNumbers(below count: Int) -> Observable<Int> {
    Observable.range(start: 0, count: count).filter { $0.isMultiple(of: 2) }
}

/// Twice each of `numbers`.
public func doubled(_ numbers: Observable<Int>) -> Observable<Int> { numbers.map { $0 * 2 } }
