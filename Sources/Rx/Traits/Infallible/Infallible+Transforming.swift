extension InfallibleType {
    /// Transforms each element.
    ///
    ///     _ = Infallible.of(1, 2).map { $0 * 10 }.subscribe(onNext: { print($0) })  // 10, 20
    ///
    /// - Complexity: The same as `map(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> Infallible<Result> {
        Infallible(raw: asObservable().map(transform))
    }

    /// Transforms each element, and drops the elements for which `transform` returns `nil`.
    ///
    ///     _ = Infallible.of("1", "x").compactMap { Int($0) }.subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: The same as `compactMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Infallible<Result> {
        Infallible(raw: asObservable().compactMap(transform))
    }

    /// Merges the elements of the sequences that `selector` returns.
    ///
    ///     _ = Infallible.of(1, 2).flatMap { Infallible.just($0 * 10) }.subscribe(onNext: { print($0) })  // 10, 20
    ///
    /// Completes when this sequence and all inner sequences have completed. An inner sequence should not fail: see
    /// `Infallible`.
    ///
    /// - Complexity: The same as `flatMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMap(selector))
    }

    /// Delivers the elements of the latest sequence that `selector` returned. Each new sequence replaces the previous
    /// one.
    ///
    ///     let results = query.flatMapLatest { text in search(text).asInfallible(onErrorJustReturn: []) }
    ///
    /// Completes when this sequence and the last inner sequence have completed. An inner sequence should not fail: see
    /// `Infallible`.
    ///
    /// - Complexity: The same as `flatMapLatest(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMapLatest(selector))
    }

    /// Delivers the elements of the sequences that `selector` returns. Drops elements of this sequence while an inner
    /// sequence runs.
    ///
    ///     let first = Infallible.of(1, 2).flatMapFirst { Infallible.never().startWith($0) }
    ///     _ = first.subscribe(onNext: { print($0) })  // 1
    ///
    /// Completes when this sequence and the running inner sequence have completed. An inner sequence should not fail:
    /// see `Infallible`.
    ///
    /// - Complexity: The same as `flatMapFirst(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMapFirst(selector))
    }

    /// Delivers the elements of the sequences that `selector` returns, one sequence after the other.
    ///
    ///     _ = Infallible.of(1, 2).concatMap { Infallible.of($0, $0 * 10) }
    ///         .subscribe(onNext: { print($0) })  // 1, 10, 2, 20
    ///
    /// Elements of this sequence are queued while an inner sequence runs. An inner sequence should not fail: see
    /// `Infallible`.
    ///
    /// - Complexity: The same as `concatMap(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().concatMap(selector))
    }

    /// Combines each element with the previous result, and delivers each result.
    ///
    ///     _ = Infallible.of(1, 2, 3).scan(0, accumulator: +).subscribe(onNext: { print($0) })  // 1, 3, 6
    ///
    /// - Complexity: The same as `scan(_:accumulator:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func scan<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) -> Accumulate
    ) -> Infallible<Accumulate> {
        Infallible(raw: asObservable().scan(seed, accumulator: accumulator))
    }

    /// Folds each element into one mutable value, and delivers the value after each element.
    ///
    ///     _ = Infallible.of(1, 2).scan(into: []) { $0.append($1) }.subscribe(onNext: { print($0) })  // [1], [1, 2]
    ///
    /// - Complexity: The same as `scan(into:accumulator:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func scan<Accumulate>(
        into seed: Accumulate, accumulator: @escaping (inout Accumulate, Element) -> Void
    ) -> Infallible<Accumulate> {
        Infallible(raw: asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// Combines `object` and each element with `resultSelector` while the object is alive.
    ///
    ///     let titles = pages.withUnretained(reader) { reader, page in reader.title(of: page) }
    ///
    /// The object is not retained. The sequence completes at the first element that arrives after the object is
    /// deallocated.
    ///
    /// - Complexity: The same as `withUnretained(_:resultSelector:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> Infallible<Result> {
        Infallible(raw: asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// Delivers `object` with each element while the object is alive, like `withUnretained(_:resultSelector:)`.
    ///
    /// - Complexity: The same as `withUnretained(_:)` on `Observable`.
    @_alwaysEmitIntoClient @inline(__always)
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Infallible<(Object, Element)> {
        Infallible(raw: asObservable().withUnretained(object))
    }
}

extension InfallibleType {
    /// Delivers an element after `dueTime` has passed without another element.
    ///
    ///     let settled = query.debounce(.milliseconds(300), scheduler: scheduler)
    ///
    /// Completion delivers the pending element first.
    ///
    /// - Complexity: The same as `debounce(_:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// Delivers at most one element in each `dueTime`. The first element is delivered immediately. The last of the
    /// elements that arrive within the time is delivered when the time has passed.
    ///
    ///     let some = query.throttle(.milliseconds(16), scheduler: scheduler)
    ///
    /// - Parameters:
    ///   - dueTime: the interval in which at most one element is sent.
    ///   - latest: whether the last element of an interval is delivered.
    ///   - scheduler: measures the time and sends the last element of an interval.
    /// - Complexity: The same as `throttle(_:latest:scheduler:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }
}

extension InfallibleType {
    /// Shares one subscription to this sequence among all subscribers. The subscription exists while there are
    /// subscribers.
    ///
    ///     let shared = query.share(replay: 1)
    ///
    /// - Parameters:
    ///   - replay: the number of latest elements that each new subscriber receives first.
    ///   - scope: how long these elements are stored.
    /// - Complexity: The same as `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Infallible<Element> {
        Infallible(raw: asObservable().share(replay: replay, scope: scope))
    }
}

extension InfallibleType {
    /// Calls the given closures at the events of this sequence, and forwards the events.
    ///
    ///     let logged = rows.do(onNext: { print("row", $0) }, onDispose: { print("over") })
    ///
    /// The closures run on the thread of the event. A closure that throws breaks the guarantee: see `Infallible`.
    ///
    /// - Parameters:
    ///   - onNext: called before an element is delivered. All parameters are the same as for `do` on `Observable`.
    ///   - afterNext: called after the element is delivered.
    ///   - onCompleted: called before completion is delivered.
    ///   - afterCompleted: called after completion is delivered.
    ///   - onSubscribe: called before this sequence is subscribed to.
    ///   - onSubscribed: called after this sequence is subscribed to.
    ///   - onDispose: called once, after the subscription to this sequence has ended or was disposed.
    /// - Complexity: The same as `do(onNext:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil, afterCompleted: (() throws -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil, onDispose: (() -> Void)? = nil
    ) -> Infallible<Element> {
        Infallible(
            raw: asObservable().do(
                onNext: onNext, afterNext: afterNext, onCompleted: onCompleted, afterCompleted: afterCompleted,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Prints a line for the subscription, each event and the disposal of this sequence, and forwards the events.
    ///
    ///     _ = Infallible.just(1).debug("one").subscribe()  // … one -> subscribed, … one -> Event next(1), …
    ///
    /// - Parameters:
    ///   - identifier: the name of the sequence in the lines. The default is `File.swift:line (function)`.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    ///   - file: the file in the default name.
    ///   - line: the line in the default name.
    ///   - function: the function in the default name.
    /// - Complexity: The same as `debug(_:)` on `Observable`.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> Infallible<Element> {
        Infallible(
            raw: asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}
