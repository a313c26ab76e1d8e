/// A sequence that drives a screen: it never fails, delivers on the main queue, shares one subscription, and gives
/// each subscriber the latest element first.
///
///     let name: Driver<String> = text.asDriver(onErrorJustReturn: "")
///     let subscription = name.drive(onNext: { print($0) })
///     text.onNext("Ada")  // Ada
///
/// State, such as the text of a field: what matters is the latest value. For events, such as taps, see `Signal`.
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element>

/// Shares among the present subscribers, with the latest element for each that comes later.
public struct DriverSharingStrategy: SharingStrategyProtocol {
    /// The result of `SharingScheduler.make`: the main scheduler.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// The sequence, shared and replaying its latest element while it has subscribers.
    ///
    /// - Complexity: As `share(replay:scope:)` of observables.
    @inlinable
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(replay: 1, scope: .whileConnected)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// This sequence.
    ///
    /// - Complexity: No allocation: it is the sequence itself.
    @inlinable
    public func asDriver() -> Driver<Element> { asSharedSequence() }

    /// Not on drivers: the latest pair, kept for later subscribers, would keep the object alive.
    @available(*, unavailable, message: "Capture the object weakly, or use drive(with:onNext:).")
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        fatalError("unavailable")
    }

    /// Not on drivers: as the other form.
    @available(*, unavailable, message: "Capture the object weakly, or use drive(with:onNext:).")
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        fatalError("unavailable")
    }
}

extension ObservableConvertibleType {
    /// A driver that sends `element` in place of an error, and completes.
    ///
    ///     let name = Observable<String>.error(RxError.unknown).asDriver(onErrorJustReturn: "nobody")
    ///     let subscription = name.drive(onNext: { print($0) })  // nobody
    ///
    /// A later subscriber subscribes to this sequence anew.
    ///
    /// - Complexity: As `observe(on:)` and `catchAndReturn(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// A driver that goes on with another in place of an error.
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asDriver(onErrorDriveWith driver: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: driver)
    }

    /// A driver that goes on, in place of an error, with the result of `onErrorRecover` for it.
    ///
    /// - Complexity: As `observe(on:)` and `catch(_:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asDriver(onErrorRecover: @escaping (any Error) -> Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension BehaviorRelay {
    /// The relay as a driver: nothing to recover from.
    ///
    ///     let level = BehaviorRelay(value: 1)
    ///     let subscription = level.asDriver().drive(onNext: { print($0) })  // 1
    ///
    /// - Complexity: As `observe(on:)` of observables, and `share(replay:scope:)`.
    @inlinable
    public func asDriver() -> Driver<Element> { asSharedSequence() }

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

// All of them are to be called on the main queue, where the values are delivered: a value that is replayed arrives
// before they return.
extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Delivers values, completion and the disposal to functions, on the main queue.
    ///
    ///     let subscription = Driver.just(1).drive(onNext: { print($0) })  // 1
    ///
    /// Call it on the main queue: elsewhere it ends the program.
    ///
    /// - Parameters:
    ///   - onNext: called with each element.
    ///   - onCompleted: called at completion.
    ///   - onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early.
    @inlinable @inline(__always)
    public func drive(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers to functions that receive `object`, without keeping it alive: once it is gone, none of them is called.
    ///
    ///     let subscription = Driver.just("Inbox").drive(with: label, onNext: { label, title in label.text = title })
    @inlinable
    public func drive<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes for the side effects of the sequence alone.
    @inlinable
    public func drive() -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().subscribe()
    }

    /// Delivers every event to the observers, completion included.
    ///
    ///     let subscription = Driver.just("Inbox").drive(label.rx.text)
    @inlinable
    public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        ensureMainQueue("drive")
        return asObservable().deliver(toEach: observers)
    }

    /// Delivers every event to observers of optional values, completion included.
    @inlinable
    public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        ensureMainQueue("drive")
        return asObservable().deliver(toEach: observers)
    }

    /// Makes each value the latest one of the relays.
    @_alwaysEmitIntoClient
    public func drive(_ relays: BehaviorRelay<Element>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Makes each value the latest one of relays of optional values.
    @_alwaysEmitIntoClient
    public func drive(_ relays: BehaviorRelay<Element?>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into the relays, which remember it.
    @_alwaysEmitIntoClient
    public func drive(_ relays: ReplayRelay<Element>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into relays of optional values, which remember it.
    @_alwaysEmitIntoClient
    public func drive(_ relays: ReplayRelay<Element?>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// The result of `transformation` for this sequence.
    @inlinable
    public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
        ensureMainQueue("drive")
        return transformation(asObservable())
    }

    /// The result of `with` for this sequence and `curriedArgument`.
    @inlinable
    public func drive<Argument, Result>(
        _ with: (Observable<Element>) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        ensureMainQueue("drive")
        return with(asObservable())(curriedArgument)
    }
}

/// Ends the program unless this is the main queue: values are delivered there, and one that is replayed would be late
/// elsewhere.
@usableFromInline
func ensureMainQueue(_ verb: StaticString) {
    if MainQueue.isCurrent { return }
    fatalError(
        """
        '\(verb)' was called on another queue than the main one. Call it there: from a @MainActor function, or in \
        DispatchQueue.main.async.
        """
    )
}
