extension ObservableType {
    /// The elements until `other` sends one; then the sequence completes.
    ///
    ///     let drag = moves.take(until: release)
    ///
    /// `other` is subscribed to first. Its completion changes nothing, its error ends the sequence.
    ///
    /// - Complexity: Two allocations per subscription, none per element.
    @inlinable
    public func take<Other: ObservableType>(until other: Other) -> Observable<Element> {
        coordinate(
            state: (),
            start: { $0.listen(to: other.asObservable(), Input.completing) }
        ) { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in coordinator.forward(&element)
            }
        }
    }

    /// The elements after `other` has sent one.
    ///
    ///     let afterLogin = messages.skip(until: login)
    ///
    /// `other` is subscribed to last; its completion changes nothing, the error of either ends the sequence. If this
    /// sequence completes before `other` has sent anything, no completion is sent: the subscription just ends.
    ///
    /// - Complexity: Two allocations per subscription, none per element.
    @inlinable
    public func skip<Other: ObservableType>(until other: Other) -> Observable<Element> {
        coordinate(
            state: false,
            onEnd: { coordinator, error in
                if let error { return coordinator.fail(error) }
                if coordinator.serial.withLock({ coordinator.state }) {
                    coordinator.complete()
                } else {
                    coordinator.down.disconnect()
                }
            },
            thenFeeds: [other.asObservable()],
            then: { $0.listen(to: other.asObservable(), Input.opening) }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<Bool>, element: inout Element) in
                coordinator.forwardIfOpen(&element)
            }
        }
    }
}

extension Input {
    /// The `next` of an input whose first element completes the coordinator.
    @usableFromInline static var completing: Sink.Next {
        { _, sink in sink.known(as: Input.self).coordinator.complete() }
    }

    /// The `next` of an input whose first element lets the primary source through.
    @usableFromInline static var opening: Sink.Next {
        { _, sink in
            let input = sink.known(as: Input.self)
            let coordinator = input.coordinator(of: Bool.self)
            coordinator.serial.withLock { coordinator.state = true }
            input.dispose()
        }
    }
}

extension StatefulCoordinator where State == Bool {
    /// Passes a value on once the state says so.
    @inlinable @inline(__always)
    func forwardIfOpen<Element>(_ element: inout Element) {
        serial.lock()
        if state, !isFinished { down.emit(&element) }
        serial.unlock()
    }
}
