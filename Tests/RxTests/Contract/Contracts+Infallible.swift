import Rx
import RxTest

extension OperatorContract {
    /// The operator `name` of `Infallible`. Its source completes when the source of the contract fails.
    private init<Result: ObservableConvertibleType>(
        infallible name: String, _ form: String = "", gives values: String,
        _ apply: @escaping (Infallible<Int>, ContractScheduler) -> Result
    ) {
        self = OperatorContract("Infallible.\(name)", form, gives: values) {
            apply($0.asInfallible(onErrorFallbackTo: .empty()), $1)
        }.failing(.completed)
    }

    /// With a throwing function, although a throw breaks the promise of the type.
    private func breaking<Result: ObservableConvertibleType>(
        _ closure: String, at tick: TestTime = 210, subscribes: Bool = true,
        _ apply: @escaping (Infallible<Int>, ContractScheduler) -> Result
    ) -> OperatorContract {
        throwing(closure, at: tick, subscribes: subscribes) { apply($0.asInfallible(onErrorFallbackTo: .empty()), $1) }
    }

    /// Every operator of `Sources/Rx/Traits/Infallible`.
    static let infallibles =
        toInfallible + infallibleTransforming + infallibleFiltering + infallibleCombining + infallibleRest

    private static let toInfallible: [OperatorContract] = [
        OperatorContract("Infallible.asInfallible(onErrorJustReturn:)", gives: "1 2 3") { source, _ in
            source.asInfallible(onErrorJustReturn: 9)
        }
        .failing(.completed),
        OperatorContract("Infallible.asInfallible(onErrorFallbackTo:)", gives: "1 2 3") { source, _ in
            source.asInfallible(onErrorFallbackTo: .just(9))
        }
        .failing(.completed),
        OperatorContract("Infallible.asInfallible(onErrorRecover:)", gives: "1 2 3") { source, _ in
            source.asInfallible(onErrorRecover: { _ in .just(9) })
        }
        .failing(.completed),
        OperatorContract("Infallible.flatMapLatest(_:)", "of an observable", gives: "10 20 30") { source, _ in
            source.flatMapLatest { Infallible.just($0 * 10) } as Infallible<Int>
        }
        .throwing("selector") { source, _ in
            source.flatMapLatest { _ -> Infallible<Int> in try fault() } as Infallible<Int>
        },
    ]

    private static let infallibleTransforming: [OperatorContract] = [
        .init(infallible: "map(_:)", gives: "10 20 30") { source, _ in source.map { $0 * 10 } },
        .init(infallible: "compactMap(_:)", gives: "1 3") { source, _ in source.compactMap { $0 == 2 ? nil : $0 } },
        .init(infallible: "flatMap(_:)", gives: "10 20 30") { source, _ in source.flatMap { Infallible.just($0 * 10) }
        },
        .init(infallible: "flatMapLatest(_:)", gives: "10 20 30") { source, _ in
            source.flatMapLatest { Infallible.just($0 * 10) }
        },
        .init(infallible: "flatMapFirst(_:)", gives: "10 20 30") { source, _ in
            source.flatMapFirst { Infallible.just($0 * 10) }
        },
        .init(infallible: "concatMap(_:)", gives: "10 20 30") { source, _ in
            source.concatMap { Infallible.just($0 * 10) }
        },
        .init(infallible: "scan(_:accumulator:)", gives: "1 3 6") { source, _ in source.scan(0) { $0 + $1 } },
        .init(infallible: "scan(into:accumulator:)", gives: "1 3 6") { source, _ in source.scan(into: 0) { $0 += $1 } },
        .init(infallible: "withUnretained(_:)", gives: "1 2 3") { source, _ in
            source.withUnretained(LastingObject.instance).map { $0.1 }
        },
        .init(infallible: "withUnretained(_:resultSelector:)", gives: "1 2 3") { source, _ in
            source.withUnretained(LastingObject.instance) { $1 }
        },
    ]

