extension ObservableType {
    /// This sequence, subscribed to and disposed on `scheduler`.
    ///
    ///     let page = load().subscribe(on: ConcurrentDispatchQueueScheduler(qos: .background))
    ///
    /// Where its events are delivered is not changed: see `observe(on:)`. Once disposed no event follows, even before
    /// `scheduler` has come to end the subscription.
    ///
    /// - Complexity: Two allocations per subscription, beside those of two turns of the scheduler; none per element.
    public func subscribe(on scheduler: any ImmediateSchedulerType) -> Observable<Element> {
        let source = asObservable()
        let isForeign = !(self is ObservableBase)
        return SourceObservable { sink in
            let subscription = SubscribeOnSink(scheduler: scheduler, isForeign: isForeign, down: sink)
            sink.connect(subscription)
            subscription.start(source)
        }
    }
}

/// A subscription that begins and ends on a scheduler.
private final class SubscribeOnSink: TokenSink, @unchecked Sendable {
    // @unchecked: as every sink.

    /// Never cleared: as `Coordinator.down`.
    private let down: Sink
    private let scheduler: any ImmediateSchedulerType
    /// Whether the source is of a type of the user's, such as a test observable, which knows of no end but its
    /// disposal.
    private let isForeign: Bool
    /// The turn in which the source is subscribed to.
    private let beginning = SingleAssignmentDisposable()

    init(scheduler: any ImmediateSchedulerType, isForeign: Bool, down: Sink) {
        self.scheduler = scheduler
        self.isForeign = isForeign
        self.down = down
        super.init(token: { address, sink in
            sink.known(as: SubscribeOnSink.self).down.emit(at: address)
        })
        count(as: "subscribe(on:)")
    }

    func start(_ source: ObservableBase) {
        beginning.setDisposable(
            scheduler.schedule(self) { subscription in
                if !subscription.isStopped { source.subscribe(sink: subscription) }
                return Disposables.create()
            })
    }

    /// A source that ends by itself is released by the one that has ended it, without a turn of the scheduler, unless
    /// it is foreign.
    override func receiveEnd(_ error: (any Error)?) {
        if stopReleasingItself() { down.end(error) }
    }

    override func releaseAfterEnd() {
        if isForeign { releaseOnScheduler() } else { releaseUpstream() }
    }

    /// Refuses events from now on, and releases the source on the scheduler.
    override func dispose() {
        guard stopReleasingItself() else { return }
        beginning.dispose()
        releaseOnScheduler()
    }

    private func releaseOnScheduler() {
        guard let source = takeUpstream() else { return }
        _ = scheduler.schedule(source) { source in
            source.dispose()
            return Disposables.create()
        }
    }
}
