extension ObservableType {
    /// This sequence, subscribed to and disposed on `scheduler`.
    ///
    ///     let page = load().subscribe(on: ConcurrentDispatchQueueScheduler(qos: .background))
    ///
    /// Where its events are delivered is not changed: see `observe(on:)`. Once disposed no event follows, even before `scheduler`
    /// has come to end the subscription. Two allocations per subscription, none per element.
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let source = asObservable()
        return SourceObservable { sink in
            let subscription = MovedSubscription(scheduler: scheduler, down: sink)
            sink.connect(subscription)
            subscription.start(source)
        }
    }
}

/// A subscription that begins and ends on a scheduler.
private final class MovedSubscription: Sink, @unchecked Sendable {
    // @unchecked: as every sink.

    /// Never cleared: as `Joint.down`.
    private let down: Sink
    private let scheduler: any ImmediateSchedulerType
    /// The turn in which the source is subscribed to.
    private let beginning = SingleAssignmentDisposable()

    init(scheduler: any ImmediateSchedulerType, down: Sink) {
        self.scheduler = scheduler
        self.down = down
        super.init(token: { address, sink in
            unsafeDowncast(sink, to: MovedSubscription.self).down.emit(at: address)
        })
        count(as: "subscribe(on:)")
    }

    func start(_ source: ObservableBase) {
        beginning.setDisposable(scheduler.schedule(self) { subscription in
            if !subscription.isStopped { source.subscribe(sink: subscription) }
            return Disposables.create()
        })
    }

    /// What lies downstream then disposes this.
    override func end(_ error: (any Error)?) {
        if !isStopped { down.end(error) }
    }

    /// Refuses events from now on, and releases the source on the scheduler.
    override func dispose() {
        let claim = stop()
        guard claim.isWon else { return }
        beginning.dispose()
        guard claim.wasConnected else { return }
        _ = scheduler.schedule(self) { subscription in
            subscription.releaseUpstream(claim)
            return Disposables.create()
        }
    }
}
