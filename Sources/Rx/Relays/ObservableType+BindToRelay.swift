// Completion does not reach a relay; an error is a mistake in the program: see `bind(onNext:)`.
extension ObservableType {
    /// Sends each value into the relays.
    ///
    ///     let taps = PublishRelay<Int>(), log = PublishRelay<Int>()
    ///     let subscription = Observable.of(1, 2).bind(to: taps, log)
    ///
    /// Completion is ignored. An error ends the program in debug builds and is printed in release builds.
    @_alwaysEmitIntoClient
    public func bind(to relays: PublishRelay<Element>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Sends each value into relays of optional values: as `bind(to:)` to relays of values.
    @_alwaysEmitIntoClient
    public func bind(to relays: PublishRelay<Element?>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Makes each value the latest one of the relays: as `bind(to:)` to publish relays.
    ///
    ///     let level = BehaviorRelay(value: 0)
    ///     let subscription = Observable.of(1, 2).bind(to: level)
    ///     print(level.value)  // 2
    @_alwaysEmitIntoClient
    public func bind(to relays: BehaviorRelay<Element>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Makes each value the latest one of relays of optional values: as `bind(to:)` to publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: BehaviorRelay<Element?>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Sends each value into the relays, which remember it: as `bind(to:)` to publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: ReplayRelay<Element>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Sends each value into relays of optional values, which remember it: as `bind(to:)` to publish relays.
    @_alwaysEmitIntoClient
    public func bind(to relays: ReplayRelay<Element?>...) -> any Disposable { bind(each: relays) { $0.accept($1) } }

    /// Hands each value to each of the targets.
    @_alwaysEmitIntoClient @inline(__always)
    func bind<Target>(each targets: [Target], _ send: @escaping (Target, Element) -> Void) -> any Disposable {
        // Nearly always there is one: it is not looked up in the array for each event.
        if targets.count == 1 {
            let target = targets[0]
            return bind(onNext: { send(target, $0) })
        }
        return bind(onNext: { element in for target in targets { send(target, element) } })
    }
}
