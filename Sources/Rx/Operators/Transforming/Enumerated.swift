extension ObservableType {
    /// Delivers each element with its index, counted from 0.
    ///
    ///     _ = Observable.of("a", "b").enumerated().subscribe(onNext: { print($0.index, $0.element) })  // 0 a, 1 b
    ///
    /// Fails with `RxError.overflow` at the element whose index would be `Int.max`.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func enumerated() -> Observable<(index: Int, element: Element)> { enumerated(from: 0) }

    /// Does the same as `enumerated()`, with a different first index. The overflow cannot be reached otherwise.
    @_alwaysEmitIntoClient
    package func enumerated(from start: Int) -> Observable<(index: Int, element: Element)> {
        lift(state: start) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Int>, element: inout Element) in
                let following = sink.state.addingReportingOverflow(1)
                if following.overflow { return sink.finish(RxError.overflow) }
                var result = (index: sink.state, element: element)
                sink.state = following.partialValue
                sink.send(&result)
            }
        }
    }
}
