extension SharedSequenceConvertibleType {
    /// Each element, transformed.
    ///
    ///     let title = Driver.of(1, 2).map { "\($0) new" }
    ///     let subscription = title.drive(onNext: { print($0) })  // 1 new, 2 new
    ///
    /// - Complexity: As `map(_:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().map(transform))
    }

    /// Each element for which `transform` gives a value, transformed.
    ///
    /// - Complexity: As `compactMap(_:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func compactMap<Result>(
        _ transform: @escaping (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().compactMap(transform))
    }

    /// The running result of combining each element with what came before it.
    ///
    ///     let total = Driver.of(1, 2, 3).scan(0) { $0 + $1 }
    ///     let subscription = total.drive(onNext: { print($0) })  // 1, 3, 6
    ///
    /// - Complexity: As `scan(_:accumulator:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func scan<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) -> Accumulate
    ) -> SharedSequence<SharingStrategy, Accumulate> {
        SharedSequence(asObservable().scan(seed, accumulator: accumulator))
    }

    /// The elements of all the sequences that `selector` makes, as they come. The result shares as they do.
    ///
    /// - Complexity: As `flatMap(_:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func flatMap<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMap(selector))
    }

    /// The elements of the sequence that `selector` made last; the one before is disposed. The result shares as they
    /// do.
    ///
    ///     let texts = query.asDriver(onErrorJustReturn: "")
    ///     let results = texts.flatMapLatest { search($0).asDriver(onErrorJustReturn: []) }
    ///
    /// - Complexity: As `flatMapLatest(_:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func flatMapLatest<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMapLatest(selector))
    }

    /// The elements of the sequences that `selector` makes; elements that arrive while such a sequence runs are
    /// ignored. The result shares as they do.
    ///
    /// - Complexity: As `flatMapFirst(_:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func flatMapFirst<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMapFirst(selector))
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    /// The elements of the inner sequence that came last; the one before is disposed. The result shares as the inner
    /// ones do.
    ///
    /// - Complexity: As `switchLatest()` of observables, and `share(replay:scope:)`.
    @inlinable
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().switchLatest())
    }

    /// The elements of all inner sequences, as they come. The result shares as the inner ones do.
    ///
    /// - Complexity: As `merge()` of observables, and `share(replay:scope:)`.
    @inlinable
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().merge())
    }

    /// The elements of the inner sequences, of which at most `maxConcurrent` are subscribed to at a time; the others
    /// wait for their turn.
    ///
    /// - Parameter maxConcurrent: 1 or more.
    /// - Complexity: As `merge(maxConcurrent:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func merge(maxConcurrent: Int) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().merge(maxConcurrent: maxConcurrent))
    }
}

extension SharedSequenceConvertibleType {
    /// The elements for which `predicate` is true.
    ///
    ///     let subscription = Driver.of(0, 2).filter { $0 > 0 }.drive(onNext: { print($0) })  // 2
    ///
    /// - Complexity: As `filter(_:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func filter(_ predicate: @escaping (Element) -> Bool) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().filter(predicate))
    }

    /// The elements after the first `count`.
    ///
    /// - Parameter count: 0 or more.
    /// - Complexity: As `skip(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func skip(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().skip(count))
    }

    /// The elements whose key differs from that of the element before.
    ///
    /// - Complexity: As `distinctUntilChanged(_:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) -> Key
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector))
    }

    /// The elements that `comparer` does not take for the same as the element before.
    ///
    /// - Complexity: As `distinctUntilChanged(_:)` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func distinctUntilChanged(
        _ comparer: @escaping (Element, Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(comparer))
    }

    /// The elements whose key `comparer` does not take for the same as that of the element before.
    ///
    /// - Complexity: As `distinctUntilChanged(_:comparer:)` of observables, and `share(replay:scope:)`.
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
    ///
    /// - Complexity: As `distinctUntilChanged()` of observables, and `share(replay:scope:)`.
    @inlinable @inline(__always)
    public func distinctUntilChanged() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged())
    }
}

// Time is that of the strategy's scheduler: the main one, unless `SharingScheduler.mock` has put another in its place.
extension SharedSequenceConvertibleType {
    /// The elements, at most one in each window of `dueTime`.
    ///
    ///     let saves = taps.asSignal(onErrorJustReturn: ()).throttle(.milliseconds(500), latest: false)
    ///
    /// - Parameters:
    ///   - dueTime: the span in which one element is sent.
    ///   - latest: whether the last element that arrives within a window is sent at its end.
    /// - Complexity: As `throttle(_:latest:scheduler:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().throttle(dueTime, latest: latest, scheduler: SharingStrategy.scheduler))
    }

    /// The elements that no other element follows within `dueTime`.
    ///
    /// - Complexity: As `debounce(_:scheduler:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().debounce(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// The elements and completion, each `dueTime` later.
    ///
    /// - Complexity: As `delay(_:scheduler:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func delay(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().delay(dueTime, scheduler: SharingStrategy.scheduler))
    }
}

extension SharedSequenceConvertibleType {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let subscription = Driver.just(1).do(onNext: { print("passing", $0) }).drive()  // passing 1
    ///
    /// As the subscription is shared, they are called once for all subscribers.
    ///
    /// - Parameters:
    ///   - onNext: before an element is delivered. All parameters are those of `do` of observables.
    ///   - afterNext: after it was delivered.
    ///   - onCompleted: before completion is delivered.
    ///   - afterCompleted: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed.
    /// - Complexity: As `do(onNext:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func `do`(
        onNext: ((Element) -> Void)? = nil, afterNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil,
        afterCompleted: (() -> Void)? = nil, onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// The sequence itself, with a line printed for its subscription, each event and its disposal: as `debug` of
    /// `Observable`.
    ///
    /// - Parameters:
    ///   - identifier: names the sequence in the lines; without it, `File.swift:line (function)` does.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    ///   - file: names the sequence, where `identifier` does not.
    ///   - line: as `file`.
    ///   - function: as `file`.
    /// - Complexity: As `debug(_:)` of observables, and `share(replay:scope:)`.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}
