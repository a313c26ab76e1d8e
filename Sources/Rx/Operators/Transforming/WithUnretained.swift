extension ObservableType {
    /// Delivers the results of calling `resultSelector` with an object and each element, while the object is alive.
    ///
    ///     final class Badge { let prefix = "No." }
    ///     let badge = Badge()
    ///     _ = Observable.of(1, 2).withUnretained(badge) { badge, number in "\(badge.prefix) \(number)" }
    ///         .subscribe(onNext: { print($0) })  // No. 1, No. 2
    ///
    /// The object is not kept alive. The sequence completes at the first element that arrives after the object was
    /// released.
    ///
    /// - Parameters:
    ///   - object: held weakly, and strongly while `resultSelector` runs.
    ///   - resultSelector: returns a result for the object and an element.
    /// - Complexity: One allocation per subscription, none per element.
    // Several times the cost of `map`: loading a weak reference and releasing it again are three runtime calls with
    // atomic reference counting.
    // A debug build would warn about a temporary `object` if the body were emitted into the client.
    @inlinable @inline(__always)
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> Observable<Result> {
        lift { [weak object] address, sink in
            sink.receive(address) { (sink: OperatorSink, element: inout Element) in
                guard let object else { return sink.finish() }
                var result = resultSelector(object, element)
                sink.send(&result)
            }
        }
    }

    /// Delivers an object with each element, while the object is alive.
    ///
    ///     final class Counter { var value = 0 }
    ///     let counter = Counter()
    ///     _ = Observable.of(1, 2).withUnretained(counter)
    ///         .subscribe(onNext: { counter, number in counter.value += number })
    ///     print(counter.value)  // 3
    ///
    /// Works like `withUnretained(_:resultSelector:)`. A stored pair keeps the object alive.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func withUnretained<Object: AnyObject>(_ object: Object) -> Observable<(Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}
