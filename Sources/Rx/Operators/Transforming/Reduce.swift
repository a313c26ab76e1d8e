extension ObservableType {
    /// All elements combined into one value, delivered when the sequence completes.
    ///
    ///     _ = Observable.of(1, 2, 3).reduce(0, accumulator: +).subscribe(onNext: { print($0) })  // 6
    ///
    /// An empty sequence gives `seed`. If `accumulator` throws, the sequence ends with that error. One allocation
    /// per subscription, none per element.
    @inlinable @inline(__always)
    public func reduce<Accumulate>(
        _ seed: Accumulate, accumulator: @escaping (Accumulate, Element) throws -> Accumulate
    ) -> Observable<Accumulate> {
        reduce(seed, accumulator: accumulator, mapResult: { $0 })
    }

    /// All elements combined into one value, which is transformed and delivered when the sequence completes.
    ///
    ///     _ = Observable.of(1, 2, 3).reduce(0, accumulator: +, mapResult: { "sum \($0)" })
    ///         .subscribe(onNext: { print($0) })  // sum 6
    ///
    /// If `accumulator` or `mapResult` throws, the sequence ends with that error. One allocation per subscription,
    /// none per element.
    @inlinable @inline(__always)
    public func reduce<Accumulate, Result>(
        _ seed: Accumulate,
        accumulator: @escaping (Accumulate, Element) throws -> Accumulate,
        mapResult: @escaping (Accumulate) throws -> Result
    ) -> Observable<Result> {
        link(
            state: seed,
            onEnd: { (link: StatefulLink<Accumulate>, error) in
                if let error { return link.fail(error) }
                do {
                    var result = try mapResult(link.state)
                    link.forward(&result)
                    link.complete()
                } catch {
                    link.fail(error)
                }
            },
            { address, sink in
                sink.receive(address) { (link: StatefulLink<Accumulate>, element: inout Element) in
                    do {
                        link.state = try accumulator(link.state, element)
                    } catch {
                        link.fail(error)
                    }
                }
            })
    }
}
