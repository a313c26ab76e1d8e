extension ObservableType {
    /// The elements until `other` sends one; then the sequence completes.
    ///
    ///     let drag = moves.take(until: release)
    ///
    /// `other` is subscribed to first. Its completion changes nothing, its error ends the sequence.
    @inlinable
    public func take<Other: ObservableType>(until other: Other) -> Observable<Element> {
        joint(
            state: (),
            start: { joint in
                joint.subscribe(
                    other.asObservable(),
                    through: Input(next: Input.completing, joint: joint) { input, error in
                        if let error { input.joint.fail(error) }
                    })
            }
        ) { address, sink in
            sink.receive(address) { (joint: Joint, element: inout Element) in joint.forward(&element) }
        }
    }

    /// The elements after `other` has sent one.
    ///
    ///     let afterLogin = messages.skip(until: login)
    ///
    /// `other` is subscribed to last; its completion changes nothing, the error of either ends the sequence. If this
    /// sequence completes before `other` has sent anything, no completion is sent: the subscription just ends.
    @inlinable
    public func skip<Other: ObservableType>(until other: Other) -> Observable<Element> {
        joint(
            state: false,
            onEnd: { joint, error in
                if let error { return joint.fail(error) }
                if joint.serial.withLock({ joint.state }) { joint.complete() } else { joint.down.disconnect() }
            },
            thenFeeds: [other.asObservable()],
            then: { joint in
                joint.subscribe(
                    other.asObservable(),
                    through: Input(next: Input.opening, joint: joint) { input, error in
                        if let error { input.joint.fail(error) }
                    })
            }
        ) { address, sink in
            sink.receive(address) { (joint: StatefulJoint<Bool>, element: inout Element) in
                joint.forwardIfOpen(&element)
            }
        }
    }
}

extension Input {
    /// What an input does whose first element completes the joint.
    @usableFromInline static var completing: Sink.Next {
        { _, sink in unsafeDowncast(sink, to: Input.self).joint.complete() }
    }

    /// What an input does whose first element lets the primary source through.
    @usableFromInline static var opening: Sink.Next {
        { _, sink in
            let input = unsafeDowncast(sink, to: Input.self)
            let joint = input.joint(of: Bool.self)
            joint.serial.withLock { joint.state = true }
            input.dispose()
        }
    }
}

extension StatefulJoint where State == Bool {
    /// Passes a value on once the state says so.
    @inlinable @inline(__always)
    func forwardIfOpen<Element>(_ element: inout Element) {
        serial.lock()
        if state, !isFinished { down.emit(&element) }
        serial.unlock()
    }
}
