/// The number types with which `range`, `timer` and `interval` can count.
public typealias RxAbstractInteger = FixedWidthInteger

extension ObservableType where Element: RxAbstractInteger {
    /// Delivers `count` consecutive numbers that begin with `start`, then completes.
    ///
    ///     _ = Observable.range(start: 3, count: 2).subscribe(onNext: { print($0) })  // 3, 4
    ///
    /// - Parameters:
    ///   - start: the first number.
    ///   - count: 0 or more; the last number, `start + count - 1`, must exist.
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public static func range(start: Element, count: Element) -> Observable<Element> {
        SequenceObservable(walking: ConsecutiveIntegers(from: start, count: count))
    }

    /// Delivers `count` consecutive numbers that begin with `start` on `scheduler`, then completes.
    ///
    /// - Parameters:
    ///   - start: the first number.
    ///   - count: 0 or more; the last number, `start + count - 1`, must exist.
    ///   - scheduler: the scheduler that sends the numbers, one in each turn.
    /// - Complexity: The same as `range(start:count:)` on the current thread; on other schedulers the allocations of a
    ///   turn for each element.
    @_alwaysEmitIntoClient
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> {
        SourceObservable.walking(ConsecutiveIntegers(from: start, count: count), on: scheduler)
    }
}

/// Consecutive integers. Works for every integer type, while the standard library's ranges need a signed stride.
@usableFromInline
package struct ConsecutiveIntegers<Integer: FixedWidthInteger>: Sequence, IteratorProtocol {
    @usableFromInline var following: Integer
    @usableFromInline var remaining: Integer

    /// Stops with a message if there are no such integers.
    @inlinable
    init(from start: Integer, count: Integer) {
        let isPossible = count == 0 || count > 0 && !start.addingReportingOverflow(count - 1).overflow
        if !isPossible { preconditionFailure(Self.problem(start: start, count: count) ?? "") }
        following = start
        remaining = count
    }

    @inlinable @inline(__always)
    package mutating func next() -> Integer? {
        if remaining == 0 { return nil }
        remaining &-= 1
        // Wraps around only after the last number of the type.
        defer { following &+= 1 }
        return following
    }

    /// Returns the reason why there is no such range, or `nil` if there is one.
    // Not inlinable, because it is called only for its text.
    @usableFromInline
    package static func problem(start: Integer, count: Integer) -> String? {
        if count < 0 { return "A range needs a count of 0 or more, and not '\(count)'." }
        if count > 0, start.addingReportingOverflow(count - 1).overflow {
            return
                """
                A range of '\(count)' numbers from '\(start)' on goes past '\(Integer.max)', the last \
                \(Integer.self). 
                """
                    + "Count fewer, or use a wider type."
        }
        return nil
    }
}
