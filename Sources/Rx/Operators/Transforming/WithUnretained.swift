extension ObservableType {
    /// The results that `resultSelector` makes of an object and each element, for as long as the object lives.
    ///
    ///     final class Badge { let prefix = "No." }
    ///     let badge = Badge()
    ///     _ = Observable.of(1, 2).withUnretained(badge) { badge, number in "\(badge.prefix) \(number)" }
    ///         .subscribe(onNext: { print($0) })  // No. 1, No. 2
    ///
    /// The object is not kept alive: at the first element that arrives after it is gone, the sequence completes.
    ///
    /// - Parameters:
    ///   - object: held weakly, and strongly while `resultSelector` runs.
    ///   - resultSelector: makes a result of the object and an element.
    /// - Complexity: One allocation per subscription, none per element.
    // Several times `map`: loading a weak reference and letting go of it again are three calls into the runtime that
    // count atomically.
    @inlinable @inline(__always)
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> Observable<Result> {
        lift { [weak object] address, sink in
            sink.receive(address) { (sink: OperatorSink, element: inout Element) in
                guard let object else { return sink.complete() }
                var result = resultSelector(object, element)
                sink.forward(&result)
            }
        }
    }

    /// An object with each element, for as long as the object lives.
    ///
    ///     final class Counter { var value = 0 }
    ///     let counter = Counter()
    ///     _ = Observable.of(1, 2).withUnretained(counter)
    ///         .subscribe(onNext: { counter, number in counter.value += number })
    ///     print(counter.value)  // 3
    ///
    /// As `withUnretained(_:resultSelector:)`. Keeping such a pair keeps the object.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @inlinable @inline(__always)
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Observable<(Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}
