/// A sequence of state for a user interface. It never fails, delivers on the main queue, shares one subscription, and
/// first delivers the latest element to each subscriber.
///
///     let name: Driver<String> = text.asDriver(onErrorJustReturn: "")
///     let subscription = name.drive(onNext: { print($0) })
///     text.onNext("Ada")  // Ada
///
/// Use it for state, such as the text of a field, of which only the latest value matters. For events, such as taps, see
/// `Signal`.
public typealias Driver<Element> = SharedSequence<DriverSharingStrategy, Element>

/// Shares one subscription among the current subscribers. A later subscriber receives the latest element first.
public struct DriverSharingStrategy: SharingStrategyProtocol {
    /// The main scheduler, as returned by `SharingScheduler.make`.
    public static var scheduler: any SchedulerType { SharingScheduler.make() }

    /// Shares `source` while it has subscribers, and replays its latest element.
    ///
    /// - Complexity: The same as `share(replay:scope:)` on `Observable`.
    @inlinable
    public static func share<Element>(_ source: Observable<Element>) -> Observable<Element> {
        source.share(replay: 1, scope: .whileConnected)
    }
}

extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Returns this sequence.
    ///
    /// - Complexity: No allocation. The result is the sequence itself.
    @_alwaysEmitIntoClient
    public func asDriver() -> Driver<Element> { asSharedSequence() }

    /// Unavailable on drivers: the latest pair, which is stored for later subscribers, would retain the object.
    @available(*, unavailable, message: "Capture the object weakly, or use drive(with:onNext:).")
    public func withUnretained<Object: AnyObject, Result>(
        _ object: Object, resultSelector: @escaping (Object, Element) -> Result
    ) -> SharedSequence<SharingStrategy, Result> {
        fatalError("unavailable")
    }

    /// Unavailable on drivers, for the same reason as `withUnretained(_:resultSelector:)`.
    @available(*, unavailable, message: "Capture the object weakly, or use drive(with:onNext:).")
    public func withUnretained<Object: AnyObject>(
        _ object: Object
    ) -> SharedSequence<SharingStrategy, (Object, Element)> {
        fatalError("unavailable")
    }
}

extension ObservableConvertibleType {
    /// Returns this sequence as a driver. If the sequence fails, the driver delivers `element` and completes.
    ///
    ///     let name = Observable<String>.error(RxError.unknown).asDriver(onErrorJustReturn: "nobody")
    ///     let subscription = name.drive(onNext: { print($0) })  // nobody
    ///
    /// A later subscriber subscribes to this sequence again.
    ///
    /// - Complexity: The same as `observe(on:)`, `catchAndReturn(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asDriver(onErrorJustReturn element: Element) -> Driver<Element> {
        asSharedSequence(onErrorJustReturn: element)
    }

    /// Returns this sequence as a driver. If the sequence fails, the driver continues with `driver`.
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asDriver(onErrorDriveWith driver: Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorDriveWith: driver)
    }

    /// Returns this sequence as a driver. If the sequence fails, the driver continues with the driver that
    /// `onErrorRecover` returns.
    ///
    /// - Complexity: The same as `observe(on:)`, `catch(_:)` and `share(replay:scope:)` on `Observable`.
    @_alwaysEmitIntoClient
    public func asDriver(onErrorRecover: @escaping (any Error) -> Driver<Element>) -> Driver<Element> {
        asSharedSequence(onErrorRecover: onErrorRecover)
    }
}

extension BehaviorRelay {
    /// Returns the values of the relay as a driver. A relay cannot fail, so the driver needs no error handling.
    ///
    ///     let level = BehaviorRelay(value: 1)
    ///     let subscription = level.asDriver().drive(onNext: { print($0) })  // 1
    ///
    /// - Complexity: The same as `observe(on:)` and `share(replay:scope:)` on `Observable`.
    @inlinable
    public func asDriver() -> Driver<Element> { asSharedSequence() }

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

// Call these methods on the main queue. The values are delivered there, and a replayed value is delivered before the
// call returns.
extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Delivers values, completion and the disposal to closures, on the main queue.
    ///
    ///     let subscription = Driver.just(1).drive(onNext: { print($0) })  // 1
    ///
    /// Call it on the main queue. A call on another queue stops the program.
    ///
    /// - Parameters:
    ///   - onNext: called with each element.
    ///   - onCompleted: called at completion.
    ///   - onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early.
    @_alwaysEmitIntoClient @inline(__always)
    public func drive(
        onNext: ((Element) -> Void)? = nil, onCompleted: (() -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers the events to closures that receive `object`.
    ///
    /// The object is not retained. After it is deallocated, the closures are no longer called.
    ///
    ///     let subscription = Driver.just("Inbox").drive(with: label, onNext: { label, title in label.text = title })
    @_alwaysEmitIntoClient
    public func drive<Object: AnyObject>(
        with object: Object, onNext: ((Object, Element) -> Void)? = nil, onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes only for the side effects of the sequence.
    @_alwaysEmitIntoClient
    public func drive() -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().subscribe()
    }

    /// Delivers every event to the observers, including completion.
    ///
    ///     let subscription = Driver.just("Inbox").drive(label.rx.text)
    @_alwaysEmitIntoClient
    public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        ensureMainQueue("drive")
        return asObservable().deliver(toEach: observers)
    }

    /// Delivers every event to observers of optional values, including completion.
    @_alwaysEmitIntoClient
    public func drive<Observer: ObserverType>(_ observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        ensureMainQueue("drive")
        return asObservable().deliver(toEach: observers)
    }

    /// Sets the value of the relays to each value.
    @_alwaysEmitIntoClient
    public func drive(_ relays: BehaviorRelay<Element>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sets the value of relays of optional values to each value.
    @_alwaysEmitIntoClient
    public func drive(_ relays: BehaviorRelay<Element?>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to the relays, which store it for replay.
    @_alwaysEmitIntoClient
    public func drive(_ relays: ReplayRelay<Element>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to relays of optional values, which store it for replay.
    @_alwaysEmitIntoClient
    public func drive(_ relays: ReplayRelay<Element?>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Returns the result of calling `transformation` with this sequence.
    @_alwaysEmitIntoClient
    public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
        ensureMainQueue("drive")
        return transformation(asObservable())
    }

    /// Returns the result of calling `with` with this sequence and `curriedArgument`.
    @_alwaysEmitIntoClient
    public func drive<Argument, Result>(
        _ with: (Observable<Element>) -> (Argument) -> Result, curriedArgument: Argument
    ) -> Result {
        ensureMainQueue("drive")
        return with(asObservable())(curriedArgument)
    }
}

/// Stops the program if the current queue is not the main queue. Values are delivered on the main queue, so on another
/// queue a replayed value would arrive late.
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
