import Rx

/// Operators under the names that they had before versions 3 and 5.
extension ObservableType {
    /// Calls a closure before each event is delivered, and forwards the events.
    @available(*, deprecated, message: "Use 'do(onNext:onError:onCompleted:)'.")
    @inlinable
    public func doOn(_ eventHandler: @escaping (Event<Element>) throws -> Void) -> Observable<Element> {
        self.do(
            onNext: { try eventHandler(.next($0)) }, onError: { try eventHandler(.error($0)) },
            onCompleted: { try eventHandler(.completed) })
    }

    /// Calls closures before each event is delivered, and forwards the events.
    // Disfavoured: a call with only a trailing closure selects the overload for all events.
    @available(*, deprecated, message: "Use 'do(onNext: { … }, onError: { … }, onCompleted: { … })'.")
    @_disfavoredOverload @inlinable
    public func doOn(
        onNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil
    ) -> Observable<Element> { self.do(onNext: onNext, onError: onError, onCompleted: onCompleted) }

    /// Calls a closure before each value is delivered, and forwards the events.
    @available(*, deprecated, message: "Use 'do(onNext: { … })'.")
    @inlinable
    public func doOnNext(_ onNext: @escaping (Element) throws -> Void) -> Observable<Element> {
        self.do(onNext: onNext)
    }

    /// Calls a closure before an error is delivered, and forwards the events.
    @available(*, deprecated, message: "Use 'do(onError: { … })'.")
    @inlinable
    public func doOnError(_ onError: @escaping (any Error) throws -> Void) -> Observable<Element> {
        self.do(onError: onError)
    }

    /// Calls a closure before completion is delivered, and forwards the events.
    @available(*, deprecated, message: "Use 'do(onCompleted: { … })'.")
    @inlinable
    public func doOnCompleted(_ onCompleted: @escaping () throws -> Void) -> Observable<Element> {
        self.do(onCompleted: onCompleted)
    }

    // MARK: With index

    /// Transforms each value and its index, counted from 0.
    ///
    /// If `transform` throws, the sequence fails with that error.
    @available(*, deprecated, message: "Use 'enumerated().map { index, element in … }'.")
    @inlinable
    public func mapWithIndex<Result>(_ transform: @escaping (Element, Int) throws -> Result) -> Observable<Result> {
        enumerated().map { try transform($0.element, $0.index) }
    }

    /// Merges the sequences that `selector` returns for each value and its index, counted from 0.
    @available(*, deprecated, message: "Use 'enumerated().flatMap { index, element in … }'.")
    @inlinable
    public func flatMapWithIndex<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element, Int) throws -> Source
    ) -> Observable<Source.Element> { enumerated().flatMap { try selector($0.element, $0.index) } }

    /// Delivers values while `predicate` returns `true`. `predicate` also receives the index, counted from 0.
    @available(*, deprecated, message: "Use 'enumerated().take(while:).map { $0.element }'.")
    @inlinable
    public func takeWhileWithIndex(_ predicate: @escaping (Element, Int) throws -> Bool) -> Observable<Element> {
        enumerated().take(while: { try predicate($0.element, $0.index) }).map { $0.element }
    }

    /// Skips values while `predicate` returns `true`. `predicate` also receives the index, counted from 0.
    @available(*, deprecated, message: "Use 'enumerated().skip(while:).map { $0.element }'.")
    @inlinable
    public func skipWhileWithIndex(_ predicate: @escaping (Element, Int) throws -> Bool) -> Observable<Element> {
        enumerated().skip(while: { try predicate($0.element, $0.index) }).map { $0.element }
    }

    // MARK: Sharing

    /// Shares this sequence permanently. Each new subscriber receives the latest `bufferSize` values.
    @available(
        *, deprecated,
        message: """
            Use 'share(replay:scope:)' with the scope '.forever', or 'share(replay:)' to begin anew once nobody \
            subscribes.
            """
    )
    @inlinable
    public func shareReplay(_ bufferSize: Int) -> Observable<Element> { share(replay: bufferSize, scope: .forever) }

    /// Shares this sequence while it has subscribers. Each new subscriber receives the latest value.
    @available(*, deprecated, message: "Use 'share(replay: 1)'.")
    @inlinable
    public func shareReplayLatestWhileConnected() -> Observable<Element> { share(replay: 1) }

    // MARK: Results of other types

    // Disfavoured: chosen only if the use of the result does not fit the current result type.

    /// Delivers all elements in one array when the sequence completes.
    @available(*, deprecated, message: "'toArray()' gives a 'Single'. Use 'toArray().asObservable()'.")
    @_disfavoredOverload @inlinable
    public func toArray() -> Observable<[Element]> { (toArray() as Single<[Element]>).asObservable() }

    /// Delivers only the end of the sequence.
    @available(
        *, deprecated,
        message: "'ignoreElements()' gives an 'Observable<Never>'. Use 'ignoreElements().asCompletable()'."
    )
    @_disfavoredOverload @inlinable
    public func ignoreElements() -> Completable { (ignoreElements() as Observable<Never>).asCompletable() }
}
