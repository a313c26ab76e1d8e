extension ObservableType {
    /// Delivers this sequence, or `element` if the sequence completes without an element.
    ///
    ///     _ = Observable<Int>.empty().ifEmpty(default: 7).subscribe(onNext: { print($0) })  // 7
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func ifEmpty(default element: Element) -> Observable<Element> {
        // The state is whether no element has arrived yet.
        lift(
            state: true,
            onEnd: { (sink: StatefulOperatorSink<Bool>, error) in
                if let error { return sink.finish(error) }
                if sink.state {
                    sink.state = false
                    var element = element
                    sink.send(&element)
                }
                sink.finish()
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<Bool>, element: inout Element) in
                    sink.state = false
                    sink.send(&element)
                }
            })
    }

    /// Delivers this sequence, or `other` if the sequence completes without an element.
    ///
    ///     let rows = cached.ifEmpty(switchTo: loaded)
    ///
    /// `other` is subscribed to at the moment of that completion.
    ///
    /// - Complexity: One allocation per subscription and one more for `other`, none per element.
    @_alwaysEmitIntoClient
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        coordinate(
            state: true,
            onEnd: { (coordinator: StatefulCoordinator<Bool>, error) in
                if let error { return coordinator.finish(error) }
                guard coordinator.state else { return coordinator.finish() }
                coordinator.subscribe(to: other, through: Input(next: Input.sendUncontended, coordinator: coordinator))
            },
            { address, sink in
                sink.receive(address) { (coordinator: StatefulCoordinator<Bool>, element: inout Element) in
                    // Without the lock: `other` begins only after this sequence has ended.
                    coordinator.state = false
                    coordinator.sendUncontended(&element)
                }
            })
    }
}
