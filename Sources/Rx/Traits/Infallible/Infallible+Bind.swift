extension InfallibleType {
    /// Delivers each value to a function.
    ///
    ///     let subscription = Infallible.of("a", "b").bind(onNext: { print($0) })  // a, b
    ///
    /// Values arrive where they are sent. Completion is ignored.
    ///
    /// - Returns: the subscription. Dispose it to end early.
    @inlinable @inline(__always)
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable { asObservable().bind(onNext: onNext) }

    /// Delivers every event to the observers, completion included.
    ///
    ///     let subscription = Infallible.just("Inbox").bind(to: label.rx.text)
    @inlinable
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        asObservable().subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Delivers every event to observers of optional values, completion included: as `bind(to:)` to observers of
    /// values.
    @inlinable
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        asObservable().subscribe { event in
            let event = event.map { Element?.some($0) }
            for observer in observers { observer.on(event) }
        }
    }

    /// The result of `binder` for this sequence.
    ///
    ///     let texts = Infallible.of(1, 2).bind(to: { $0.map(String.init).bind(onNext: { print($0) }) })  // 1, 2
    @inlinable
    public func bind<Result>(to binder: (Self) -> Result) -> Result { binder(self) }

    /// The result of `binder` for this sequence and `curriedArgument`.
    ///
    ///     func listing(_ source: Infallible<Int>) -> (String) -> any Disposable {
    ///         { unit in source.bind(onNext: { print($0, unit) }) }
    ///     }
    ///     let subscription = Infallible.of(1, 2).bind(to: listing, curriedArgument: "km")  // 1 km, 2 km
    @inlinable
    public func bind<Argument, Result>(to binder: (Self) -> (Argument) -> Result, curriedArgument: Argument) -> Result {
        binder(self)(curriedArgument)
    }
}

// Completion does not reach a relay. The forms for relays are emitted into clients alone, as those of drivers and
// signals: see Documentation/Decisions/0004-arity.md.
extension InfallibleType {
    /// Sends each value into the relays. Completion is ignored.
    ///
    ///     let taps = PublishRelay<Int>(), log = PublishRelay<Int>()
    ///     let subscription = Infallible.of(1, 2).bind(to: taps, log)
    @_alwaysEmitIntoClient
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into relays of optional values: as `bind(to:)` to relays of values.
    @_alwaysEmitIntoClient
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Makes each value the latest one of the relays: as `bind(to:)` to publish relays.
    ///
    ///     let level = BehaviorRelay(value: 0)
    ///     let subscription = Infallible.of(1, 2).bind(to: level)
    ///     print(level.value)  // 2
    @_alwaysEmitIntoClient
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Makes each value the latest one of relays of optional values: as `bind(to:)` to publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into the relays, which remember it: as `bind(to:)` to publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value into relays of optional values, which remember it: as `bind(to:)` to publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }
}
