extension ObservableType {
    /// Combines each element with the previous result, and delivers each result.
    ///
    ///     _ = Observable.of(1, 2, 3).scan(0, accumulator: +).subscribe(onNext: { print($0) })  // 1, 3, 6
    ///
    /// If `accumulator` throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func scan<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) throws -> Accumulate
    ) -> Observable<Accumulate> {
        lift(state: seed) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Accumulate>, element: inout Element) in
                do {
                    var result = try accumulator(sink.state, element)
                    sink.state = result
                    sink.send(&result)
                } catch {
                    sink.finish(error)
                }
            }
        }
    }

    /// Updates one value in place with each element, and delivers the value each time.
    ///
    ///     _ = Observable.of(1, 2).scan(into: []) { $0.append($1) }.subscribe(onNext: { print($0) })  // [1], [1, 2]
    ///
    /// If `accumulator` throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element by the operator itself.
    @_alwaysEmitIntoClient @inline(__always)
    public func scan<Accumulate>(
        into seed: Accumulate, accumulator: @escaping (inout Accumulate, Element) throws -> Void
    ) -> Observable<Accumulate> {
        lift(state: seed) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Accumulate>, element: inout Element) in
                do {
                    try accumulator(&sink.state, element)
                    var result = sink.state
                    sink.send(&result)
                } catch {
                    sink.finish(error)
                }
            }
        }
    }
}
