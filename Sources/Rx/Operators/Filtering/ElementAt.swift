extension ObservableType {
    /// Delivers the element at `index`, then completes.
    ///
    ///     _ = Observable.of("a", "b", "c").element(at: 1).subscribe(onNext: { print($0) })  // b
    ///
    /// Fails with `RxError.argumentOutOfRange` if the sequence completes before that element.
    ///
    /// - Parameter index: 0 or more.
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "element(at:) needs an index of 0 or more.")
        // The state is the number of elements that still precede the element at `index`, and -1 after that element.
        // Counting down cannot overflow.
        return lift(
            state: index,
            onEnd: { (sink: StatefulOperatorSink<Int>, error) in
                if let error { return sink.finish(error) }
                // A negative state means that the source completed during the delivery of the element: completion
                // follows the delivery.
                if sink.state >= 0 { sink.finish(RxError.argumentOutOfRange) }
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Int>, element: inout Element) in
                    guard sink.state >= 0 else { return }
                    sink.state -= 1
                    guard sink.state < 0 else { return }
                    sink.send(&element)
                    sink.finish()
                }
            })
    }
}
