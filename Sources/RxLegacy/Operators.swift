import Rx

/// Operators under the names they had before versions 3 and 5.
extension ObservableType {
    /// The sequence itself, with a function called before each event is delivered.
    @available(*, deprecated, message: "Use 'do(onNext:onError:onCompleted:)'.")
    @inlinable
    public func doOn(_ eventHandler: @escaping (Event<Element>) throws -> Void) -> Observable<Element> {
        self.do(
            onNext: { try eventHandler(.next($0)) }, onError: { try eventHandler(.error($0)) },
            onCompleted: { try eventHandler(.completed) })
    }

    /// The sequence itself, with functions called before each event is delivered.
    // Disfavoured: a trailing closure alone is the handler of all events.
    @available(*, deprecated, message: "Use 'do(onNext: { … }, onError: { … }, onCompleted: { … })'.")
    @_disfavoredOverload @inlinable
    public func doOn(
        onNext: ((Element) throws -> Void)? = nil,
        onError: ((any Error) throws -> Void)? = nil,
        onCompleted: (() throws -> Void)? = nil
    ) -> Observable<Element> { self.do(onNext: onNext, onError: onError, onCompleted: onCompleted) }

    /// The sequence itself, with a function called before each value is delivered.
    @available(*, deprecated, message: "Use 'do(onNext: { … })'.")
    @inlinable
    public func doOnNext(_ onNext: @escaping (Element) throws -> Void) -> Observable<Element> {
        self.do(onNext: onNext)
    }

    /// The sequence itself, with a function called before an error is delivered.
    @available(*, deprecated, message: "Use 'do(onError: { … })'.")
    @inlinable
    public func doOnError(_ onError: @escaping (any Error) throws -> Void) -> Observable<Element> {
        self.do(onError: onError)
    }

    /// The sequence itself, with a function called before completion is delivered.
    @available(*, deprecated, message: "Use 'do(onCompleted: { … })'.")
    @inlinable
    public func doOnCompleted(_ onCompleted: @escaping () throws -> Void) -> Observable<Element> {
        self.do(onCompleted: onCompleted)
    }

    // MARK: With index

    /// Each value and its index, counted from 0, transformed.
    ///
    /// If `transform` throws, the sequence ends with that error.
    @available(*, deprecated, message: "Use 'enumerated().map { index, element in … }'.")
    @inlinable
    public func mapWithIndex<Result>(_ transform: @escaping (Element, Int) throws -> Result) -> Observable<Result> {
        enumerated().map { try transform($0.element, $0.index) }
    }

    /// The values of the sequences that `selector` makes of each value and its index, counted from 0, as they come.
    @available(*, deprecated, message: "Use 'enumerated().flatMap { index, element in … }'.")
    @inlinable
    public func flatMapWithIndex<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element, Int) throws -> Source
    ) -> Observable<Source.Element> { enumerated().flatMap { try selector($0.element, $0.index) } }

    /// The values up to the first that `predicate` refuses, which also gets its index, counted from 0.
    @available(*, deprecated, message: "Use 'enumerated().take(while:).map { $0.element }'.")
    @inlinable
    public func takeWhileWithIndex(_ predicate: @escaping (Element, Int) throws -> Bool) -> Observable<Element> {
        enumerated().take(while: { try predicate($0.element, $0.index) }).map { $0.element }
    }

    /// The values from the first that `predicate` refuses, which also gets its index, counted from 0.
    @available(*, deprecated, message: "Use 'enumerated().skip(while:).map { $0.element }'.")
    @inlinable
    public func skipWhileWithIndex(_ predicate: @escaping (Element, Int) throws -> Bool) -> Observable<Element> {
        enumerated().skip(while: { try predicate($0.element, $0.index) }).map { $0.element }
    }

    // MARK: Sharing

    /// This sequence, shared, with the latest `bufferSize` values for each new subscriber, for good.
    @available(
        *, deprecated,
        message: """
            Use 'share(replay:scope:)' with the scope '.forever', or 'share(replay:)' to begin anew once nobody \
            subscribes.
            """
    )
    @inlinable
    public func shareReplay(_ bufferSize: Int) -> Observable<Element> { share(replay: bufferSize, scope: .forever) }

    /// This sequence, shared, with the latest value for each new subscriber while there are any.
    @available(*, deprecated, message: "Use 'share(replay: 1)'.")
    @inlinable
    public func shareReplayLatestWhileConnected() -> Observable<Element> { share(replay: 1) }

    // MARK: Results of other types

    // Disfavoured: chosen only where what is done with the result does not fit the type it has today.

    /// All elements in one array, once the sequence completes.
    @available(*, deprecated, message: "'toArray()' gives a 'Single'. Use 'toArray().asObservable()'.")
    @_disfavoredOverload @inlinable
    public func toArray() -> Observable<[Element]> { (toArray() as Single<[Element]>).asObservable() }

    /// The end of the sequence alone.
    @available(
        *, deprecated,
        message: "'ignoreElements()' gives an 'Observable<Never>'. Use 'ignoreElements().asCompletable()'."
    )
    @_disfavoredOverload @inlinable
    public func ignoreElements() -> Completable { (ignoreElements() as Observable<Never>).asCompletable() }
}
