/// A sequence of events for the screen: it never fails, delivers on the main queue, shares one subscription, and
/// replays nothing.
///
///     let saved: Signal<Void> = save().asSignal(onErrorSignalWith: .empty())
///     let subscription = saved.emit(onNext: { print("saved") })  // saved
///
/// Events, such as taps: a late subscriber has missed them. For state, see `Driver`.
public typealias Signal<Element> = SharedSequence<SignalSharingStrategy, Element>

/// Shares among the present subscribers.
public struct SignalSharingStrategy: SharingStrategyProtocol {
    /// The result of `SharingScheduler.make`: the main scheduler.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// The sequence, shared while it has subscribers.
    ///
    /// - Complexity: As `share(replay:scope:)` of observables.
    @inlinable
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(scope: .whileConnected)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// This sequence.
    ///
    /// - Complexity: No allocation: it is the sequence itself.
    @inlinable
    public func asSignal() -> Signal<Element> { asSharedSequence() }

    /// The results of `resultSelector` for the object and each element. The object is not kept alive; once it is gone,
    /// the sequence completes at the next element.
    ///
    ///     let lines = messages.asSignal(onErrorJustReturn: "")
    ///         .withUnretained(label) { label, message in label.text + message }
    ///
    /// - Complexity: As `withUnretained(_:resultSelector:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        SharedSequence<SharingStrategy, Result>(asObservable().withUnretained(object, resultSelector: resultSelector))
    }

    /// The object and each element. The object is not kept alive; once it is gone, the sequence completes at the next
    /// element.
    ///
    /// - Complexity: As `withUnretained(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        withUnretained(object) { ($0, $1) }
    }
}

extension ObservableConvertibleType {
    /// A signal that sends `element` in place of an error, and completes.
    ///
    /// - Complexity: As `observe(on:)` and `catchAndReturn(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asSignal(onErrorJustReturn element: Element) -> Signal<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// A signal that goes on with another in place of an error.
    ///
    ///     let asked = requests.asSignal(onErrorSignalWith: .empty())
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asSignal(onErrorSignalWith signal: Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorDriveWith: signal)
    }

    /// A signal that goes on, in place of an error, with the result of `onErrorRecover` for it.
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asSignal(onErrorRecover: @escaping (any Error) -> Signal<Element>) -> Signal<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension PublishRelay {
    /// The relay as a signal: nothing to recover from.
    ///
    ///     let taps = PublishRelay<Int>()
    ///     let subscription = taps.asSignal().emit(onNext: { print("tap", $0) })
    ///     taps.accept(1)  // tap 1
    ///
    /// - Complexity: As `observe(on:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asSignal() -> Signal<Element> { asSharedSequence() }

    /// The relay as a shared sequence: nothing to recover from.
    ///
    /// - Complexity: As `observe(on:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asSharedSequence<Strategy: SharingStrategyProtocol>(
        strategy: Strategy.Type = Strategy.self
    ) -> SharedSequence<Strategy, Element> {
        SharedSequence(observe(on: Strategy.scheduler))
    }
}

// All of them are to be called on the main queue, where the values are delivered.
extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Delivers values, completion and the disposal to functions, on the main queue.
    ///
    ///     let subscription = Signal.just(1).emit(onNext: { print($0) })  // 1
    ///
    /// Call it on the main queue: elsewhere it ends the program.
    ///
    /// - Parameters:
    ///   - onNext: called with each element.
    ///   - onCompleted: called at completion.
    ///   - onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early.
    @inlinable @inline(__always)
    public func emit(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers to functions that receive `object`, without keeping it alive: once it is gone, none of them is called.
    ///
    ///     let subscription = Signal.just("Sent").emit(with: label, onNext: { label, message in label.text = message })
    @inlinable
    public func emit<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes for the side effects of the sequence alone.
    @inlinable
    public func emit() -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().subscribe()
    }

    /// Delivers every event to the observers, completion included.
    ///
    ///     let subscription = Signal.just("Sent").emit(to: label.rx.text)
    @inlinable
    public func emit<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        ensureMainQueue("emit")
        return asObservable().deliver(toEach: observers)
    }

    /// Delivers every event to observers of optional values, completion included.
    @inlinable
    public func emit<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        ensureMainQueue("emit")
        return asObservable().deliver(toEach: observers)
    }

    /// Makes each value the latest one of the relays.
    @_alwaysEmitIntoClient
    public func emit(to relays: BehaviorRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Makes each value the latest one of relays of optional values.
    @_alwaysEmitIntoClient
    public func emit(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into the relays.
    @_alwaysEmitIntoClient
    public func emit(to relays: PublishRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into relays of optional values.
    @_alwaysEmitIntoClient
    public func emit(to relays: PublishRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into the relays, which remember it.
    @_alwaysEmitIntoClient
    public func emit(to relays: ReplayRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into relays of optional values, which remember it.
    @_alwaysEmitIntoClient
    public func emit(to relays: ReplayRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }
}
