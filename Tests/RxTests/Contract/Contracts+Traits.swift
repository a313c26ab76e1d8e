import Rx
import RxTest

extension OperatorContract {
    /// Every operator of `Sources/Rx/Traits` on a `Single`, a `Maybe` or a `Completable`, and the conversions to them.
    static let primitiveSequences =
        ofSingle.flatMap(\.contracts) + ofMaybe.flatMap(\.contracts) + ofCompletable.flatMap(\.contracts)
        + ofAll.flatMap(\.contracts) + toTraits

    private static let ofSingle: [TraitContract<Single<Int>>] = [
        .init(.single, "map(_:)", gives: "10") { single, _ in single.map { $0 * 10 } }
            .throwing("transform") { single, _ in single.map { _ -> Int in try fault() } },
        .init(.single, "compactMap(_:)", gives: "10") { single, _ in single.compactMap { $0 * 10 } }
            .throwing("transform") { single, _ in single.compactMap { _ -> Int? in try fault() } },
        .init(.single, "compactMap(_:)", "nil") { single, _ in single.compactMap { _ -> Int? in nil } },
        .init(.single, "filter(_:)", gives: "1") { single, _ in single.filter { $0 == 1 } }
            .throwing("predicate") { single, _ in single.filter { _ in try fault() } },
        .init(.single, "filter(_:)", "refused") { single, _ in single.filter { $0 > 1 } },
        .init(.single, "flatMap(_:)", gives: "10") { single, _ in single.flatMap { .just($0 * 10) } }
            .throwing("selector") { single, _ in single.flatMap { _ -> Single<Int> in try fault() } },
        .init(.single, "flatMap(_:)", "later", gives: "5") { single, scheduler in
            let inner = scheduler.other([.next(220, 5), .completed(222)]).asSingle()
            return single.flatMap { _ in inner }
        }
        .ending(at: 222, sourceEnd: 210),
        .init(.single, "flatMapMaybe(_:)") { single, _ in single.flatMapMaybe { _ in Maybe<Int>.empty() } }
            .throwing("selector") { single, _ in single.flatMapMaybe { _ -> Maybe<Int> in try fault() } },
        .init(.single, "flatMapCompletable(_:)") { single, _ in single.flatMapCompletable { _ in .empty() } }
            .throwing("selector") { single, _ in single.flatMapCompletable { _ in try fault() } },
        .init(.single, "catchAndReturn(_:)", gives: "1") { single, _ in single.catchAndReturn(9) }.recovering("9"),
        .init(.single, "asMaybe()", gives: "1") { single, _ in single.asMaybe() },
        .init(.single, "asCompletable()") { single, _ in single.asCompletable() },
        .init(.single, "zip(_:)", gives: "[1, 9]") { single, _ in Single.zip([single, .just(9)]) },
        .init(.single, "zip(_:resultSelector:)", gives: "10") { single, _ in
            Single.zip([single, .just(9)]) { $0.reduce(0, +) }
        }
        .throwing("resultSelector") { single, _ in Single.zip([single, .just(9)]) { _ -> Int in try fault() } },
        .init(.single, "do(onSuccess:afterSuccess:onError:afterError:onSubscribe:onSubscribed:onDispose:)", gives: "1")
        { single, _ in
            single.do(
                onSuccess: { _ in }, afterSuccess: { _ in }, onError: { _ in }, afterError: { _ in }, onSubscribe: {},
                onSubscribed: {}, onDispose: {})
        }
        .throwing("onSuccess") { single, _ in single.do(onSuccess: { _ in try fault() }) }
        .throwing("afterSuccess") { single, _ in single.do(afterSuccess: { _ in try fault() }) }
        .throwing("onError", atEnd: true, sourceFails: true) { single, _ in single.do(onError: { _ in try fault() }) },
    ]

