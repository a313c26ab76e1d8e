extension InfallibleType {
    /// Delivers the elements for which `predicate` returns `true`.
    ///
    ///     _ = Infallible.of(1, 2, 3).filter { $0 != 2 }.subscribe(onNext: { print($0) })  // 1, 3
    ///
    /// - Complexity: The same as `filter(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func filter(_ predicate: @escaping (Element) -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().filter(predicate))
    }

    /// Delivers the elements whose key differs, according to `comparer`, from the key of the previously delivered
    /// element.
    ///
    ///     let texts = Infallible.of("a", "A", "b")
    ///     _ = texts.distinctUntilChanged({ $0.lowercased() }, comparer: ==).subscribe(onNext: { print($0) })  // a, b
    ///
    /// - Complexity: The same as `distinctUntilChanged(_:comparer:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) throws -> Key, comparer: @escaping (Key, Key) throws -> Bool
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }

    /// Delivers the elements whose key differs from the key of the previously delivered element.
    ///
    ///     _ = Infallible.of(1, 3, 2).distinctUntilChanged { $0 % 2 }.subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `distinctUntilChanged(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) throws -> Key
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(keySelector))
    }

    /// Delivers the elements that differ, according to `comparer`, from the previously delivered element.
    ///
    ///     _ = Infallible.of(1, 2, 9).distinctUntilChanged { abs($0 - $1) < 5 }
    ///         .subscribe(onNext: { print($0) })  // 1, 9
    ///
    /// - Complexity: The same as `distinctUntilChanged(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged(_ comparer: @escaping (Element, Element) throws -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().distinctUntilChanged(comparer))
    }

    /// Delivers the elements whose property at `keyPath` differs from the property of the previously delivered element.
    ///
    ///     _ = Infallible.of("a", "b", "cc").distinctUntilChanged(at: \.count)
    ///         .subscribe(onNext: { print($0) })  // a, cc
    ///
    /// - Complexity: The same as `distinctUntilChanged(at:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func distinctUntilChanged<Property: Equatable>(at keyPath: KeyPath<Element, Property>) -> Infallible<Element>
    {
        Infallible(raw: asObservable().distinctUntilChanged(at: keyPath))
    }

    /// Delivers the first `count` elements, then completes.
    ///
    ///     _ = Infallible.of(1, 2, 3).take(2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `take(_:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func take(_ count: Int) -> Infallible<Element> { Infallible(raw: asObservable().take(count)) }

    /// Delivers the elements that arrive before `duration` has passed on `scheduler`, then completes.
    ///
    ///     let firstMinute = titles.take(for: .seconds(60), scheduler: scheduler)
    ///
    /// - Complexity: The same as `take(for:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().take(for: duration, scheduler: scheduler))
    }

    /// Delivers elements while `predicate` returns `true`, then completes. With `.inclusive`, it also delivers the
    /// first element for which `predicate` returns `false`.
    ///
    ///     _ = Infallible.of(1, 2, 3).take(while: { $0 < 2 }).subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: The same as `take(while:behavior:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func take(
        while predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().take(while: predicate, behavior: behavior))
    }

    /// Delivers elements until `predicate` returns `true`, then completes. With `.inclusive`, it also delivers the
    /// element for which `predicate` returns `true`.
    ///
    ///     let upToTwo = Infallible.of(1, 2, 3).take(until: { $0 == 2 }, behavior: .inclusive)
    ///     _ = upToTwo.subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `take(until:behavior:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func take(
        until predicate: @escaping (Element) throws -> Bool, behavior: TakeBehavior = .exclusive
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: predicate, behavior: behavior))
    }

    /// Delivers the elements that arrive before the first element of `other`, then completes. The completion of `other`
    /// has no effect.
    ///
    ///     let beforeTheQuery = titles.take(until: query)
    ///
    /// - Complexity: The same as `take(until:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func take<Other: InfallibleType>(until other: Other) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: other.asObservable()))
    }

    /// Delivers the elements that arrive before the first element of `other`, then completes. `other` should not fail:
    /// see `Infallible`.
    ///
    /// - Complexity: The same as `take(until:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func take<Other: ObservableType>(until other: Other) -> Infallible<Element> {
        Infallible(raw: asObservable().take(until: other))
    }

    /// Skips elements while `predicate` returns `true`, then delivers all further elements.
    ///
    ///     _ = Infallible.of(1, 2, 1).skip(while: { $0 < 2 }).subscribe(onNext: { print($0) })  // 2, 1
    ///
    /// - Complexity: The same as `skip(while:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func skip(while predicate: @escaping (Element) throws -> Bool) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(while: predicate))
    }

    /// Delivers the elements that arrive after the first element of `other`. If this sequence completes before that,
    /// its completion is not forwarded.
    ///
    ///     let afterTheQuery = titles.skip(until: query)
    ///
    /// - Complexity: The same as `skip(until:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func skip<Other: InfallibleType>(until other: Other) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(until: other.asObservable()))
    }

    /// Delivers the elements that arrive after the first element of `other`. `other` should not fail: see `Infallible`.
    ///
    /// If this sequence completes before that, its completion is not forwarded.
    ///
    /// - Complexity: The same as `skip(until:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func skip<Other: ObservableType>(until other: Other) -> Infallible<Element> {
        Infallible(raw: asObservable().skip(until: other))
    }
}

extension InfallibleType where Element: Equatable {
    /// Delivers the elements that differ from the previously delivered element.
    ///
    ///     _ = Infallible.of(1, 1, 2, 1).distinctUntilChanged().subscribe(onNext: { print($0) })  // 1, 2, 1
    ///
    /// - Complexity: The same as `distinctUntilChanged()` on `Observable`.
    @_alwaysEmitIntoClient
    public func distinctUntilChanged() -> Infallible<Element> { Infallible(raw: asObservable().distinctUntilChanged()) }
}
