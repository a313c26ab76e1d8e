import Rx

/// A sequence of known events that records the times of its subscriptions and their ends.
public class TestableObservable<Element>: ObservableType {
    /// The events that the sequence sends. The times are ticks for a hot sequence, and ticks after the subscription for
    /// a cold sequence.
    public let recordedEvents: [Recorded<Event<Element>>]

    fileprivate let scheduler: TestScheduler
    private let record = Guarded<[Subscription]>([])

    init(scheduler: TestScheduler, recordedEvents: [Recorded<Event<Element>>]) {
        self.scheduler = scheduler
        self.recordedEvents = recordedEvents
    }

    /// The subscriptions so far, in order of their start.
    public final var subscriptions: [Subscription] { record.withLock { $0 } }

    /// Subscribes `observer` and records the time. The observer receives the events as they were recorded, including
    /// events after a stop event, until the result is disposed. Operators and closure subscribers use `asObservable()`,
    /// which ends with the first stop event.
    public final func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        let began = scheduler.clock
        let index = record.withLock { record in
            record.append(Subscription(began))
            return record.count - 1
        }
        let feed = attach(observer.on)
        return Disposables.create {
            let ended = self.scheduler.clock
            self.record.withLock { $0[index] = Subscription(began, ended) }
            feed.dispose()
        }
    }

    /// Starts calling `send` with the events. Disposing the result stops the calls.
    fileprivate func attach(_ send: @escaping (Event<Element>) -> Void) -> any Disposable {
        fatalError("A testable observable overrides attach(_:).")
    }
}

/// Sends each event at its tick to the current subscribers.
final class HotObservable<Element>: TestableObservable<Element> {
    private struct Observers {
        var nextKey = 0
        var current: [(key: Int, send: (Event<Element>) -> Void)] = []
    }

    private let observers = Guarded(Observers())

    override init(scheduler: TestScheduler, recordedEvents: [Recorded<Event<Element>>]) {
        super.init(scheduler: scheduler, recordedEvents: recordedEvents)
        for recorded in recordedEvents {
            // Weak: a subscription retains the observable. Without a subscription, no one receives the events.
            scheduler.scheduleAt(recorded.time) { [weak self] in
                guard let self else { return }
                for (_, send) in self.observers.withLock({ $0.current }) { send(recorded.value) }
            }
        }
    }

    override fileprivate func attach(_ send: @escaping (Event<Element>) -> Void) -> any Disposable {
        let key = observers.withLock { observers in
            observers.nextKey += 1
            observers.current.append((observers.nextKey, send))
            return observers.nextKey
        }
        return Disposables.create {
            // The observer is released outside the lock, because the release may run user code.
            let removed = self.observers.withLock { observers in
                observers.current.firstIndex { $0.key == key }.map { observers.current.remove(at: $0) }
            }
            _ = removed
        }
    }
}

/// Sends the events to each subscriber separately, relative to its subscription.
final class ColdObservable<Element>: TestableObservable<Element> {
    override fileprivate func attach(_ send: @escaping (Event<Element>) -> Void) -> any Disposable {
        let pending = recordedEvents.map { recorded in
            scheduler.scheduleRelativeVirtual((), dueTime: recorded.time) { _ in
                send(recorded.value)
                return Disposables.create()
            }
        }
        return Disposables.create(pending)
    }
}

/// An observer that records each event with the tick at which it arrived.
public final class TestableObserver<Element>: ObserverType {
    private let scheduler: TestScheduler
    private let recorded = Guarded<[Recorded<Event<Element>>]>([])

    init(scheduler: TestScheduler) { self.scheduler = scheduler }

    /// The recorded events.
    public var events: [Recorded<Event<Element>>] { recorded.withLock { $0 } }

    /// Records an event at the current tick.
    public func on(_ event: Event<Element>) {
        let entry = Recorded(time: scheduler.clock, value: event)
        recorded.withLock { $0.append(entry) }
    }
}
