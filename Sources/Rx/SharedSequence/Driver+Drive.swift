// All of them are to be called on the main queue, where the values are delivered: a value that is replayed arrives
// before they return.
extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    /// Delivers values, completion and the disposal to functions, on the main queue.
    ///
    ///     let subscription = Driver.just(1).drive(onNext: { print($0) })  // 1
    ///
    /// Call it on the main queue: elsewhere it ends the program.
    ///
    /// - Parameter onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early.
    @inlinable @inline(__always)
    public func drive(
        onNext: ((Element) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers to functions that receive `object`, without keeping it alive: once it is gone, none of them is called.
    ///
    ///     let subscription = Driver.just("Inbox").drive(with: label, onNext: { label, title in label.text = title })
    @inlinable
    public func drive<Object: AnyObject>(
        with object: Object,
        onNext: ((Object, Element) -> Void)? = nil,
        onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes, for what the sequence does on its way.
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
    @inlinable
    public func drive(_ relays: BehaviorRelay<Element>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Makes each value the latest one of relays of optional values.
    @inlinable
    public func drive(_ relays: BehaviorRelay<Element?>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into the relays, which remember it.
    @inlinable
    public func drive(_ relays: ReplayRelay<Element>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into relays of optional values, which remember it.
    @inlinable
    public func drive(_ relays: ReplayRelay<Element?>...) -> any Disposable {
        ensureMainQueue("drive")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// What `transformation` makes of this sequence.
    @inlinable
    public func drive<Result>(_ transformation: (Observable<Element>) -> Result) -> Result {
        ensureMainQueue("drive")
        return transformation(asObservable())
    }

    /// What `with` makes of this sequence and `curriedArgument`.
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
