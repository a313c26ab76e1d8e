extension ObservableType {
    /// Each element that no other one follows within `dueTime`.
    ///
    ///     let query = text.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
    ///
    /// Completion sends an element that still waits; an error drops it. Elements are delivered on `scheduler`, the last
    /// one before completion on the source's thread.
    ///
    /// - Complexity: One allocation per subscription, beside those of its timer; none per element, which only moves the
    ///   timer. On a scheduler of the user's, whose timers cannot be moved, each element starts one.
    // Several times `map`: the deadline is computed for each element, which is most of it.
    @inlinable
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        typealias State = Timed<Element?>
        return coordinate(
            state: State(nil, dueTime, on: scheduler) { coordinator, number in
                coordinator.serial.withLock { if coordinator.state.fired(number) { coordinator.sendLatest() } }
            },
            onEnd: { coordinator, error in
                if let error { return coordinator.fail(error) }
                coordinator.serial.withLock { coordinator.sendLatest() }
                coordinator.complete()
            },
            onClose: StatefulCoordinator<State>.endTimer
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                if let number = coordinator.keepLatest(element) { coordinator.startRestartableTimer(number) }
            }
        }
    }
}

extension StatefulCoordinator where State: ~Copyable {
    /// Keeps an element in place of the one before, and begins the span anew: see `Timed.restart()`.
    @inlinable
    func keepLatest<Element>(_ element: Element) -> Int? where State == Timed<Element?> {
        let (number, forgotten) = serial.withLock {
            let forgotten = state.value
            state.value = element
            return (state.restart(), forgotten)
        }
        // Here at the earliest: its deinitialiser may be user code.
        return withExtendedLifetime(forgotten) { number }
    }

    /// Sends the element that waits. Under `serial`.
    @inlinable
    func sendLatest<Element>() where State == Timed<Element?> {
        guard var element = state.value, !isFinished else { return }
        state.value = nil
        down.emit(&element)
    }
}
