extension ObservableType {
    /// Combines all elements into one value, and delivers the value when the sequence completes.
    ///
    ///     _ = Observable.of(1, 2, 3).reduce(0, accumulator: +).subscribe(onNext: { print($0) })  // 6
    ///
    /// An empty sequence delivers `seed`. If `accumulator` throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func reduce<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) throws -> Accumulate
    ) -> Observable<Accumulate> {
        reduce(seed, accumulator: accumulator, mapResult: { $0 })
    }

    /// Combines all elements into one value, and delivers the transformed value when the sequence completes.
    ///
    ///     _ = Observable.of(1, 2, 3).reduce(0, accumulator: +, mapResult: { "sum \($0)" })
    ///         .subscribe(onNext: { print($0) })  // sum 6
    ///
    /// If `accumulator` or `mapResult` throws, the sequence ends with that error.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func reduce<Accumulate, Result>(
        _ seed: Accumulate,
        accumulator: @escaping (Accumulate, Element) throws -> Accumulate,
        mapResult: @escaping (Accumulate) throws -> Result
    ) -> Observable<Result> {
        lift(
            state: seed,
            onEnd: { (sink: StatefulOperatorSink<Accumulate>, error) in
                if let error { return sink.finish(error) }
                do {
                    var result = try mapResult(sink.state)
                    sink.send(&result)
                    sink.finish()
                } catch {
                    sink.finish(error)
                }
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Accumulate>, element: inout Element) in
                    do {
                        sink.state = try accumulator(sink.state, element)
                    } catch {
                        sink.finish(error)
                    }
                }
            })
    }
}
