extension ObservableType {
    /// Delivers each element except the first, together with the previous one.
    ///
    ///     _ = Observable.of(1, 2, 4).pairwise().subscribe(onNext: { print($0 + $1) })  // 3, 6
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func pairwise() -> Observable<(Element, Element)> {
        lift(state: Element?.none) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Element?>, element: inout Element) in
                let previous = sink.state
                sink.state = element
                guard let previous else { return }
                var pair = (previous, element)
                sink.send(&pair)
            }
        }
    }
}
