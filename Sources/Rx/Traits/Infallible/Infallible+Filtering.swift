extension InfallibleType {
    /// The elements that `predicate` accepts.
    ///
    ///     _ = Infallible.of(1, 2, 3).filter { $0 != 2 }.subscribe(onNext: { print($0) })  // 1, 3
    ///
    /// - Complexity: As `filter(_:)` of observables.
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping (Element) -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().filter(predicate))
    }

    /// The elements whose key `comparer` does not find equal to that of the element delivered last.
    ///
    ///     let texts = Infallible.of("a", "A", "b")
    ///     _ = texts.distinctUntilChanged({ $0.lowercased() }, comparer: ==).subscribe(onNext: { print($0) })  // a, b
    ///
    /// - Complexity: As `distinctUntilChanged(_:comparer:)` of observables.
    @inlinable @inline(__always)
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) throws -> Key, comparer: @escaping (Key, Key) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// The elements whose key differs from that of the element delivered last.
    ///
    ///     _ = Infallible.of(1, 3, 2).distinctUntilChanged { $0 % 2 }.subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `distinctUntilChanged(_:)` of observables.
    @inlinable @inline(__always)
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) throws -> Key
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(keySelector))
    }

    /// The elements that `comparer` does not find equal to the one delivered last.
    ///
    ///     _ = Infallible.of(1, 2, 9).distinctUntilChanged { abs($0 - $1) < 5 }
    ///         .subscribe(onNext: { print($0) })  // 1, 9
    ///
    /// - Complexity: As `distinctUntilChanged(_:)` of observables.
    @inlinable @inline(__always)
    public func distinctUntilChanged(_ comparer: @escaping (Element, Element) throws -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(comparer))
    }

    /// The elements whose property at `keyPath` differs from that of the element delivered last.
    ///
    ///     _ = Infallible.of("a", "b", "cc").distinctUntilChanged(at: \.count)
    ///         .subscribe(onNext: { print($0) })  // a, cc
    ///
    /// - Complexity: As `distinctUntilChanged(at:)` of observables.
    @inlinable
    public func distinctUntilChanged<Property: Equatable>(at keyPath: KeyPath<Element, Property>) -> Infallible<Element>
    {
        Infallible(raw: asObservable().distinctUntilChanged(at: keyPath))
    }

    /// The first `count` elements, then completion.
    ///
    ///     _ = Infallible.of(1, 2, 3).take(2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `take(_:)` of observables.
    @inlinable
    public func take(_ count: Int) -> Infallible<Element> { Infallible(raw: asObservable().take(count)) }

    /// The elements that come before `duration` has passed on `scheduler`, then completion.
    ///
    ///     let firstMinute = titles.take(for: .seconds(60), scheduler: scheduler)
    ///
    /// - Complexity: As `take(for:scheduler:)` of observables.
    @inlinable
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().take(for: duration, scheduler: scheduler))
    }

    /// The elements up to the first that `predicate` refuses, which is part of them if `behavior` is `.inclusive`; then
    /// completion.
    ///
    ///     _ = Infallible.of(1, 2, 3).take(while: { $0 < 2 }).subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: As `take(while:behavior:)` of observables.
    @inlinable @inline(__always)
    public func take(
        while predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().take(while: predicate, behavior: behavior))
    }

    /// The elements up to the first that `predicate` accepts, which is part of them if `behavior` is `.inclusive`; then
    /// completion.
    ///
    ///     let upToTwo = Infallible.of(1, 2, 3).take(until: { $0 == 2 }, behavior: .inclusive)
    ///     _ = upToTwo.subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: As `take(until:behavior:)` of observables.
    @inlinable @inline(__always)
    public func take(
        until predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: predicate, behavior: behavior))
    }

    /// The elements that come before the first one of `other`, then completion. The end of `other` changes nothing.
    ///
    ///     let beforeTheQuery = titles.take(until: query)
    ///
    /// - Complexity: As `take(until:)` of observables.
    @inlinable
    public func take<Other: InfallibleType>(until other: Other) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: other.asObservable()))
    }

    /// The elements that come before the first one of `other`, then completion. `other` should not fail: see
    /// `Infallible`.
    ///
    /// - Complexity: As `take(until:)` of observables.
    @inlinable
    public func take<Other: ObservableType>(until other: Other) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: other))
    }

    /// The elements from the first that `predicate` refuses.
    ///
    ///     _ = Infallible.of(1, 2, 1).skip(while: { $0 < 2 }).subscribe(onNext: { print($0) })  // 2, 1
    ///
    /// - Complexity: As `skip(while:)` of observables.
    @inlinable @inline(__always)
    public func skip(while predicate: @escaping (Element) throws -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(while: predicate))
    }

    /// The elements that come after the first one of `other`. If this sequence completes before that, its completion is
    /// not passed on.
    ///
    ///     let afterTheQuery = titles.skip(until: query)
    ///
    /// - Complexity: As `skip(until:)` of observables.
    @inlinable
    public func skip<Other: InfallibleType>(until other: Other) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(until: other.asObservable()))
    }

    /// The elements that come after the first one of `other`, which should not fail: see `Infallible`.
    ///
    /// If this sequence completes before that, its completion is not passed on.
    ///
    /// - Complexity: As `skip(until:)` of observables.
    @inlinable
    public func skip<Other: ObservableType>(until other: Other) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(until: other))
    }
}

extension InfallibleType where Element: Equatable {
    /// The elements that differ from the one delivered last.
    ///
    ///     _ = Infallible.of(1, 1, 2, 1).distinctUntilChanged().subscribe(onNext: { print($0) })  // 1, 2, 1
    ///
    /// - Complexity: As `distinctUntilChanged()` of observables.
    @inlinable
    public func distinctUntilChanged() -> Infallible<Element> { Infallible(raw: asObservable().distinctUntilChanged()) }
}