    private static let ofMaybe: [TraitContract<Maybe<Int>>] = [
        .init(.maybe, "map(_:)", gives: "10") { maybe, _ in maybe.map { $0 * 10 } }
            .throwing("transform") { maybe, _ in maybe.map { _ -> Int in try fault() } },
        .init(.maybe, "compactMap(_:)", gives: "10") { maybe, _ in maybe.compactMap { $0 * 10 } }
            .throwing("transform") { maybe, _ in maybe.compactMap { _ -> Int? in try fault() } },
        .init(.maybe, "filter(_:)", gives: "1") { maybe, _ in maybe.filter { $0 == 1 } }
            .throwing("predicate") { maybe, _ in maybe.filter { _ in try fault() } },
        .init(.maybe, "filter(_:)", "refused") { maybe, _ in maybe.filter { $0 > 1 } },
        .init(.maybe, "flatMap(_:)", gives: "10") { maybe, _ in maybe.flatMap { .just($0 * 10) } }
            .throwing("selector") { maybe, _ in maybe.flatMap { _ -> Maybe<Int> in try fault() } },
        .init(.maybe, "flatMap(_:)", "later", gives: "5") { maybe, scheduler in
            let inner = scheduler.other([.next(220, 5), .completed(222)]).asMaybe()
            return maybe.flatMap { _ in inner }
        }
        .ending(at: 222, sourceEnd: 210),
        .init(.maybe, "ifEmpty(default:)", gives: "1") { maybe, _ in maybe.ifEmpty(default: 9) }.recovering(
            "9", failed: .failed),
        .init(.maybe, "ifEmpty(switchTo:)", "a maybe", gives: "1") { maybe, _ in maybe.ifEmpty(switchTo: Maybe.just(9))
        }
        .recovering("9", failed: .failed),
        .init(.maybe, "ifEmpty(switchTo:)", "a single", gives: "1") { maybe, _ in
            maybe.ifEmpty(switchTo: Single.just(9))
        }
        .recovering("9", failed: .failed),
        .init(.maybe, "catchAndReturn(_:)", gives: "1") { maybe, _ in maybe.catchAndReturn(9) }.recovering(""),
        .init(
            .maybe,
            "do(onNext:afterNext:onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)",
            gives: "1"
        ) { maybe, _ in
            maybe.do(
                onNext: { _ in }, afterNext: { _ in }, onError: { _ in }, afterError: { _ in }, onCompleted: {},
                afterCompleted: {}, onSubscribe: {},
                onSubscribed: {}, onDispose: {})
        }
        .throwing("onNext") { maybe, _ in maybe.do(onNext: { _ in try fault() }) }
        .throwing("afterNext") { maybe, _ in maybe.do(afterNext: { _ in try fault() }) }
        .throwing("onError", atEnd: true, sourceFails: true) { maybe, _ in maybe.do(onError: { _ in try fault() }) }
        .throwing("onCompleted", atEnd: true) { maybe, _ in maybe.do(onCompleted: { try fault() }) },
    ]

    private static let ofCompletable: [TraitContract<Completable>] = [
        .init(.completable, "concat(_:)", "a second") { completable, _ in completable.concat(.empty()) },
        .init(.completable, "concat(_:)", "a sequence") { completable, _ in
            Completable.concat(AnySequence([completable, .empty()]))
        },
        .init(.completable, "concat(_:)", "a collection") { completable, _ in
            Completable.concat([completable, .empty()].dropLast())
        },
        .init(.completable, "concat(_:)", "variadic") { completable, _ in Completable.concat(.empty(), completable) },
        .init(.completable, "zip(_:)", "a collection") { completable, _ in
            Completable.zip([completable, .empty()].dropLast())
        },
        .init(.completable, "zip(_:)", "an array") { completable, _ in Completable.zip([completable, .empty()]) },
        .init(.completable, "zip(_:)", "variadic") { completable, _ in Completable.zip(completable, .empty()) },
        .init(.completable, "andThen(_:)", "a single") { completable, _ in completable.andThen(Single.just(9)) }
            .recovering("9", failed: .failed),
        .init(.completable, "andThen(_:)", "a maybe") { completable, _ in completable.andThen(Maybe.just(9)) }
            .recovering("9", failed: .failed),
        .init(.completable, "andThen(_:)", "a completable") { completable, _ in completable.andThen(Completable.empty())
        },
        .init(.completable, "andThen(_:)", "an observable") { completable, _ in completable.andThen(Observable.of(8, 9))
        }
        .recovering("8 9", failed: .failed),
        .init(.completable, "do(onError:afterError:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)") {
            completable, _ in
            completable.do(
                onError: { _ in }, afterError: { _ in }, onCompleted: {}, afterCompleted: {}, onSubscribe: {},
                onSubscribed: {}, onDispose: {})
        }
        .throwing("onError", atEnd: true, sourceFails: true) { completable, _ in
            completable.do(onError: { _ in try fault() })
        }
        .throwing("onCompleted", atEnd: true) { completable, _ in completable.do(onCompleted: { try fault() }) },
    ]

    private static let again = [Subscription(200, 240), Subscription(240, 1000)]

