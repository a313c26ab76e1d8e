extension SharedSequenceConvertibleType {
    /// Transforms each element.
    ///
    ///     let title = Driver.of(1, 2).map { "\($0) new" }
    ///     let subscription = title.drive(onNext: { print($0) })  // 1 new, 2 new
    ///
    /// - Complexity: The same as `map(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().map(transform))
    }

    /// Transforms each element, and drops the elements for which `transform` returns `nil`.
    ///
    /// - Complexity: The same as `compactMap(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func compactMap<Result>(
        _ transform: @escaping (Element) -> Result?
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence(asObservable().compactMap(transform))
    }

    /// Combines each element with the previous result, and delivers each result.
    ///
    ///     let total = Driver.of(1, 2, 3).scan(0) { $0 + $1 }
    ///     let subscription = total.drive(onNext: { print($0) })  // 1, 3, 6
    ///
    /// - Complexity: The same as `scan(_:accumulator:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func scan<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) -> Accumulate
    ) -> SharedSequence<SharingStrategy, Accumulate> {
        SharedSequence(asObservable().scan(seed, accumulator: accumulator))
    }

    /// Merges the elements of the sequences that `selector` returns. The result has the sharing strategy of these
    /// sequences.
    ///
    /// - Complexity: The same as `flatMap(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMap<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMap(selector))
    }

    /// Delivers the elements of the latest sequence that `selector` returned, and disposes the subscription to the
    /// previous sequence. The result has the sharing strategy of these sequences.
    ///
    ///     let texts = query.asDriver(onErrorJustReturn: "")
    ///     let results = texts.flatMapLatest { search($0).asDriver(onErrorJustReturn: []) }
    ///
    /// - Complexity: The same as `flatMapLatest(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapLatest<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMapLatest(selector))
    }

    /// Delivers the elements of the sequences that `selector` returns, and ignores elements that arrive while such a
    /// sequence runs. The result has the sharing strategy of these sequences.
    ///
    /// - Complexity: The same as `flatMapFirst(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapFirst<Sharing, Result>(
        _ selector: @escaping (Element) -> SharedSequence<Sharing, Result>
    ) -> SharedSequence<Sharing, Result> {
        SharedSequence<Sharing, Result>(asObservable().flatMapFirst(selector))
    }
}

extension SharedSequenceConvertibleType where Element: SharedSequenceConvertibleType {
    /// Delivers the elements of the latest inner sequence, and disposes the subscription to the previous sequence. The
    /// result has the sharing strategy of the inner sequences.
    ///
    /// - Complexity: The same as `switchLatest()` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func switchLatest() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().switchLatest())
    }

    /// Merges the elements of all inner sequences. The result has the sharing strategy of the inner sequences.
    ///
    /// - Complexity: The same as `merge()` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func merge() -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().merge())
    }

    /// Merges the elements of the inner sequences. At most `maxConcurrent` sequences are subscribed to at a time. The
    /// others are queued.
    ///
    /// - Parameter maxConcurrent: the maximum number of subscriptions to inner sequences. It must be 1 or more.
    /// - Complexity: The same as `merge(maxConcurrent:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func merge(maxConcurrent: Int) -> SharedSequence<Element.SharingStrategy, Element.Element> {
        SharedSequence<Element.SharingStrategy, Element.Element>(asObservable().merge(maxConcurrent: maxConcurrent))
    }
}

