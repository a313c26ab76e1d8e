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
private final class MovedSubscription: Sink {
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

    /// A source that ends by itself is released by whoever has ended it, without a turn of the scheduler.
    override func receiveEnd(_ error: (any Error)?) {
        if stop() { down.end(error) }
    }

    /// Refuses events from now on, and releases the source on the scheduler.
    override func dispose() {
        guard stop() else { return }
        beginning.dispose()
        if refuseUpstream() { return }
        _ = scheduler.schedule(self) { subscription in
            subscription.releaseUpstream()
            return Disposables.create()
        }
    }
}
