import Rx

/// An observer that records each event with the tick at which it arrived.
public final class TestableObserver<Element>: ObserverType {
    private let scheduler: TestScheduler
    private let recorded = Guarded<[Recorded<Event<Element>>]>([])

    init(scheduler: TestScheduler) { self.scheduler = scheduler }

    /// What has arrived.
    public var events: [Recorded<Event<Element>>] { recorded.withLock { $0 } }

    /// Records an event at the present tick.
    public func on(_ event: Event<Element>) {
        let entry = Recorded(time: scheduler.clock, value: event)
        recorded.withLock { $0.append(entry) }
    }
}
