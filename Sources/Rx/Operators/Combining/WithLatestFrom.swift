extension ObservableType {
    /// Combines each element with the latest element of `second`, using `resultSelector`.
    ///
    ///     let submitted = taps.withLatestFrom(text) { _, text in text }
    ///
    /// Elements that arrive before the first element of `second` are dropped. `second` is subscribed to first. Its
    /// completion has no effect; its error, or an error that `resultSelector` throws, ends the sequence.
    ///
    /// - Complexity: Two allocations per subscription, none per element.
    @_alwaysEmitIntoClient @inline(__always)
    public func withLatestFrom<Second: ObservableConvertibleType, Result>(
        _ second: Second, resultSelector: @escaping (Element, Second.Element) throws -> Result
    ) -> Observable<Result> {
        typealias State = Second.Element?
        let remember: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, element: inout Second.Element) in
                input.withCoordinator { (coordinator: StatefulCoordinator<State>) in
                    coordinator.serial.withLock { coordinator.state.exchange(&element) }
                }
            }
        }
        return coordinate(
            state: State.none,
            start: { $0.subscribe(to: second.asObservable(), remember) }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                guard let latest = coordinator.serial.withLock({ coordinator.state }) else { return }
                do {
                    var result = try resultSelector(element, latest)
                    coordinator.send(&result)
                } catch {
                    coordinator.finish(error)
                }
            }
        }
    }

    /// Delivers the latest element of `second` at each element. Works like `withLatestFrom(_:resultSelector:)`.
    ///
    /// - Complexity: Two allocations per subscription, none per element.
    @_alwaysEmitIntoClient
    public func withLatestFrom<Second: ObservableConvertibleType>(_ second: Second) -> Observable<Second.Element> {
        withLatestFrom(second) { $1 }
    }
}
