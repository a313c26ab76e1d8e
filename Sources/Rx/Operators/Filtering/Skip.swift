extension ObservableType {
    /// Delivers the elements after the first `count`.
    ///
    ///     _ = Observable.of(1, 2, 3).skip(2).subscribe(onNext: { print($0) })  // 3
    ///
    /// - Parameter count: the number of elements to drop; 0 or less drops no element.
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func skip(_ count: Int) -> Observable<Element> {
        lift(state: count) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Int>, element: inout Element) in
                if sink.state > 0 { sink.state -= 1 } else { sink.send(&element) }
            }
        }
    }

    /// Drops elements while `predicate` holds, and delivers the elements from the first one for which it does not hold.
    ///
    ///     _ = Observable.of(1, 5, 2).skip(while: { $0 < 3 }).subscribe(onNext: { print($0) })  // 5, 2
    ///
    /// `predicate` is not called again after that. If it throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func skip(while predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        lift(state: true) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Bool>, element: inout Element) in
                do {
                    if sink.state, try predicate(element) { return }
                    sink.state = false
                    sink.send(&element)
                } catch {
                    sink.finish(error)
                }
            }
        }
    }
}
