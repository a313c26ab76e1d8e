extension ObservableType {
    /// Each element that no other one follows within `dueTime`.
    ///
    ///     let query = text.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
    ///
    /// Completion sends an element that still waits; an error drops it. Elements are delivered on `scheduler`, the last one before completion
    /// on the source's thread. Per element, what `scheduler` takes for a timer.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        typealias State = Timed<Element?>
        return joint(
            state: State(nil),
            onEnd: { joint, error in
                if let error { return joint.fail(error) }
                joint.flush(joint.serial.withLock { joint.state.number })
                joint.complete()
            },
            onClose: StatefulJoint<State>.endTimer
        ) { address, sink in
            sink.receive(address) { (joint: StatefulJoint<State>, element: inout Element) in
                let number = joint.serial.withLock {
                    joint.state.value = element
                    joint.state.number += 1
                    return joint.state.number
                }
                joint.startTimer(number, after: dueTime, on: scheduler) { $0.flush($1) }
            }
        }
    }
}

extension StatefulJoint {
    /// Sends the element that waits, if none came after timer `number` was started.
    @inlinable
    func flush<Element>(_ number: Int) where State == Timed<Element?> {
        serial.lock()
        if state.number == number, var element = state.value, !isFinished {
            state.value = nil
            down.emit(&element)
        }
        serial.unlock()
    }
}
