extension ObservableType {
    /// Delivers the latest element when `sampler` sends an element, if there has been a new element since the last
    /// time.
    ///
    ///     let readings = temperature.sample(everySecond)
    ///
    /// `sampler` is subscribed to last. Its completion samples a last time. The completion of this sequence takes
    /// effect at the next event of `sampler`, or immediately if `sampler` has completed. The error of either one ends
    /// the sequence immediately.
    ///
    /// - Parameters:
    ///   - sampler: the sequence whose elements request the latest element.
    ///   - defaultValue: the value to send if there is no new element; `nil` sends nothing.
    /// - Complexity: Four allocations per subscription, none per element.
    @_alwaysEmitIntoClient
    public func sample<Sampler: ObservableType>(_ sampler: Sampler, defaultValue: Element? = nil) -> Observable<Element>
    {
        typealias State = Sampled<Element>
        let (source, sampler) = (asObservable(), sampler.asObservable())
        return Observable.coordinate(
            state: State(),
            onEnd: { coordinator, error in
                if let error { return coordinator.finish(error) }
                let isLast = coordinator.serial.withLock {
                    coordinator.state.sourceCompleted = true
                    return coordinator.state.samplerCompleted
                }
                if isLast { coordinator.finish() }
            },
            feeds: [source, sampler],
            start: { coordinator in
                coordinator.subscribe(toPrimary: source)
                let next: Sink.Next = { address, sink in
                    sink.receive(address) { (input: Input, _: inout Sampler.Element) in
                        input.withCoordinator { (coordinator: StatefulCoordinator<State>) in
                            coordinator.sample(defaultValue)
                        }
                    }
                }
                coordinator.subscribe(
                    to: sampler,
                    through: Input(next: next, coordinator: coordinator) { input, error in
                        let coordinator = input.coordinator(of: State.self)
                        if let error { return coordinator.finish(error) }
                        coordinator.serial.withLock { coordinator.state.samplerCompleted = true }
                        coordinator.sample(defaultValue)
                    })
            }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                coordinator.serial.withLock { coordinator.state.latest.exchange(&element) }
            }
        }
    }
}

/// The state between two samples.
@usableFromInline
struct Sampled<Element> {
    /// The latest element that was not sent.
    @usableFromInline var latest: Element?
    @usableFromInline var sourceCompleted = false
    @usableFromInline var samplerCompleted = false

    @inlinable init() {}
}

extension StatefulCoordinator {
    /// Sends the latest element, and completes if the source has completed.
    @_alwaysEmitIntoClient
    func sample<Element>(_ defaultValue: Element?) where State == Sampled<Element> {
        serial.lock()
        let element = state.latest ?? defaultValue
        state.latest = nil
        let isLast = state.sourceCompleted
        if var element { sendLocked(&element) }
        serial.unlock()
        if isLast { finish() }
    }
}
