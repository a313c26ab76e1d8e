extension ObservableType {
    /// The events of the sequence as values, its end included.
    ///
    ///     _ = Observable.just(1).materialize().subscribe(onNext: { print($0) })  // next(1), completed
    ///
    /// Never fails: an error becomes the value `.error`, followed by completion. One allocation per subscription,
    /// none per element.
    @inlinable
    public func materialize() -> Observable<Event<Element>> {
        link(
            state: (),
            onEnd: { (link: StatefulLink<Void>, error) in
                var last = Event<Element>(end: error)
                link.forward(&last)
                link.complete()
            },
            { address, sink in
                sink.receive(address) { (link: StatefulLink<Void>, element: inout Element) in
                    var event = Event.next(element)
                    link.forward(&event)
                }
            })
    }
}

extension ObservableType where Element: EventConvertible {
    /// The sequence whose events these values are: undoes `materialize()`.
    ///
    ///     _ = Observable.of(Event.next(1), .completed, .next(2)).dematerialize()
    ///         .subscribe(onNext: { print($0) })  // 1
    ///
    /// Ends at the first stop event among the values, or when this sequence ends. One allocation per subscription,
    /// none per element.
    @inlinable
    public func dematerialize() -> Observable<Element.Element> {
        link { address, sink in
            sink.receive(address) { (link: Link, element: inout Element) in
                switch element.event {
                case .next(var value): link.forward(&value)
                case .error(let error): link.fail(error)
                case .completed: link.complete()
                }
            }
        }
    }
}
