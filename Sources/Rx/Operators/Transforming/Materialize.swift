extension ObservableType {
    /// Delivers the events of the sequence as values, including its end.
    ///
    ///     _ = Observable.just(1).materialize().subscribe(onNext: { print($0) })  // next(1), completed
    ///
    /// Never fails: an error becomes the value `.error`, followed by completion.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func materialize() -> Observable<Event<Element>> {
        lift(
            state: (),
            onEnd: { (sink: StatefulOperatorSink<Void>, error) in
                var last = Event<Element>(end: error)
                sink.send(&last)
                sink.finish()
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Void>, element: inout Element) in
                    var event = Event.next(element)
                    sink.send(&event)
                }
            })
    }
}

extension ObservableType where Element: EventConvertible {
    /// Delivers the events that the elements describe. Reverses `materialize()`.
    ///
    ///     _ = Observable.of(Event.next(1), .completed, .next(2)).dematerialize()
    ///         .subscribe(onNext: { print($0) })  // 1
    ///
    /// Ends at the first error or completion among the elements, or when this sequence ends.
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func dematerialize() -> Observable<Element.Element> {
        lift { address, sink in
            sink.receive(address) { (sink: OperatorSink, element: inout Element) in
                switch element.event {
                case .next(var value): sink.send(&value)
                case .error(let error): sink.finish(error)
                case .completed: sink.finish()
                }
            }
        }
    }
}
