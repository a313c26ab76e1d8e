extension SharedSequenceConvertibleType {
    /// The elements for which `predicate` is true.
    ///
    ///     let subscription = Driver.of(0, 2).filter { $0 > 0 }.drive(onNext: { print($0) })  // 2
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping (Element) -> Bool) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().filter(predicate))
    }

    /// The elements after the first `count`.
    ///
    /// - Parameter count: 0 or more.
    @inlinable
    public func skip(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().skip(count))
    }

    /// The elements whose key differs from that of the element before.
    @inlinable @inline(__always)
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) -> Key
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector))
    }

    /// The elements that `comparer` does not take for the same as the element before.
    @inlinable @inline(__always)
    public func distinctUntilChanged(
        _ comparer: @escaping (Element, Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(comparer))
    }

    /// The elements whose key `comparer` does not take for the same as that of the element before.
    @inlinable @inline(__always)
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) -> Key, comparer: @escaping (Key, Key) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }
}

extension SharedSequenceConvertibleType where Element: Equatable {
    /// The elements that differ from the one before.
    ///
    ///     let subscription = Driver.of(1, 1, 2).distinctUntilChanged().drive(onNext: { print($0) })  // 1, 2
    @inlinable @inline(__always)
    public func distinctUntilChanged() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged())
    }
}
