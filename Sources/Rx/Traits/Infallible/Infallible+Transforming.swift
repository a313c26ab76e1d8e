extension InfallibleType {
    /// Each element, transformed.
    ///
    ///     _ = Infallible.of(1, 2).map { $0 * 10 }.subscribe(onNext: { print($0) })  // 10, 20
    ///
    /// - Complexity: As `map(_:)` of observables.
    @inlinable @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> Infallible<Result> {
        Infallible(raw: asObservable().map(transform))
    }

    /// Each element for which `transform` gives a value, transformed.
    ///
    ///     _ = Infallible.of("1", "x").compactMap { Int($0) }.subscribe(onNext: { print($0) })  // 1
    ///
    /// - Complexity: As `compactMap(_:)` of observables.
    @inlinable @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) -> Result?) -> Infallible<Result> {
        Infallible(raw: asObservable().compactMap(transform))
    }

    /// The elements of the sequences that `selector` makes, as they come.
    ///
    ///     _ = Infallible.of(1, 2).flatMap { Infallible.just($0 * 10) }.subscribe(onNext: { print($0) })  // 10, 20
    ///
    /// Completes when this sequence and all inner ones have. An inner sequence should not fail: see `Infallible`.
    ///
    /// - Complexity: As `flatMap(_:)` of observables.
    @inlinable @inline(__always)
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMap(selector))
    }

    /// The elements of the sequence that `selector` made last: each new one takes the place of the one before it.
    ///
    ///     let results = query.flatMapLatest { text in search(text).asInfallible(onErrorJustReturn: []) }
    ///
    /// Completes when this sequence and the last inner one have. An inner sequence should not fail: see `Infallible`.
    ///
    /// - Complexity: As `flatMapLatest(_:)` of observables.
    @inlinable @inline(__always)
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMapLatest(selector))
    }

    /// The elements of the sequences that `selector` makes; elements of this sequence are dropped while an inner one
    /// runs.
    ///
    ///     let first = Infallible.of(1, 2).flatMapFirst { Infallible.never().startWith($0) }
    ///     _ = first.subscribe(onNext: { print($0) })  // 1
    ///
    /// Completes when this sequence and the inner one under way have. An inner sequence should not fail: see
    /// `Infallible`.
    ///
    /// - Complexity: As `flatMapFirst(_:)` of observables.
    @inlinable @inline(__always)
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().flatMapFirst(selector))
    }

    /// The elements of the sequences that `selector` makes, one sequence after the other.
    ///
    ///     _ = Infallible.of(1, 2).concatMap { Infallible.of($0, $0 * 10) }
    ///         .subscribe(onNext: { print($0) })  // 1, 10, 2, 20
    ///
    /// Elements of this sequence wait while an inner one runs. An inner sequence should not fail: see `Infallible`.
    ///
    /// - Complexity: As `concatMap(_:)` of observables.
    @inlinable @inline(__always)
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) -> Source
    ) -> Infallible<Source.Element> {
        Infallible(raw: asObservable().concatMap(selector))
    }

    /// The running result of combining each element with what came before it.
    ///
    ///     _ = Infallible.of(1, 2, 3).scan(0, accumulator: +).subscribe(onNext: { print($0) })  // 1, 3, 6
    ///
    /// - Complexity: As `scan(_:accumulator:)` of observables.
    @inlinable @inline(__always)
    public func scan<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) -> Accumulate
    ) -> Infallible<Accumulate> {
        Infallible(raw: asObservable().scan(seed, accumulator: accumulator))
    }

    /// The running result of folding each element into one value in place.
    ///
    ///     _ = Infallible.of(1, 2).scan(into: []) { $0.append($1) }.subscribe(onNext: { print($0) })  // [1], [1, 2]
    ///
    /// - Complexity: As `scan(into:accumulator:)` of observables.
    @inlinable @inline(__always)
    public func scan<Accumulate>(
        into seed: Accumulate, accumulator: @escaping (inout Accumulate, Element) -> Void
    ) -> Infallible<Accumulate> {
        Infallible(raw: asObservable().scan(into: seed, accumulator: accumulator))
    }

    /// The results of `resultSelector` for an object and each element, for as long as the object lives.
    ///
    ///     let titles = pages.withUnretained(reader) { reader, page in reader.title(of: page) }
    ///
    /// The object is not kept alive: at the first element that arrives after it is gone, the sequence completes.
    ///
    /// - Complexity: As `withUnretained(_:resultSelector:)` of observables.
    @inlinable @inline(__always)
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> Infallible<Result> {
        Infallible(raw: asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// An object with each element, for as long as the object lives: as `withUnretained(_:resultSelector:)`.
    ///
    /// - Complexity: As `withUnretained(_:)` of observables.
    @inlinable @inline(__always)
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Infallible<(Object, Element)> {
        Infallible(raw: asObservable().withUnretained(object))
    }
}

extension InfallibleType {
    /// An element once no other has come for `dueTime` after it.
    ///
    ///     let settled = query.debounce(.milliseconds(300), scheduler: scheduler)
    ///
    /// Completion delivers the one that is waiting first.
    ///
    /// - Complexity: As `debounce(_:scheduler:)` of observables.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Infallible<Element> {
        Infallible(raw: asObservable().debounce(dueTime, scheduler: scheduler))
    }

    /// At most one element in each `dueTime`: the first at once, and the last of those that come meanwhile when the
    /// time is over.
    ///
    ///     let some = query.throttle(.milliseconds(16), scheduler: scheduler)
    ///
    /// - Parameters:
    ///   - dueTime: the span in which one element is sent.
    ///   - latest: whether that last one is delivered.
    ///   - scheduler: the clock, and where the latest element of a span is sent.
    /// - Complexity: As `throttle(_:latest:scheduler:)` of observables.
    @inlinable
    public func throttle(
        _ dueTime: RxTimeInterval, latest: Bool = true, scheduler: any SchedulerType
    ) -> Infallible<Element> {
        Infallible(raw: asObservable().throttle(dueTime, latest: latest, scheduler: scheduler))
    }
}

