extension ObservableType {
    /// The only element, delivered when the sequence completes.
    ///
    ///     _ = Observable.just(1).asSingle().subscribe(onSuccess: { print($0) })  // 1
    ///
    /// Fails with `RxError.noElements` if there is none, and with `RxError.moreThanOneElement` at a second one.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @inlinable
    public func asSingle() -> Single<Element> { Single(raw: only { $0.fail(RxError.noElements) }) }

    /// The only element, if there is one, delivered when the sequence completes.
    ///
    ///     _ = Observable<Int>.empty().asMaybe().subscribe(onCompleted: { print("none") })  // none
    ///
    /// Fails with `RxError.moreThanOneElement` at a second one.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @inlinable
    public func asMaybe() -> Maybe<Element> { Maybe(raw: only { $0.complete() }) }

    /// The only element, at completion.
    ///
    /// - Parameter onNone: ends a sequence without elements.
    @inlinable
    func only(onNone: @escaping (OperatorSink) -> Void) -> Observable<Element> {
        lift(
            state: Element?.none,
            onEnd: { (sink: StatefulOperatorSink<Element?>, error) in
                if let error { return sink.fail(error) }
                guard var element = sink.state else { return onNone(sink) }
                sink.forward(&element)
                sink.complete()
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Element?>, element: inout Element) in
                    if sink.state != nil { return sink.fail(RxError.moreThanOneElement) }
                    sink.state = .some(element)
                }
            })
    }
}

extension ObservableType where Element == Never {
    /// The sequence, which has no elements, as one that never has any.
    ///
    ///     let saved = rows.do(onNext: { print("saved", $0) }).ignoreElements().asCompletable()
    ///
    /// - Complexity: No allocation per subscription.
    @inlinable
    public func asCompletable() -> Completable { Completable(raw: asObservable()) }
}
