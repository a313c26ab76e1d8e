import Rx

/// A sequence with known events that records when it was subscribed to, and until when.
public class TestableObservable<Element>: ObservableType {
    /// The events it sends: at these ticks if hot, so many ticks after a subscription if cold.
    public let recordedEvents: [Recorded<Event<Element>>]

    fileprivate let scheduler: TestScheduler
    private let record = Guarded<[Subscription]>([])

    init(scheduler: TestScheduler, recordedEvents: [Recorded<Event<Element>>]) {
        self.scheduler = scheduler
        self.recordedEvents = recordedEvents
    }

    /// The subscriptions so far, in the order in which they began.
    public final var subscriptions: [Subscription] { record.withLock { $0 } }

    /// Subscribes `observer`, and records when. It receives the events as they were recorded, also those behind a stop
    /// event, until the result is disposed: operators and subscribers that are functions stand behind `asObservable()`,
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

    /// Starts calling `send` with the events, until the result is disposed.
    fileprivate func attach(_ send: @escaping (Event<Element>) -> Void) -> any Disposable {
        fatalError("A testable observable overrides attach(_:).")
    }
}

/// Sends each event at its tick to those who are subscribed then.
final class HotObservable<Element>: TestableObservable<Element> {
    private struct Observers {
        var nextKey = 0
        var current: [(key: Int, send: (Event<Element>) -> Void)] = []
    }

    private let observers = Guarded(Observers())

    override init(scheduler: TestScheduler, recordedEvents: [Recorded<Event<Element>>]) {
        super.init(scheduler: scheduler, recordedEvents: recordedEvents)
        for recorded in recordedEvents {
            // Weakly: a subscription keeps the observable, and without one its events are not missed.
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
            // The observer is let go outside the lock, as that may run its owner's code.
            let removed = self.observers.withLock { observers in
                observers.current.firstIndex { $0.key == key }.map { observers.current.remove(at: $0) }
            }
            _ = removed
        }
    }
}

/// Sends each subscriber its own run of the events.
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

    /// The events that have arrived.
    public var events: [Recorded<Event<Element>>] { recorded.withLock { $0 } }

    /// Records an event at the present tick.
    public func on(_ event: Event<Element>) {
        let entry = Recorded(time: scheduler.clock, value: event)
        recorded.withLock { $0.append(entry) }
    }
}