    private static let infallibleFiltering: [OperatorContract] = [
        .init(infallible: "filter(_:)", gives: "1 3") { source, _ in source.filter { $0 != 2 } },
        .init(infallible: "distinctUntilChanged()", gives: "1 2 3") { source, _ in source.distinctUntilChanged() },
        .init(infallible: "distinctUntilChanged(_:)", "keySelector", gives: "1 2") { source, _ in
            source.distinctUntilChanged { $0 / 2 }
        }
        .breaking("keySelector") { source, _ in source.distinctUntilChanged { _ -> Int in try fault() } },
        .init(infallible: "distinctUntilChanged(_:)", "comparer", gives: "1 2") { source, _ in
            source.distinctUntilChanged { $0 / 2 == $1 / 2 }
        }
        .breaking("comparer", at: 220) { source, _ in
            source.distinctUntilChanged { (_: Int, _: Int) -> Bool in try fault() }
        },
        .init(infallible: "distinctUntilChanged(_:comparer:)", gives: "1 2") { source, _ in
            source.distinctUntilChanged({ $0 / 2 }, comparer: ==)
        }
        .breaking("keySelector") { source, _ in source.distinctUntilChanged({ _ -> Int in try fault() }, comparer: ==) }
        .breaking("comparer", at: 220) { source, _ in
            source.distinctUntilChanged({ $0 }, comparer: { _, _ in try fault() })
        },
        .init(infallible: "distinctUntilChanged(at:)", gives: "1 3") { source, _ in
            source.distinctUntilChanged(at: \.nonzeroBitCount)
        },
        .init(infallible: "take(_:)", gives: "1 2") { source, _ in source.take(2) }.ending(.completed, at: 220),
        .init(infallible: "take(for:scheduler:)", gives: "1") { source, scheduler in
            source.take(for: .seconds(15), scheduler: scheduler)
        }
        .ending(.completed, at: 215),
        .init(infallible: "take(while:behavior:)", gives: "1 2") { source, _ in source.take(while: { $0 < 3 }) }.ending(
            .completed, at: 230
        )
        .breaking("predicate") { source, _ in source.take(while: { _ in try fault() }) },
        .init(infallible: "take(until:behavior:)", gives: "1 2") { source, _ in source.take(until: { $0 == 3 }) }
            .ending(.completed, at: 230)
            .breaking("predicate") { source, _ in source.take(until: { _ in try fault() }) },
        .init(infallible: "take(until:)", "an infallible", gives: "1") { source, scheduler in
            source.take(until: scheduler.other([.next(215, 0)]).asInfallible(onErrorJustReturn: 0))
        }
        .ending(.completed, at: 215),
        .init(infallible: "take(until:)", "an observable", gives: "1") { source, scheduler in
            source.take(until: scheduler.other([.next(215, 0)]))
        }
        .ending(.completed, at: 215),
        .init(infallible: "skip(while:)", gives: "2 3") { source, _ in source.skip(while: { $0 < 2 }) }
            .breaking("predicate") { source, _ in source.skip(while: { _ in try fault() }) },
        .init(infallible: "skip(until:)", "an infallible", gives: "2 3") { source, scheduler in
            source.skip(until: scheduler.other([.next(215, 0)]).asInfallible(onErrorJustReturn: 0))
        },
        .init(infallible: "skip(until:)", "an observable", gives: "2 3") { source, scheduler in
            source.skip(until: scheduler.other([.next(215, 0)]))
        },
    ]

