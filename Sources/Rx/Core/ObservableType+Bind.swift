extension ObservableType {
    /// Delivers each value to a function.
    ///
    ///     let subscription = Observable.of("a", "b").bind(onNext: { print($0) })  // a, b
    ///
    /// Use it for code that shows values and cannot show an error. An error ends the program in debug builds and is
    /// printed in release builds. The function is called on the thread that sends the value. For another thread, apply
    /// `observe(on:)` first.
    ///
    /// - Returns: the subscription. Dispose it to end early.
    @_alwaysEmitIntoClient @inline(__always)
    public func bind(onNext: @escaping (Element) -> Void) -> any Disposable {
        subscribe(onNext: onNext, onError: reportErrorInBinding)
    }

    /// Delivers each value to a function that receives `object`, without keeping it alive. Once the object is
    /// deallocated, the function is not called.
    ///
    ///     let subscription = messages.bind(with: label) { label, message in label.text = message }
    ///
    /// An error is handled as in `bind(onNext:)`, whether or not the object is still alive.
    // A debug build would warn about a temporary `object` if the body were emitted into the client.
    @inlinable
    public func bind<Object: AnyObject>(
        with object: Object, onNext: @escaping (Object, Element) -> Void
    ) -> any Disposable {
        bind(onNext: { [weak object] element in if let object { onNext(object, element) } })
    }

    /// Delivers every event to the observers, including the end.
    ///
    ///     let subscription = messages.bind(to: label.rx.text)
    ///
    /// The observers decide how to handle an error. A `Binder` handles it as `bind(onNext:)` does.
    @_alwaysEmitIntoClient
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element {
        deliver(toEach: observers)
    }

    /// Delivers every event to observers of optional values, including the end. See `bind(to:)` for observers of
    /// values.
    @_alwaysEmitIntoClient
    public func bind<Observer: ObserverType>(to observers: Observer...) -> any Disposable
    where Observer.Element == Element? {
        deliver(toEach: observers)
    }

    /// Passes this sequence to `binder` and returns the result.
    ///
    ///     let texts = Observable.of(1, 2).bind(to: { $0.map(String.init).bind(onNext: { print($0) }) })  // 1, 2
    @_alwaysEmitIntoClient
    public func bind<Result>(to binder: (Self) -> Result) -> Result { binder(self) }

    /// Passes this sequence and `curriedArgument` to `binder` and returns the result.
    ///
    ///     func listing(_ source: Observable<Int>) -> (String) -> any Disposable {
    ///         { unit in source.bind(onNext: { print($0, unit) }) }
    ///     }
    ///     let subscription = Observable.of(1, 2).bind(to: listing, curriedArgument: "km")  // 1 km, 2 km
    @_alwaysEmitIntoClient
    public func bind<Argument, Result>(to binder: (Self) -> (Argument) -> Result, curriedArgument: Argument) -> Result {
        binder(self)(curriedArgument)
    }

    /// Delivers every event to each of the observers.
    @_alwaysEmitIntoClient
    func deliver<Observer: ObserverType>(toEach observers: [Observer]) -> any Disposable
    where Observer.Element == Element {
        subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Delivers every event to each of the observers of optional values.
    @_alwaysEmitIntoClient
    func deliver<Observer: ObserverType>(toEach observers: [Observer]) -> any Disposable
    where Observer.Element == Element? {
        subscribe { event in
            let event = event.map { Element?.some($0) }
            for observer in observers { observer.on(event) }
        }
    }
}

// Completion does not reach a relay. An error is a programming error: see `bind(onNext:)`.
extension ObservableType {
    /// Sends each value into the relays.
    ///
    ///     let taps = PublishRelay<Int>(), log = PublishRelay<Int>()
    ///     let subscription = Observable.of(1, 2).bind(to: taps, log)
    ///
    /// Completion is ignored. An error ends the program in debug builds and is printed in release builds.
    @_alwaysEmitIntoClient
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Sends each value into relays of optional values. Completion and errors are handled as for relays of values.
    @_alwaysEmitIntoClient
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Sets the latest value of the relays to each value. Completion and errors are handled as for publish relays.
    ///
    ///     let level = BehaviorRelay(value: 0)
    ///     let subscription = Observable.of(1, 2).bind(to: level)
    ///     print(level.value)  // 2
    @_alwaysEmitIntoClient
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Sets the latest value of relays of optional values to each value. Completion and errors are handled as for
    /// publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Sends each value into the relays, which store it for replay. Completion and errors are handled as for publish
    /// relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Sends each value into relays of optional values, which store it for replay. Completion and errors are handled as
    /// for publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Passes each value to each of the targets.
    @_alwaysEmitIntoClient @inline(__always)
    func bind<Target>(each targets: [Target], _ send: @escaping (Target, Element) -> Void) -> any Disposable {
        // There is nearly always one target. It is not looked up in the array for each event.
        if targets.count == 1 {
            let target = targets[0]
            return bind(onNext: { send(target, $0) })
        }
        return bind(onNext: { element in for target in targets { send(target, element) } })
    }
}
