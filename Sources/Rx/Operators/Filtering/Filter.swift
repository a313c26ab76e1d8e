extension ObservableType {
    /// Delivers the elements for which `predicate` holds.
    ///
    ///     _ = Observable.of(1, 2, 3).filter { $0 != 2 }.subscribe(onNext: { print($0) })  // 1, 3
    ///
    /// If `predicate` throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func filter(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        lift(fusing: FusibleClosure(predicate: predicate), isPredicate: true) { address, sink in
            sink.receive(address) { (sink: OperatorSink, element: inout Element) in
                do {
                    if try predicate(element) { sink.send(&element) }
                } catch {
                    sink.finish(error)
                }
            }
        }
    }
}

extension ObservableType {
    /// Ignores all elements and delivers only the end of the sequence.
    ///
    ///     _ = Observable.of(1, 2).ignoreElements().subscribe(onCompleted: { print("done") })  // done
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func ignoreElements() -> Observable<Never> { lift { _, _ in } }
}
