extension ObservableType {
    /// Delivers all elements in one array when the sequence completes.
    ///
    ///     _ = Observable.of(1, 2).toArray().subscribe(onSuccess: { print($0) })  // [1, 2]
    ///
    /// An empty sequence delivers `[]`. A failed sequence delivers its error.
    ///
    /// - Complexity: One allocation per subscription, plus the allocations of a growing array.
    @_alwaysEmitIntoClient
    public func toArray() -> Single<[Element]> {
        let array: Observable<[Element]> = lift(
            state: [Element](),
            onEnd: { (sink: StatefulOperatorSink<[Element]>, error) in
                if let error { return sink.finish(error) }
                var elements = sink.state
                sink.state = []
                sink.send(&elements)
                sink.finish()
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<[Element]>, element: inout Element) in
                    sink.state.append(element)
                }
            })
        return Single(raw: array)
    }
}
