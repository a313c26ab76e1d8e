// All of them are to be called on the main queue, where the values are delivered.
extension SharedSequenceConvertibleType where SharingStrategy == SignalSharingStrategy {
    /// Delivers values, completion and the disposal to functions, on the main queue.
    ///
    ///     let subscription = Signal.just(1).emit(onNext: { print($0) })  // 1
    ///
    /// Call it on the main queue: elsewhere it ends the program.
    ///
    /// - Parameter onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early.
    @inlinable @inline(__always)
    public func emit(
        onNext: ((Element) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers to functions that receive `object`, without keeping it alive: once it is gone, none of them is called.
    ///
    ///     let subscription = Signal.just("Sent").emit(with: label, onNext: { label, message in label.text = message })
    @inlinable
    public func emit<Object: AnyObject>(
        with object: Object,
        onNext: ((Object, Element) -> Void)? = nil,
        onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Subscribes, for what the sequence does on its way.
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
    @inlinable
    public func emit(to relays: BehaviorRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Makes each value the latest one of relays of optional values.
    @inlinable
    public func emit(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into the relays.
    @inlinable
    public func emit(to relays: PublishRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into relays of optional values.
    @inlinable
    public func emit(to relays: PublishRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into the relays, which remember it.
    @inlinable
    public func emit(to relays: ReplayRelay<Element>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into relays of optional values, which remember it.
    @inlinable
    public func emit(to relays: ReplayRelay<Element?>...) -> any Disposable {
        ensureMainQueue("emit")
        return asObservable().bind(each: relays) { $0.accept($1) }
    }
}