extension SharedSequenceConvertibleType {
    /// Delivers the elements for which `predicate` returns `true`.
    ///
    ///     let subscription = Driver.of(0, 2).filter { $0 > 0 }.drive(onNext: { print($0) })  // 2
    ///
    /// - Complexity: The same as `filter(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func filter(_ predicate: @escaping (Element) -> Bool) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().filter(predicate))
    }

    /// Skips the first `count` elements.
    ///
    /// - Parameter count: the number of elements to skip. It must be 0 or more.
    /// - Complexity: The same as `skip(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func skip(_ count: Int) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().skip(count))
    }

    /// Delivers the elements whose key differs from the key of the previous element.
    ///
    /// - Complexity: The same as `distinctUntilChanged(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged<Key: Equatable>(
        _ keySelector: @escaping (Element) -> Key
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector))
    }

    /// Delivers the elements that differ, according to `comparer`, from the previous element.
    ///
    /// - Complexity: The same as `distinctUntilChanged(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged(
        _ comparer: @escaping (Element, Element) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(comparer))
    }

    /// Delivers the elements whose key differs, according to `comparer`, from the key of the previous element.
    ///
    /// - Complexity: The same as `distinctUntilChanged(_:comparer:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged<Key>(
        _ keySelector: @escaping (Element) -> Key, comparer: @escaping (Key, Key) -> Bool
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged(keySelector, comparer: comparer))
    }
}

extension SharedSequenceConvertibleType where Element: Equatable {
    /// Delivers the elements that differ from the previous element.
    ///
    ///     let subscription = Driver.of(1, 1, 2).distinctUntilChanged().drive(onNext: { print($0) })  // 1, 2
    ///
    /// - Complexity: The same as `distinctUntilChanged()` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func distinctUntilChanged() -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().distinctUntilChanged())
    }
}

// The scheduler of the strategy measures time. It is the main scheduler, unless `SharingScheduler.mock` has replaced
// it.
extension SharedSequenceConvertibleType {
    /// Delivers at most one element in each window of `dueTime`.
    ///
    ///     let saves = taps.asSignal(onErrorJustReturn: ()).throttle(.milliseconds(500), latest: false)
    ///
    /// - Parameters:
    ///   - dueTime: the interval in which at most one element is sent.
    ///   - latest: whether the last element that arrives within a window is sent when the window ends.
    /// - Complexity: The same as `throttle(_:latest:scheduler:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func throttle(_ dueTime: RxTimeInterval, latest: Bool = true) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().throttle(dueTime, latest: latest, scheduler: SharingStrategy.scheduler))
    }

    /// Delivers an element after `dueTime` has passed without another element.
    ///
    /// - Complexity: The same as `debounce(_:scheduler:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func debounce(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().debounce(dueTime, scheduler: SharingStrategy.scheduler))
    }

    /// Delays the elements and completion by `dueTime`.
    ///
    /// - Complexity: The same as `delay(_:scheduler:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func delay(_ dueTime: RxTimeInterval) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(asObservable().delay(dueTime, scheduler: SharingStrategy.scheduler))
    }
}

extension SharedSequenceConvertibleType {
    /// Calls the given closures at the events of this sequence, and forwards the events.
    ///
    ///     let subscription = Driver.just(1).do(onNext: { print("passing", $0) }).drive()  // passing 1
    ///
    /// The subscription is shared, so the closures are called once for all subscribers.
    ///
    /// - Parameters:
    ///   - onNext: called before an element is delivered. All parameters are the same as for `do` on `Observable`.
    ///   - afterNext: called after the element is delivered.
    ///   - onCompleted: called before completion is delivered.
    ///   - afterCompleted: called after completion is delivered.
    ///   - onSubscribe: called before this sequence is subscribed to.
    ///   - onSubscribed: called after this sequence is subscribed to.
    ///   - onDispose: called once, after the subscription to this sequence has ended or was disposed.
    /// - Complexity: The same as `do(onNext:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
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

    /// Prints a line for the subscription, each event and the disposal of this sequence, like `debug` on `Observable`.
    ///
    /// - Parameters:
    ///   - identifier: the name of the sequence in the lines. The default is `File.swift:line (function)`.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    ///   - file: the file in the default name.
    ///   - line: the line in the default name.
    ///   - function: the function in the default name.
    /// - Complexity: The same as `debug(_:)` and `share(replay:scope:)` on `Observable`.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> SharedSequence<SharingStrategy, Element> {
        SharedSequence(
            asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}
