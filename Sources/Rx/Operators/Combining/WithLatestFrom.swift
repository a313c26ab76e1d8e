extension ObservableType {
    /// What `resultSelector` makes of each element and the latest one of `second`.
    ///
    ///     let submitted = taps.withLatestFrom(text) { _, text in text }
    ///
    /// Elements that arrive before `second` has had one are dropped. `second` is subscribed to first; its completion
    /// changes nothing, its error, or what `resultSelector` throws, ends the sequence. Two allocations per
    /// subscription, none per element.
    @inlinable @inline(__always)
    public func withLatestFrom<Second: ObservableConvertibleType, Result>(
        _ second: Second, resultSelector: @escaping (Element, Second.Element) throws -> Result
    ) -> Observable<Result> {
        typealias State = Second.Element?
        let remember: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, element: inout Second.Element) in
                input.withJoint { (joint: StatefulJoint<State>) in
                    joint.serial.withLock { joint.state.exchange(&element) }
                }
            }
        }
        return joint(
            state: State.none,
            start: { joint in
                joint.subscribe(
                    second.asObservable(),
                    through: Input(next: remember, joint: joint) { input, error in
                        if let error { input.joint.fail(error) }
                    })
            }
        ) { address, sink in
            sink.receive(address) { (joint: StatefulJoint<State>, element: inout Element) in
                guard let latest = joint.serial.withLock({ joint.state }) else { return }
                do {
                    var result = try resultSelector(element, latest)
                    joint.forward(&result)
                } catch {
                    joint.fail(error)
                }
            }
        }
    }

    /// For each element the latest one of `second`. As `withLatestFrom(_:resultSelector:)`.
    @inlinable
    public func withLatestFrom<Second: ObservableConvertibleType>(_ second: Second) -> Observable<Second.Element> {
        withLatestFrom(second) { $1 }
    }
}