extension InfallibleType {
    /// This sequence, subscribed to once for all subscribers, while there are any.
    ///
    ///     let shared = query.share(replay: 1)
    ///
    /// - Parameters:
    ///   - replay: how many of the latest elements each subscriber gets first.
    ///   - scope: how long those are remembered.
    /// - Complexity: As `share(replay:scope:)` of observables.
    @inlinable
    public func share(replay: Int = 0, scope: SubjectLifetimeScope = .whileConnected) -> Infallible<Element> {
        Infallible(raw: asObservable().share(replay: replay, scope: scope))
    }
}

extension InfallibleType {
    /// The sequence itself, with functions called as its events pass by.
    ///
    ///     let logged = rows.do(onNext: { print("row", $0) }, onDispose: { print("over") })
    ///
    /// The functions run on the thread of the event. One that throws breaks the promise: see `Infallible`.
    ///
    /// - Parameters:
    ///   - onNext: before an element is delivered. All parameters are those of `do` of observables.
    ///   - afterNext: after it was delivered.
    ///   - onCompleted: before completion is delivered.
    ///   - afterCompleted: after it was delivered.
    ///   - onSubscribe: before this sequence is subscribed to.
    ///   - onSubscribed: after that.
    ///   - onDispose: once, after the subscription to this sequence has ended, of itself or because it was disposed.
    /// - Complexity: As `do(onNext:)` of observables.
    @inlinable
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

    /// The sequence itself, with a line printed for its subscription, each event and its disposal.
    ///
    ///     _ = Infallible.just(1).debug("one").subscribe()  // … one -> subscribed, … one -> Event next(1), …
    ///
    /// - Parameters:
    ///   - identifier: names the sequence in the lines; without it, `File.swift:line (function)` does.
    ///   - trimOutput: whether events of more than 40 characters are shortened to their first and last 20.
    ///   - file: names the sequence, where `identifier` does not.
    ///   - line: as `file`.
    ///   - function: as `file`.
    /// - Complexity: As `debug(_:)` of observables.
    public func debug(
        _ identifier: String? = nil, trimOutput: Bool = false,
        file: String = #file, line: UInt = #line, function: String = #function
    ) -> Infallible<Element> {
        Infallible(
            raw: asObservable().debug(identifier, trimOutput: trimOutput, file: file, line: line, function: function))
    }
}
