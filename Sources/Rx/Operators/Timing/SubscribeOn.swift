extension ObservableType {
    /// Subscribes to this sequence, and disposes the subscription, on `scheduler`.
    ///
    ///     let page = load().subscribe(on: ConcurrentDispatchQueueScheduler(qos: .background))
    ///
    /// This operator does not change where events are delivered: see `observe(on:)`. No event follows after the
    /// subscription was disposed, even if `scheduler` has not ended it yet.
    ///
    /// - Complexity: Two allocations per subscription, plus the allocations of two turns of the scheduler; none per
    ///   element.
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
    // @unchecked: for the same reason as every sink.
    // Kernel-internal: emit, emitEnd, receiveEnd, releaseAfterEnd, releaseUpstream, stopReleasingItself, takeUpstream.
    // A segment of its own, because its source is released on the scheduler.

    /// Never cleared, like `Coordinator.down`.
    private let down: Sink
    private let scheduler: any ImmediateSchedulerType
    /// Whether the source has a user's type, such as a test observable. For such a source, only a disposal ends the
    /// subscription.
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

    /// Forwards the end of the source. Unless the source is foreign, the thread that ends it also releases it, without
    /// a turn of the scheduler.
    override func receiveEnd(_ error: (any Error)?) {
        if stopReleasingItself() { down.emitEnd(error) }
    }

    override func releaseAfterEnd() {
        if isForeign { releaseOnScheduler() } else { releaseUpstream() }
    }

    /// Stops receiving events, and releases the source on the scheduler.
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
