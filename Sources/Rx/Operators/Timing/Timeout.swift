extension ObservableType {
    /// The elements, or `RxError.timeout` if the next one does not come within `dueTime`.
    ///
    ///     let page = load().timeout(.seconds(5), scheduler: MainScheduler.instance)
    ///
    /// Time counts from the subscription and from each element. One timer per element.
    @inlinable
    public func timeout(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        timeout(dueTime, other: Observable.error(RxError.timeout), scheduler: scheduler)
    }

    /// The elements, or those of `other` once the next one does not come within `dueTime`.
    ///
    /// Time counts from the subscription and from each element. When it is over, this sequence is disposed and `other`
    /// subscribed to. An element due at the very moment is delivered if its source scheduled it earlier. One timer per element.
    @inlinable
    public func timeout<Other: ObservableConvertibleType>(
        _ dueTime: RxTimeInterval, other: Other, scheduler: any SchedulerType
    ) -> Observable<Element> where Other.Element == Element {
        typealias State = Timed<Bool>
        let forward = Input.forwardUncontended
        let expire: (StatefulJoint<State>, Int) -> Void = { joint, number in
            if !joint.expire(number) { return }
            joint.disposePrimary()
            joint.subscribe(other.asObservable(), through: Input(next: forward, joint: joint))
        }
        return joint(
            state: State(false),
            onEnd: { joint, error in
                if joint.expire(nil) { joint.finish(error) }
            },
            onClose: StatefulJoint<State>.endTimer,
            start: { $0.startTimer(0, after: dueTime, on: scheduler, expire) }
        ) { address, sink in
            sink.receive(address) { (joint: StatefulJoint<State>, element: inout Element) in
                joint.serial.lock()
                let isInTime = !joint.state.value
                joint.state.number += 1
                let number = joint.state.number
                if isInTime, !joint.isFinished { joint.down.emit(&element) }
                joint.serial.unlock()
                if isInTime, !joint.isStopped { joint.startTimer(number, after: dueTime, on: scheduler, expire) }
            }
        }
    }
}

extension StatefulJoint where State == Timed<Bool> {
    /// Gives up the source: at its own end (`nil`), or because timer `number` was not outrun by an element. `true` the first time.
    @usableFromInline
    func expire(_ number: Int?) -> Bool {
        serial.withLock {
            if state.value || (number != nil && number != state.number) { return false }
            state.value = true
            return true
        }
    }
}
