/// A type that converts to the events of a control.
public protocol ControlEventType: ObservableType {
    /// Returns the events of the control.
    func asControlEvent() -> ControlEvent<Element>
}

/// The events of a control, such as taps. The sequence never fails, subscribes and delivers on the main queue, and does
/// not replay elements.
///
///     extension Reactive where Base: Player {
///         var start: ControlEvent<Void> { ControlEvent(events: base.starts) }
///     }
///
/// The control guarantees that its events do not fail and are delivered on the main queue. `ControlEvent` guarantees
/// that the subscription is made on the main queue.
public struct ControlEvent<Element>: ControlEventType, Sendable {
    private let events: Observable<Element>

    /// Creates the sequence of events of a control.
    ///
    /// - Parameter events: the events of the control. They must not fail, and must be delivered on the main queue. They
    ///   are subscribed to on the main queue.
    public init<Events: ObservableType>(events: Events) where Events.Element == Element {
        self.events = events.subscribe(on: ConcurrentMainScheduler.instance)
    }

    /// Delivers the events to `observer`.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        events.subscribe(observer)
    }

    /// Returns the events as an observable.
    ///
    /// - Complexity: No allocation. The result is the sequence itself.
    public func asObservable() -> Observable<Element> { events }

    /// Returns this event.
    ///
    /// - Complexity: No allocation. The result is the sequence itself.
    public func asControlEvent() -> ControlEvent<Element> { self }
}

extension ControlEventType {
    /// Returns the events as a driver. The control guarantees that it does not send an error. If it does send one, the
    /// error stops the program in debug builds, and ends the sequence in release builds.
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    public func asDriver() -> Driver<Element> {
        asDriver { error in
            reportErrorInBinding(error)
            return .empty()
        }
    }

    /// Returns the events as a signal. An error is handled as in `asDriver()`.
    ///
    ///     let starts = ControlEvent(events: player.starts)
    ///     let subscription = starts.asSignal().emit(onNext: { print("playing") })
    ///     player.start()  // playing
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    public func asSignal() -> Signal<Element> {
        asSignal { error in
            reportErrorInBinding(error)
            return .empty()
        }
    }
}
