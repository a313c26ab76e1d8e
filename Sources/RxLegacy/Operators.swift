import Rx

/// Operators under the names they had before Rx 3, 5 and 6.
extension ObservableType {
    /// The sequence itself, with a function called before each value is delivered.
    @available(*, deprecated, renamed: "do(onNext:)")
    @inlinable
    public func doOnNext(_ onNext: @escaping (Element) throws -> Void) -> Observable<Element> { self.do(onNext: onNext) }

    /// The sequence itself, with a function called before an error is delivered.
    @available(*, deprecated, renamed: "do(onError:)")
    @inlinable
    public func doOnError(_ onError: @escaping (any Error) throws -> Void) -> Observable<Element> { self.do(onError: onError) }

    /// The sequence itself, with a function called before completion is delivered.
    @available(*, deprecated, renamed: "do(onCompleted:)")
    @inlinable
    public func doOnCompleted(_ onCompleted: @escaping () throws -> Void) -> Observable<Element> { self.do(onCompleted: onCompleted) }

    /// Each value and its index, counted from 0, transformed.
    ///
    /// If `transform` throws, the sequence ends with that error.
    @available(*, deprecated, message: "Use 'enumerated().map { index, element in … }'.")
    @inlinable
    public func mapWithIndex<Result>(_ transform: @escaping (Element, Int) throws -> Result) -> Observable<Result> {
        enumerated().map { try transform($0.element, $0.index) }
    }

    /// This sequence, shared, with the latest `bufferSize` values for each new subscriber, for good.
    @available(*, deprecated, message: "Use 'share(replay:scope:)' with the scope '.forever', or 'share(replay:)' to begin anew once nobody subscribes.")
    @inlinable
    public func shareReplay(_ bufferSize: Int) -> Observable<Element> { share(replay: bufferSize, scope: .forever) }

    /// This sequence, shared, with the latest value for each new subscriber while there are any.
    @available(*, deprecated, message: "Use 'share(replay: 1)'.")
    @inlinable
    public func shareReplayLatestWhileConnected() -> Observable<Element> { share(replay: 1) }
}
