extension ObservableType {
    /// Delivers the elements of the latest sequence that `selector` returned. The previous one is disposed.
    ///
    ///     let results = query.flatMapLatest { text in search(text) }
    ///
    /// Completes when this sequence and the last inner one have completed. An error, including an error that `selector`
    /// throws, ends the whole sequence. The inner sequences may run on any threads: after a new element has arrived
    /// here, no event of an older inner sequence is delivered.
    ///
    /// - Complexity: One allocation per subscription and one for each inner sequence that is not `just`, none per
    ///   element.
    // Several times the cost of `map` over `just`: most of it is creating and destroying the inner sequence. Replacing
    // an inner sequence that still runs costs a subscription and a disposal.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapLatest<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let forward = Input.sendingLatest(Source.Element.self)
        return coordinate(state: Latest(), onEnd: StatefulCoordinator<Latest>.outerEnded) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<Latest>, element: inout Element) in
                do {
                    let source = try selector(element).asObservable()
                    if !coordinator.passOnIfIdle(source) { coordinator.switchTo(source, forward) }
                } catch {
                    coordinator.finish(error)
                }
            }
        }
    }

    /// Delivers the elements of the sequences that `selector` returns. Elements that arrive while such a sequence runs
    /// are ignored.
    ///
    ///     // Taps during a save do nothing.
    ///     let saves = taps.flatMapFirst { _ in save() }
    ///
    /// Completes when this sequence and the inner one have completed. An error, including an error that `selector`
    /// throws, ends the whole sequence.
    ///
    /// - Complexity: One allocation per subscription and one for each inner sequence that is subscribed to and is not
    ///   `just`, none per element.
    // The cost of `flatMap`, plus one more turn under the lock, because `selector` is called outside it.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMapFirst<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let forward = Input.sending(Source.Element.self)
        return coordinate(state: false) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<Bool>, element: inout Element) in
                if coordinator.serial.withLock({ coordinator.state }) { return }
                do {
                    let source = try selector(element).asObservable()
                    if source.isScalar {
                        coordinator.letPass(source)
                    } else {
                        coordinator.occupy(with: source, forward)
                    }
                } catch {
                    coordinator.finish(error)
                }
            }
        }
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Delivers the elements of the latest inner sequence. The previous one is disposed.
    ///
    /// Completes when this sequence and the last inner one have completed. The first error ends the whole sequence.
    ///
    /// - Complexity: One allocation per subscription and one for each inner sequence that is not `just`, none per
    ///   element.
    @_alwaysEmitIntoClient
    public func switchLatest() -> Observable<Element.Element> { flatMapLatest { $0 } }
}

/// Identifies the latest inner sequence.
@usableFromInline
struct Latest {
    /// The number of inner sequences so far. Each input has this number as its index.
    @usableFromInline var generation = 0
    /// Whether the latest inner sequence has not completed. All inner sequences together count as one open source.
    @usableFromInline var isActive = false

    @inlinable init() {}
}

extension StatefulCoordinator where State == Latest {
    @usableFromInline
    func switchTo(_ source: ObservableBase, _ forward: @escaping Sink.Next) {
        let (generation, wasActive) = serial.withLock {
            defer { state.isActive = true }
            state.generation += 1
            return (state.generation, state.isActive)
        }
        if !wasActive { openSource() }
        disposeInputs()
        // Disposing runs user code, which may have sent a newer element.
        guard serial.withLock({ state.generation == generation }) else { return }
        if source.isScalar {
            serial.lock()
            if state.generation == generation, !isFinished { source.emitScalar(to: down) }
            serial.unlock()
            return innerEnded(generation, nil)
        }
        subscribe(
            to: source,
            through: Input(next: forward, coordinator: self, index: generation) { input, error in
                input.release()
                input.coordinator(of: Latest.self).innerEnded(input.index, error)
            })
    }

    /// Delivers an inner sequence of one value, if it replaces no other one: one turn under the lock instead of five.
    @_alwaysEmitIntoClient
    func passOnIfIdle<Element>(_ source: Observable<Element>) -> Bool {
        guard source.isScalar else { return false }
        serial.lock()
        if state.isActive {
            serial.unlock()
            return false
        }
        state.generation &+= 1
        state.isActive = true
        openSource()
        let generation = state.generation
        var element = source.scalarElement
        sendLocked(&element)
        // Otherwise a newer inner sequence arrived during the delivery of this one, and counts as the open source.
        let isLatest = state.generation == generation
        if isLatest { state.isActive = false }
        serial.unlock()
        if isLatest { finishSource() }
        return true
    }

    /// Releases the outer sequence at its completion, before the completion is reported.
    @usableFromInline
    static func outerEnded(_ coordinator: StatefulCoordinator, _ error: (any Error)?) {
        if error == nil { coordinator.releasePrimary() }
        coordinator.finishSource(error)
    }

    @usableFromInline
    func innerEnded(_ generation: Int, _ error: (any Error)?) {
        let wasLatest = serial.withLock {
            guard state.generation == generation else { return false }
            if error == nil { state.isActive = false }
            return true
        }
        if wasLatest { finishSource(error) }
    }
}

extension StatefulCoordinator where State == Bool {
    /// Delivers an inner sequence of one value. Elements that arrive during the delivery are ignored.
    @_alwaysEmitIntoClient
    func letPass<Element>(_ scalar: Observable<Element>) {
        openSource()
        serial.lock()
        state = true
        var element = scalar.scalarElement
        sendLocked(&element)
        state = false
        serial.unlock()
        finishSource()
    }

    /// Subscribes to the inner sequence that was accepted, as the state records.
    @usableFromInline
    func occupy(with source: ObservableBase, _ forward: @escaping Sink.Next) {
        serial.withLock { state = true }
        openSource()
        subscribe(
            to: source,
            through: Input(next: forward, coordinator: self) { input, error in
                if error == nil { input.release() }
                input.coordinator(of: Bool.self).innerEnded(error)
            })
    }

    @usableFromInline
    func innerEnded(_ error: (any Error)?) {
        if error == nil { serial.withLock { state = false } }
        finishSource(error)
    }
}

extension Input {
    /// The `next` of an input whose elements go downstream while it is the latest one.
    @_alwaysEmitIntoClient @inline(__always)
    static func sendingLatest<Element>(_ type: Element.Type) -> Sink.Next {
        { address, sink in
            sink.receive(address) { (input: Input, element: inout Element) in
                input.withCoordinator { (coordinator: StatefulCoordinator<Latest>) in
                    coordinator.serial.lock()
                    if coordinator.state.generation == input.index { coordinator.sendLocked(&element) }
                    coordinator.serial.unlock()
                }
            }
        }
    }
}
