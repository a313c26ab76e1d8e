extension ObservableType {
    /// The element at `index`, then completion.
    ///
    ///     _ = Observable.of("a", "b", "c").element(at: 1).subscribe(onNext: { print($0) })  // b
    ///
    /// A sequence that completes before it fails with `RxError.argumentOutOfRange`.
    ///
    /// - Parameter index: 0 or more.
    /// - Complexity: One allocation per subscription, none per element.
    @inlinable
    public func element(at index: Int) -> Observable<Element> {
        precondition(index >= 0, "element(at:) needs an index of 0 or more.")
        // The state is the number of elements before the one to deliver, and -1 after it. Counting down cannot
        // overflow.
        return lift(
            state: index,
            onEnd: { (sink: StatefulOperatorSink<Int>, error) in
                if let error { return sink.fail(error) }
                // Completed from inside the delivery of the element: completion follows that.
                if sink.state >= 0 { sink.fail(RxError.argumentOutOfRange) }
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Int>, element: inout Element) in
                    guard sink.state >= 0 else { return }
                    sink.state -= 1
                    guard sink.state < 0 else { return }
                    sink.forward(&element)
                    sink.complete()
                }
            })
    }
}
