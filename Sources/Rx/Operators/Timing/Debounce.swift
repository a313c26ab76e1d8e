extension ObservableType {
    /// Delivers each element that no other element follows within `dueTime`.
    ///
    ///     let query = text.debounce(.milliseconds(300), scheduler: MainScheduler.instance)
    ///
    /// Completion sends an element that still waits, and an error drops it. Elements are delivered on `scheduler`,
    /// except that an element which completion sends is delivered on the source's thread.
    ///
    /// - Complexity: One allocation per subscription, plus the allocations of its timer; none per element, which only
    ///   moves the timer. On a user's scheduler, whose timers cannot be moved, each element starts a timer.
    // Several times the cost of `map`: most of it is computing the deadline for each element.
    @_alwaysEmitIntoClient
    public func debounce(_ dueTime: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        typealias State = Timed<Element?>
        return coordinate(
            state: State(nil, dueTime, on: scheduler) { coordinator, number in
                coordinator.serial.withLock { if coordinator.state.fired(number) { coordinator.sendLatest() } }
            },
            onEnd: { coordinator, error in
                if let error { return coordinator.finish(error) }
                coordinator.serial.withLock { coordinator.sendLatest() }
                coordinator.finish()
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
    /// Stores an element, which replaces the previous one, and restarts the span: see `Timed.restart()`.
    @_alwaysEmitIntoClient
    func keepLatest<Element>(_ element: Element) -> Int? where State == Timed<Element?> {
        let (number, forgotten) = serial.withLock {
            let forgotten = state.value
            state.value = element
            return (state.restart(), forgotten)
        }
        // Releases the previous element after the lock, because its deinitialiser may be user code.
        return withExtendedLifetime(forgotten) { number }
    }

    /// Sends the waiting element, if there is one. The caller holds `serial`.
    @_alwaysEmitIntoClient
    func sendLatest<Element>() where State == Timed<Element?> {
        guard var element = state.value, !isFinished else { return }
        state.value = nil
        sendUncontended(&element)
    }
}
