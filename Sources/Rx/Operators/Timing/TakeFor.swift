extension ObservableType {
    /// The elements of the first `duration`; then the sequence completes.
    ///
    ///     let warmUp = samples.take(for: .seconds(10), scheduler: scheduler)
    ///
    /// The completion comes on `scheduler`. One timer per subscription, none per element.
    @inlinable
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        joint(
            state: Timed(()),
            onClose: StatefulJoint<Timed<Void>>.endTimer,
            start: { $0.startTimer(0, after: duration, on: scheduler) { joint, _ in joint.complete() } }
        ) { address, sink in
            sink.receive(address) { (joint: Joint, element: inout Element) in joint.forward(&element) }
        }
    }

    /// The elements after the first `duration`.
    ///
    /// Completion and errors are passed on at any time. One timer per subscription, none per element.
    @inlinable
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        typealias State = Timed<Bool>
        return joint(
            state: State(false),
            onClose: StatefulJoint<State>.endTimer,
            start: {
                $0.startTimer(0, after: duration, on: scheduler) { joint, _ in
                    joint.serial.withLock { joint.state.value = true }
                }
            }
        ) { address, sink in
            sink.receive(address) { (joint: StatefulJoint<State>, element: inout Element) in
                // Without the lock: nobody else delivers.
                if joint.serial.withLock({ joint.state.value }) { joint.forwardUncontended(&element) }
            }
        }
    }
}