    private static let infallibleCombining: [OperatorContract] = [
        .init(infallible: "startWith(_:)", gives: "0 1 2 3") { source, _ in source.startWith(0) },
        .init(infallible: "concat(_:)", "a second", gives: "1 2 3 9") { source, _ in source.concat(Infallible.just(9))
        },
        .init(infallible: "concat(_:)", "a sequence", gives: "1 2 3 9") { source, _ in
            Infallible.concat(AnySequence([source, .just(9)]))
        },
        .init(infallible: "concat(_:)", "a collection", gives: "1 2 3 9") { source, _ in
            Infallible.concat([source, .just(9)])
        },
        .init(infallible: "concat(_:)", "variadic", gives: "1 2 3 9") { source, _ in Infallible.concat(source, .just(9))
        },
        .init(infallible: "merge(_:)", "a collection", gives: "1 2 3") { source, _ in
            Infallible.merge([source, .empty()].dropLast())
        },
        .init(infallible: "merge(_:)", "an array", gives: "9 1 2 3") { source, _ in
            Infallible.merge([source, .just(9)])
        },
        .init(infallible: "merge(_:)", "variadic", gives: "9 1 2 3") { source, _ in Infallible.merge(source, .just(9))
        },
        .init(infallible: "withLatestFrom(_:)", gives: "9 9 9") { source, _ in source.withLatestFrom(Infallible.just(9))
        },
        .init(infallible: "withLatestFrom(_:resultSelector:)", gives: "10 11 12") { source, _ in
            source.withLatestFrom(Infallible.just(9)) { $0 + $1 }
        }
        .breaking("resultSelector") { source, _ in
            source.withLatestFrom(Infallible.just(9)) { _, _ -> Int in try fault() }
        },
        .init(infallible: "combineLatest(_:)", gives: "[1, 9] [2, 9] [3, 9]") { source, _ in
            Infallible.combineLatest([source, .just(9)])
        },
        .init(infallible: "combineLatest(_:resultSelector:)", gives: "10 11 12") { source, _ in
            Infallible.combineLatest([source, .just(9)]) { $0.reduce(0, +) }
        }
        .breaking("resultSelector") { source, _ in
            Infallible.combineLatest([source, .just(9)]) { _ -> Int in try fault() }
        },
        .init(infallible: "combineLatest(_:_:)", gives: "10 11 12") { source, _ in
            Infallible.combineLatest(source, Infallible.just(9)).map { $0 + $1 }
        },
        .init(infallible: "combineLatest(_:_:resultSelector:)", gives: "10 11 12") { source, _ in
            Infallible.combineLatest(source, Infallible.just(9)) { $0 + $1 }
        }
        .breaking("resultSelector") { source, _ in
            Infallible.combineLatest(source, Infallible.just(9)) { _, _ -> Int in try fault() }
        },
        .init(infallible: "zip(_:_:resultSelector:)", gives: "10") { source, _ in
            Infallible.zip(source, .just(9)) { $0 + $1 }
        }
        .breaking("resultSelector") { source, _ in Infallible.zip(source, .just(9)) { _, _ -> Int in try fault() } },
    ]

    private static let infallibleRest: [OperatorContract] = [
        .init(infallible: "deferred(_:)", gives: "1 2 3") { source, _ in Infallible.deferred { source } }
            .breaking("infallibleFactory", at: 200, subscribes: false) { _, _ in
                Infallible<Int>.deferred { try fault() }
            },
        .init(infallible: "asInfallible()", gives: "1 2 3") { source, _ in source.asInfallible() },
        .init(infallible: "debounce(_:scheduler:)", gives: "3") { source, scheduler in
            source.debounce(.seconds(50), scheduler: scheduler)
        },
        .init(infallible: "throttle(_:latest:scheduler:)", gives: "1 3") { source, scheduler in
            source.throttle(.seconds(12), latest: false, scheduler: scheduler)
        },
        .init(infallible: "share(replay:scope:)", gives: "1 2 3") { source, _ in source.share() },
        .init(infallible: "share(replay:scope:)", "1", gives: "1 2 3") { source, _ in source.share(replay: 1) },
        .init(
            infallible: "do(onNext:afterNext:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)",
            gives: "1 2 3"
        ) { source, _ in
            source.do(
                onNext: { _ in }, afterNext: { _ in }, onCompleted: {}, afterCompleted: {}, onSubscribe: {},
                onSubscribed: {}, onDispose: {})
        }
        .breaking("onNext") { source, _ in source.do(onNext: { _ in try fault() }) }
        .breaking("afterNext") { source, _ in source.do(afterNext: { _ in try fault() }) }
        .breaking("onCompleted", at: 240) { source, _ in source.do(onCompleted: { try fault() }) },
    ]
}
