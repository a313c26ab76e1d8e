extension ObservableType {
    /// Delivers the result of `transform` for each element.
    ///
    ///     _ = Observable.of(1, 2).map { $0 * 10 }.subscribe(onNext: { print($0) })  // 10, 20
    ///
    /// If `transform` throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> Observable<Result> {
        lift(fusing: FusibleClosure(transform: transform), isPredicate: false) { address, sink in
            sink.receive(address) { (sink: OperatorSink, element: inout Element) in
                do {
                    var result = try transform(element)
                    sink.send(&result)
                } catch {
                    sink.finish(error)
                }
            }
        }
    }

    /// Delivers the results of `transform` for the elements for which it does not return `nil`.
    ///
    ///     _ = Observable.of("1", "x", "3").compactMap { Int($0) }.subscribe(onNext: { print($0) })  // 1, 3
    ///
    /// If `transform` throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> Observable<Result> {
        lift { address, sink in
            sink.receive(address) { (sink: OperatorSink, element: inout Element) in
                do {
                    if var result = try transform(element) { sink.send(&result) }
                } catch {
                    sink.finish(error)
                }
            }
        }
    }
}
