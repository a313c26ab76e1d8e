extension ObservableType {
    /// Subscribes to this sequence again, after an error of type `Failure`, when the sequence that
    /// `notificationHandler` returns sends an element.
    ///
    ///     let page = load().retry { (errors: Observable<NetworkError>) in
    ///         errors.flatMap { _ in Observable<Int>.timer(.seconds(1), scheduler: scheduler) }
    ///     }
    ///
    /// The handler is called once per subscription. The end of the handler's sequence, completion or error, ends the
    /// result: immediately, or, while an attempt runs, when that attempt fails. Errors of other types end the result
    /// directly. The stack does not grow, however many attempts fail synchronously.
    ///
    /// - Complexity: Eight allocations per subscription and three for each new attempt, plus the allocations of the
    ///   closure; none per element.
    @_alwaysEmitIntoClient
    public func retry<TriggerObservable: ObservableType, Failure: Error>(
        when notificationHandler: @escaping (Observable<Failure>) -> TriggerObservable
    ) -> Observable<Element> {
        retrying(when: notificationHandler) { $0 as? Failure }
    }

    /// Subscribes to this sequence again, after an error, when the sequence that `notificationHandler` returns sends an
    /// element.
    ///
    /// Works like the overload for one type of error, for all errors.
    ///
    /// - Complexity: Eight allocations per subscription and three for each new attempt, plus the allocations of the
    ///   closure; none per element.
    @_alwaysEmitIntoClient
    public func retry<TriggerObservable: ObservableType>(
        when notificationHandler: @escaping (Observable<any Error>) -> TriggerObservable
    ) -> Observable<Element> {
        retrying(when: notificationHandler) { $0 }
    }

    @_alwaysEmitIntoClient
    func retrying<Trigger: ObservableType, Failure>(
        when handler: @escaping (Observable<Failure>) -> Trigger, _ cast: @escaping (any Error) -> Failure?
    ) -> Observable<Element> {
        typealias State = RetryWhen<Failure>
        let source = asObservable()
        // Only one source is alive at a time, and the notifier's end takes effect only while no source is alive.
        let forward = Input.sendUncontended
        return Observable.coordinate(
            state: State(),
            named: "retry",
            feeds: [source],
            start: { coordinator in
                let notifier = Input(
                    next: State.trigger(source, forward, cast), coordinator: coordinator, index: Input.last,
                    onEnd: State.triggerEnded)
                coordinator.subscribe(
                    to: handler(coordinator.state.errors.asObservable()).asObservable(), through: notifier)
                coordinator.attempt(source, forward, cast)
            })
    }
}

/// Whether the source waits for the next subscription, and the subject of its errors.
@usableFromInline
struct RetryWhen<Failure> {
    @usableFromInline let errors = PublishSubject<Failure>()
    @usableFromInline var phase = Phase.running
    /// The end of the notifier; the outer `nil` until the notifier has ended.
    @usableFromInline var notifierEnd: (any Error)??

    @inlinable init() {}

    /// ```text
    /// running ──the source fails──▶ waiting ──the notifier sends an element──▶ requested ──its round──▶ running
    /// ```
    ///
    /// In any phase except `running`, the end of the notifier ends the sequence.
    @usableFromInline
    enum Phase { case running, waiting, requested }

    /// Returns the `next` of the notifier's input, which begins another attempt if the last one has failed.
    @inlinable
    static func trigger(
        _ source: ObservableBase, _ forward: @escaping Sink.Next, _ cast: @escaping (any Error) -> Failure?
    ) -> Sink.Next {
        { _, sink in
            let coordinator = sink.known(as: Input.self).coordinator(of: RetryWhen.self)
            let starts = coordinator.serial.withLock {
                guard coordinator.state.phase == .waiting else { return false }
                coordinator.state.phase = .requested
                return true
            }
            if starts { coordinator.attempt(source, forward, cast) }
        }
    }

    @inlinable
    static func triggerEnded(_ input: Input, _ error: (any Error)?) {
        let coordinator = input.coordinator(of: RetryWhen.self)
        let isRunning = coordinator.serial.withLock {
            coordinator.state.notifierEnd = .some(error)
            return coordinator.state.phase == .running
        }
        if !isRunning { coordinator.finish(error) }
    }
}

extension StatefulCoordinator {
    @_alwaysEmitIntoClient
    func attempt<Failure>(
        _ source: ObservableBase, _ forward: @escaping Sink.Next, _ cast: @escaping (any Error) -> Failure?
    )
    where State == RetryWhen<Failure> {
        drain.request {
            if isStopped { return }
            serial.withLock { state.phase = .running }
            subscribe(
                to: source,
                through: Input(next: forward, coordinator: self) { input, error in
                    let coordinator = input.coordinator(of: State.self)
                    guard let error else { return coordinator.finish() }
                    guard let failure = cast(error) else { return coordinator.finish(error) }
                    // Attempts do not overlap: the failed one is released before the notifier receives its error.
                    input.release()
                    coordinator.failed(with: failure)
                })
        }
    }

    /// Handles a failed attempt: sends its error to the notifier, or ends if the notifier has ended.
    @_alwaysEmitIntoClient
    func failed<Failure>(with failure: Failure) where State == RetryWhen<Failure> {
        let (notifierEnd, errors) = serial.withLock {
            state.phase = .waiting
            return (state.notifierEnd, state.errors)
        }
        if let notifierEnd { return finish(notifierEnd) }
        errors.onNext(failure)
    }
}
