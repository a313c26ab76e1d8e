extension ObservableType {
    /// The only element.
    ///
    ///     _ = Observable.of(1, 2).single().subscribe(
    ///         onNext: { print($0) },  // 1
    ///         onError: { print($0) }  // Sequence contains more than one element.
    ///     )
    ///
    /// The element is delivered at once. The sequence fails with `RxError.noElements` if there is none, and with
    /// `RxError.moreThanOneElement` at a second one. One allocation per subscription, none per element.
    @inlinable
    public func single() -> Observable<Element> { single { _ in true } }

    /// The only element for which `predicate` holds.
    ///
    ///     _ = Observable.of(1, 2, 3).single { $0 > 2 }.subscribe(onNext: { print($0) })  // 3
    ///
    /// The element is delivered at once. The sequence fails with `RxError.noElements` if there is none, with
    /// `RxError.moreThanOneElement` at a second one, and with what `predicate` throws. One allocation per
    /// subscription, none per element.
    @inlinable @inline(__always)
    public func single(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        link(
            state: false,
            onEnd: { (link: StatefulLink<Bool>, error) in
                if let error { return link.fail(error) }
                if link.state { link.complete() } else { link.fail(RxError.noElements) }
            },
            { address, sink in
                sink.receive(address) { (link: StatefulLink<Bool>, element: inout Element) in
                    do {
                        guard try predicate(element) else { return }
                    } catch {
                        return link.fail(error)
                    }
                    if link.state { return link.fail(RxError.moreThanOneElement) }
                    link.state = true
                    link.forward(&element)
                }
            })
    }

    /// The first element, or `nil` if there is none.
    ///
    ///     _ = Observable.of(1, 2).first().subscribe(onSuccess: { print($0 ?? 0) })  // 1
    ///
    /// Ends this sequence as soon as there is an element. One allocation per subscription.
    @inlinable
    public func first() -> Single<Element?> {
        // The state tells whether the element is still awaited.
        let first: Observable<Element?> = link(
            state: true,
            onEnd: { (link: StatefulLink<Bool>, error) in
                if let error { return link.fail(error) }
                guard link.state else { return }
                link.state = false
                var none = Element?.none
                link.forward(&none)
                link.complete()
            },
            { address, sink in
                sink.receive(address) { (link: StatefulLink<Bool>, element: inout Element) in
                    guard link.state else { return }
                    link.state = false
                    var result = Optional(element)
                    link.forward(&result)
                    link.complete()
                }
            })
        return Single(raw: first)
    }
}
