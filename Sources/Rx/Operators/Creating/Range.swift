/// The numbers that `range`, `timer` and `interval` can count with.
public typealias RxAbstractInteger = FixedWidthInteger

extension ObservableType where Element: RxAbstractInteger {
    /// `count` numbers from `start` on, then completion.
    ///
    ///     _ = Observable.range(start: 3, count: 2).subscribe(onNext: { print($0) })  // 3, 4
    ///
    /// - Parameters:
    ///   - start: the first number.
    ///   - count: 0 or more; the last number, `start + count - 1`, must exist.
    /// - Complexity: One allocation per subscription, none per element.
    @inlinable
    public static func range(start: Element, count: Element) -> Observable<Element> {
        SequenceObservable(walking: ConsecutiveIntegers(from: start, count: count))
    }

    /// `count` numbers from `start` on, then completion, on `scheduler`.
    ///
    /// - Parameters:
    ///   - start: the first number.
    ///   - count: 0 or more; the last number, `start + count - 1`, must exist.
    ///   - scheduler: where the numbers are sent, one in each turn.
    /// - Complexity: As `range(start:count:)` on the current thread; elsewhere the allocations of a turn for each
    ///   element.
    @inlinable
    public static func range(
        start: Element, count: Element, scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> {
        SourceObservable.walking(ConsecutiveIntegers(from: start, count: count), on: scheduler)
    }
}

/// Consecutive integers. Works for every integer type, where the standard library's ranges need a signed stride.
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
        // Wraps only after the last number there is.
        defer { following &+= 1 }
        return following
    }

    /// Why there is no such range, or `nil` if there is one.
    // Not inlinable, as it is only asked for a text.
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
