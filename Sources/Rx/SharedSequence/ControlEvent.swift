/// Something that can be seen as the events of a control.
public protocol ControlEventType: ObservableType {
    /// The events.
    func asControlEvent() -> ControlEvent<Element>
}

/// The events of a control, such as taps: never fails, subscribes and delivers on the main queue, replays nothing.
///
///     extension Reactive where Base: Player {
///         var start: ControlEvent<Void> { ControlEvent(events: base.starts) }
///     }
///
/// The control promises not to fail and to deliver on the main queue; the event sees to it that it is subscribed to
/// there.
public struct ControlEvent<Element>: ControlEventType, Sendable {
    private let events: Observable<Element>

    /// The events of a control.
    ///
    /// - Parameter events: does not fail, and delivers on the main queue. It is subscribed to there.
    public init<Events: ObservableType>(events: Events) where Events.Element == Element {
        self.events = events.subscribe(on: ConcurrentMainScheduler.instance)
    }

    /// Delivers the events to `observer`.
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        events.subscribe(observer)
    }

    /// The events without their promises.
    ///
    /// - Complexity: No allocation: it is the sequence itself.
    public func asObservable() -> Observable<Element> { events }

    /// This event.
    ///
    /// - Complexity: No allocation: it is the sequence itself.
    public func asControlEvent() -> ControlEvent<Element> { self }
}

extension ControlEventType {
    /// The events as a driver. An error, which the control has promised not to send, ends the program in debug builds
    /// and the sequence in release builds.
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    public func asDriver() -> Driver<Element> {
        asDriver { error in
            reportErrorInBinding(error)
            return .empty()
        }
    }

    /// The events as a signal. An error is treated as by `asDriver()`.
    ///
    ///     let starts = ControlEvent(events: player.starts)
    ///     let subscription = starts.asSignal().emit(onNext: { print("playing") })
    ///     player.start()  // playing
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    public func asSignal() -> Signal<Element> {
        asSignal { error in
            reportErrorInBinding(error)
            return .empty()
        }
    }
}