    /// The operators that `Single`, `Maybe` and `Completable` have in common.
    private static let ofAll: [TraitContract<Maybe<Int>>] = [
        .init(.primitiveSequence, "deferred(_:)", gives: "1") { maybe, _ in Maybe.deferred { maybe } },
        .init(.primitiveSequence, "using(_:primitiveSequenceFactory:)", gives: "1") { maybe, _ in
            Maybe.using({ BooleanDisposable() }, primitiveSequenceFactory: { _ in maybe })
        },
        .init(.primitiveSequence, "catch(_:)", gives: "1") { maybe, _ in maybe.catch { _ in .just(9) } }.recovering("")
            .throwing("handler", atEnd: true, sourceFails: true) { maybe, _ in maybe.catch { _ in try fault() } },
        .init(.primitiveSequence, "retry(_:)", gives: "1") { maybe, _ in maybe.retry(2) }
            .silently { $0.failing(.none, again) },
        .init(.primitiveSequence, "retry(when:)", "any error", gives: "1") { maybe, _ in
            maybe.retry { (errors: Observable<any Error>) in errors }
        }
        .silently { $0.failing(.none, again) },
        .init(.primitiveSequence, "retry(when:)", "errors of a type", gives: "1") { maybe, _ in
            maybe.retry { (errors: Observable<Planted>) in errors }
        }
        .silently { $0.failing(.none, again) },
        .init(.primitiveSequence, "delay(_:scheduler:)", gives: "1") { maybe, scheduler in
            maybe.delay(.seconds(5), scheduler: scheduler)
        }
        .ending(at: 216, sourceEnd: 210).silently { $0.completing(.completed, at: 245) },
        .init(.primitiveSequence, "delaySubscription(_:scheduler:)", gives: "1") { maybe, scheduler in
            maybe.delaySubscription(.seconds(5), scheduler: scheduler)
        }
        .silently { $0.subscribing(205, until: 240, whenDisposed: 225) }
        .valuably { $0.subscribing(205, until: 210, whenDisposed: 210) },
        .init(.primitiveSequence, "checkpoint(_:fileID:line:)", gives: "1") { maybe, _ in maybe.checkpoint("contract")
        },
        .init(.primitiveSequence, "observe(on:)", gives: "1") { maybe, scheduler in maybe.observe(on: scheduler) }
            .ending(at: 212, sourceEnd: 210).silently { $0.completing(.completed, at: 241).failing(.failed, at: 241) },
        .init(.primitiveSequence, "subscribe(on:)", gives: "1") { maybe, scheduler in maybe.subscribe(on: scheduler) }
            .silently { $0.subscribing(201, until: 240, whenDisposed: 226) }
            .valuably { $0.subscribing(201, until: 210, whenDisposed: 210) },
        .init(.primitiveSequence, "timeout(_:scheduler:)", gives: "1") { maybe, scheduler in
            maybe.timeout(.seconds(50), scheduler: scheduler)
        },
        .init(.primitiveSequence, "timeout(_:scheduler:)", "too late") { maybe, scheduler in
            maybe.timeout(.seconds(5), scheduler: scheduler)
        }
        .ending(.failed, at: 205).silently { $0.ending(.failed, at: 205) },
        .init(.primitiveSequence, "timeout(_:other:scheduler:)", gives: "9") { maybe, scheduler in
            maybe.timeout(.seconds(5), other: .just(9), scheduler: scheduler)
        }
        .ending(at: 205).silently { $0.giving("9").ending(.completed, at: 205) },
        .init(.primitiveSequence, "zip(_:_:)", gives: "(1, 9)") { maybe, _ in Maybe.zip(maybe, Maybe.just(9)) },
        .init(.primitiveSequence, "zip(_:_:resultSelector:)", gives: "10") { maybe, _ in
            Maybe.zip(maybe, Maybe.just(9)) { $0 + $1 }
        }
        .throwing("resultSelector") { maybe, _ in Maybe.zip(maybe, Maybe.just(9)) { _, _ -> Int in try fault() } },
    ]

    private static let toTraits: [OperatorContract] = [
        OperatorContract("ObservableType.asSingle()", gives: "") { source, _ in source.asSingle() }.ending(
            .failed, at: 220),
        OperatorContract("ObservableType.asSingle()", "one element", gives: "3") { source, _ in
            source.filter { $0 == 3 }.asSingle()
        },
        OperatorContract("ObservableType.asMaybe()", gives: "") { source, _ in source.asMaybe() }.ending(
            .failed, at: 220),
        OperatorContract("ObservableType.asMaybe()", "one element", gives: "3") { source, _ in
            source.filter { $0 == 3 }.asMaybe()
        },
        OperatorContract("ObservableType.asCompletable()", gives: "") { source, _ in
            source.ignoreElements().asCompletable()
        },
    ]
}
