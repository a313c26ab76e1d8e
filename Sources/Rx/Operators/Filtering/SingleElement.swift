extension ObservableType {
    /// Delivers the only element.
    ///
    ///     _ = Observable.of(1, 2).single().subscribe(
    ///         onNext: { print($0) },  // 1
    ///         onError: { print($0) }  // Sequence contains more than one element.
    ///     )
    ///
    /// The element is delivered immediately. The sequence fails with `RxError.noElements` if it is empty, and with
    /// `RxError.moreThanOneElement` at a second element.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func single() -> Observable<Element> { single { _ in true } }

    /// Delivers the only element for which `predicate` holds.
    ///
    ///     _ = Observable.of(1, 2, 3).single { $0 > 2 }.subscribe(onNext: { print($0) })  // 3
    ///
    /// The element is delivered immediately. The sequence fails with `RxError.noElements` if there is no such element,
    /// with `RxError.moreThanOneElement` at a second one, and with the error that `predicate` throws.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func single(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        lift(
            state: false,
            onEnd: { (sink: StatefulOperatorSink<Bool>, error) in
                if let error { return sink.finish(error) }
                if sink.state { sink.finish() } else { sink.finish(RxError.noElements) }
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Bool>, element: inout Element) in
                    do {
                        guard try predicate(element) else { return }
                    } catch {
                        return sink.finish(error)
                    }
                    if sink.state { return sink.finish(RxError.moreThanOneElement) }
                    sink.state = true
                    sink.send(&element)
                }
            })
    }

    /// Delivers the first element, or `nil` if the sequence is empty.
    ///
    ///     _ = Observable.of(1, 2).first().subscribe(onSuccess: { print($0 ?? 0) })  // 1
    ///
    /// Ends this sequence at its first element.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func first() -> Single<Element?> {
        // The state is whether the element has not arrived yet.
        let first: Observable<Element?> = lift(
            state: true,
            onEnd: { (sink: StatefulOperatorSink<Bool>, error) in
                if let error { return sink.finish(error) }
                guard sink.state else { return }
                sink.state = false
                var none = Element?.none
                sink.send(&none)
                sink.finish()
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Bool>, element: inout Element) in
                    guard sink.state else { return }
                    sink.state = false
                    var result = Optional(element)
                    sink.send(&result)
                    sink.finish()
                }
            })
        return Single(raw: first)
    }
}
