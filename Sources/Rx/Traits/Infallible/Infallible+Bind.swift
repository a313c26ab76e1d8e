extension InfallibleType {
    /// Delivers each value to a closure.
    ///
    ///     let subscription = Infallible.of("a", "b").bind(onNext: { print($0) })  // a, b
    ///
    /// The closure runs on the thread that sends the value. Completion is ignored.
    ///
    /// - Returns: the subscription. Dispose it to end early.
    @_alwaysEmitIntoClient @inline(__always)
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable { asObservable().bind(onNext: onNext) }

    /// Delivers every event to the observers, including completion.
    ///
    ///     let subscription = Infallible.just("Inbox").bind(to: label.rx.text)
    @_alwaysEmitIntoClient
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        asObservable().subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Delivers every event to observers of optional values, including completion, like `bind(to:)` for observers of
    /// values.
    @_alwaysEmitIntoClient
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        asObservable().subscribe { event in
            let event = event.map { Element?.some($0) }
            for observer in observers { observer.on(event) }
        }
    }

    /// Returns the result of calling `binder` with this sequence.
    ///
    ///     let texts = Infallible.of(1, 2).bind(to: { $0.map(String.init).bind(onNext: { print($0) }) })  // 1, 2
    @_alwaysEmitIntoClient
    public func bind<Result>(to binder: (Self) -> Result) -> Result { binder(self) }

    /// Returns the result of calling `binder` with this sequence and `curriedArgument`.
    ///
    ///     func listing(_ source: Infallible<Int>) -> (String) -> any Disposable {
    ///         { unit in source.bind(onNext: { print($0, unit) }) }
    ///     }
    ///     let subscription = Infallible.of(1, 2).bind(to: listing, curriedArgument: "km")  // 1 km, 2 km
    @_alwaysEmitIntoClient
    public func bind<Argument, Result>(to binder: (Self) -> (Argument) -> Result, curriedArgument: Argument) -> Result {
        binder(self)(curriedArgument)
    }
}

// Completion does not reach a relay. Like the corresponding methods of drivers and signals, the overloads for relays
// are emitted only into clients: see Documentation/Decisions/0004-arity.md.
extension InfallibleType {
    /// Sends each value to the relays. Completion is ignored.
    ///
    ///     let taps = PublishRelay<Int>(), log = PublishRelay<Int>()
    ///     let subscription = Infallible.of(1, 2).bind(to: taps, log)
    @_alwaysEmitIntoClient
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to relays of optional values, like `bind(to:)` for relays of values.
    @_alwaysEmitIntoClient
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sets the value of the relays to each value, like `bind(to:)` for publish relays.
    ///
    ///     let level = BehaviorRelay(value: 0)
    ///     let subscription = Infallible.of(1, 2).bind(to: level)
    ///     print(level.value)  // 2
    @_alwaysEmitIntoClient
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sets the value of relays of optional values to each value, like `bind(to:)` for publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to the relays, which store it for replay, like `bind(to:)` for publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }

    /// Sends each value to relays of optional values, which store it for replay, like `bind(to:)` for publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable {
        asObservable().bind(each: relays) { $0.accept($1) }
    }
}
