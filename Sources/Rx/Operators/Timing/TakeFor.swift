extension ObservableType {
    /// Delivers the elements of the first `duration`, and then completes.
    ///
    ///     let warmUp = samples.take(for: .seconds(10), scheduler: scheduler)
    ///
    /// The completion is delivered on `scheduler`.
    ///
    /// - Complexity: One allocation per subscription, plus the allocations of its timer; none per element.
    @_alwaysEmitIntoClient
    public func take(for duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        coordinate(
            state: Timed((), duration, on: scheduler) { coordinator, _ in coordinator.finish() },
            onClose: StatefulCoordinator<Timed<Void>>.endTimer,
            start: { $0.startTimer(0, after: $0.state.dueTime) }
        ) { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in coordinator.send(&element) }
        }
    }

    /// Delivers the elements after the first `duration`.
    ///
    /// Completion and errors are passed on at any time.
    ///
    /// - Complexity: One allocation per subscription, plus the allocations of its timer; none per element.
    @_alwaysEmitIntoClient
    public func skip(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        typealias State = Timed<Bool>
        return coordinate(
            state: State(false, duration, on: scheduler) { coordinator, _ in
                coordinator.serial.withLock { coordinator.state.value = true }
            },
            onClose: StatefulCoordinator<State>.endTimer,
            start: { $0.startTimer(0, after: $0.state.dueTime) }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                // Delivers without the lock, because only this source delivers.
                if coordinator.serial.withLock({ coordinator.state.value }) { coordinator.sendUncontended(&element) }
            }
        }
    }
}
