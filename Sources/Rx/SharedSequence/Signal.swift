/// A sequence of events for a user interface. It never fails, delivers on the main queue, shares one subscription, and
/// does not replay elements.
///
///     let saved: Signal<Void> = save().asSignal(onErrorSignalWith: .empty())
///     let subscription = saved.emit(onNext: { print("saved") })  // saved
///
/// Use it for events such as taps: a late subscriber does not receive earlier events. For state, see `Driver`.
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element>

/// Shares one subscription among the current subscribers.
public struct SignalSharingStrategy: SharingStrategyProtocol {
    /// The main scheduler, as returned by `SharingScheduler.make`.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// Shares `source` while it has subscribers.
    ///
    /// - Complexity: The same as `share(replay:scope:)` on `Observable`.
    @inlinable
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(scope: .whileConnected)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Returns this sequence.
    ///
    /// - Complexity: No allocation. The result is the sequence itself.
    @_alwaysEmitIntoClient
    public func asSignal() -> Signal<Element> { asSharedSequence() }

    /// Combines `object` and each element with `resultSelector`. The object is not retained. After it is deallocated,
    /// the sequence completes at the next element.
    ///
    ///     let lines = messages.asSignal(onErrorJustReturn: "")
    ///         .withUnretained(label) { label, message in label.text + message }
    ///
    /// - Complexity: The same as `withUnretained(_:resultSelector:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence<SharingStrategy, Result>(asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// Delivers `object` with each element. The object is not retained. After it is deallocated, the sequence completes
    /// at the next element.
    ///
    /// - Complexity: The same as `withUnretained(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}

extension ObservableConvertibleType {
    /// Returns this sequence as a signal. If the sequence fails, the signal delivers `element` and completes.
    ///
    /// - Complexity: The same as `observe(on:)`, `catchAndReturn(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asSignal(onErrorJustReturn element: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// Returns this sequence as a signal. If the sequence fails, the signal continues with `signal`.
    ///
    ///     let asked = requests.asSignal(onErrorSignalWith: .empty())
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asSignal(onErrorSignalWith signal: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: signal)
    }

    /// Returns this sequence as a signal. If the sequence fails, the signal continues with the signal that
    /// `onErrorRecover` returns.
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asSignal(onErrorRecover: @escaping (any Error) -> Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension PublishRelay {
    /// Returns the values of the relay as a signal. A relay cannot fail, so the signal needs no error handling.
    ///
    ///     let taps = PublishRelay<Int>()
    ///     let subscription = taps.asSignal().emit(onNext: { print("tap", $0) })
    ///     taps.accept(1)  // tap 1
    ///
    /// - Complexity: The same as `observe(on:)` and `share(replay:scope:)` on `Observable`.
    @inlinable
    public func asSignal() -> Signal<Element> { asSharedSequence() }

    /// Returns the values of the relay as a shared sequence. A relay cannot fail, so the sequence needs no error
    /// handling.
    ///
    /// - Complexity: The same as `observe(on:)` and `share(replay:scope:)` on `Observable`.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        strategy: Strategy.Type = Strategy.self
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(observe(on: Strategy.scheduler))
    }
}

// Call these methods on the main queue. The values are delivered there.
extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Delivers values, completion and the disposal to closures, on the main queue.
    ///
    ///     let subscription = Signal.just(1).emit(onNext: { print($0) })  // 1
    ///
    /// Call it on the main queue. A call on another queue stops the program.
    ///
    /// - Parameters:
    ///   - onNext: called with each element.
    ///   - onCompleted: called at completion.
    ///   - onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early.
    @_alwaysEmitIntoClient @inline(__always)
    public func emit(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers the events to closures that receive `object`.
    ///
    /// The object is not retained. After it is deallocated, the closures are no longer called.
    ///
    ///     let subscription = Signal.just("Sent").emit(with: label, onNext: { label, message in label.text = message })
    @_alwaysEmitIntoClient
    public func emit<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes only for the side effects of the sequence.
    @_alwaysEmitIntoClient
    public func emit() -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().subscribe()
    }

    /// Delivers every event to the observers, including completion.
    ///
    ///     let subscription = Signal.just("Sent").emit(to: label.rx.text)
    @_alwaysEmitIntoClient
    public func emit<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        ensureMainQueue("emit")
        return asObservable().deliver(toEach: observers)
    }

    /// Delivers every event to observers of optional values, including completion.
    @_alwaysEmitIntoClient
    public func emit<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        ensureMainQueue("emit")
        return asObservable().deliver(toEach: observers)
    }

    /// Sets the value of the relays to each value.
    @_alwaysEmitIntoClient
    public func emit(to relays: BehaviorRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sets the value of relays of optional values to each value.
    @_alwaysEmitIntoClient
    public func emit(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to the relays.
    @_alwaysEmitIntoClient
    public func emit(to relays: PublishRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to relays of optional values.
    @_alwaysEmitIntoClient
    public func emit(to relays: PublishRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to the relays, which store it for replay.
    @_alwaysEmitIntoClient
    public func emit(to relays: ReplayRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to relays of optional values, which store it for replay.
    @_alwaysEmitIntoClient
    public func emit(to relays: ReplayRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }
}
