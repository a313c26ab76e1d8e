extension ObservableType {
    /// Delivers the first `count` elements, then completes.
    ///
    ///     _ = Observable.of(1, 2, 3).take(2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// Completes, and ends this sequence, right after the last of these elements. `take(0)` is empty and never
    /// subscribes to this sequence.
    ///
    /// - Parameter count: 0 or more.
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func take(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "take needs a count of 0 or more.")
        if count == 0 { return .empty() }
        return lift(state: count) { address, sink in
            sink.receive(address) { (sink: StatefulOperatorSink<Int>, element: inout Element) in
                // Counted before the element is forwarded, because its receiver may send the next one synchronously.
                guard sink.state > 0 else { return }
                sink.state -= 1
                let isLast = sink.state == 0
                sink.send(&element)
                if isLast { sink.finish() }
            }
        }
    }
}
