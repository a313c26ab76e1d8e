import Rx
import RxTest

extension OperatorContract {
    /// The operator `name` of a shared sequence, on a driver with the scheduler of the contract. The driver delivers
    /// the values of the source a tick later, and completes at an error of the source.
    private init<Result: ObservableConvertibleType>(
        shared name: String, _ form: String = "", gives values: String,
        _ apply: @escaping (Driver<Int>, ContractScheduler) -> Result
    ) {
        self = OperatorContract("SharedSequence.\(name)", form, gives: values, Self.driving(apply)).endingShared(
            at: 241)
    }

    /// Applies `apply` with the contract's scheduler instead of the main scheduler.
    ///
    /// Sequences that `flatMap` would make while elements arrive would use the main scheduler: make them before.
    private static func driving<Result: ObservableConvertibleType>(
        _ apply: @escaping (Driver<Int>, ContractScheduler) -> Result
    ) -> (Observable<Int>, ContractScheduler) -> Observable<Result.Element> {
        { source, scheduler in
            var result = Observable<Result.Element>.never()
            SharingScheduler.mock(scheduler: scheduler) {
                result = apply(source.asDriver(onErrorDriveWith: .empty()), scheduler).asObservable()
            }
            return result
        }
    }

    /// Completes at this tick if the source completes, and a tick later if it fails, because the empty driver that
    /// replaces the error takes a tick. The end of the source also releases it.
    private func endingShared(at tick: TestTime) -> OperatorContract {
        failing(.completed, at: tick + 1, [Subscription(200, 240)]).completing(
            .completed, at: tick, [Subscription(200, 240)])
    }

    private func breaking<Result: ObservableConvertibleType>(
        _ closure: String, _ apply: @escaping (Driver<Int>, ContractScheduler) -> Result
    ) -> OperatorContract {
        throwing(closure, at: 211, Self.driving(apply))
    }

    /// Every operator of `Sources/Rx/SharedSequence`.
    static let sharedSequences = toShared + sharedTransforming + sharedFiltering + sharedCombining + sharedRest

    private static let toShared: [OperatorContract] = [
        .init(shared: "asSharedSequence(sharingStrategy:onErrorJustReturn:)", gives: "1 2 3") { source, _ in
            source.asObservable().asSharedSequence(sharingStrategy: DriverSharingStrategy.self, onErrorJustReturn: 9)
        }
        .endingShared(at: 242),
        .init(shared: "asSharedSequence(sharingStrategy:onErrorDriveWith:)", gives: "1 2 3") { source, _ in
            source.asObservable().asSharedSequence(
                sharingStrategy: DriverSharingStrategy.self, onErrorDriveWith: .empty())
        }
        .endingShared(at: 242),
        .init(shared: "asSharedSequence(sharingStrategy:onErrorRecover:)", gives: "1 2 3") { source, _ in
            source.asObservable().asSharedSequence(
                sharingStrategy: DriverSharingStrategy.self, onErrorRecover: { _ in .empty() })
        }
        .endingShared(at: 242),
        .init(shared: "asDriver(onErrorJustReturn:)", gives: "1 2 3") { source, _ in
            source.asObservable().asDriver(onErrorJustReturn: 9)
        }.endingShared(at: 242),
        .init(shared: "asDriver(onErrorDriveWith:)", gives: "1 2 3") { source, _ in
            source.asObservable().asDriver(onErrorDriveWith: .empty())
        }
        .endingShared(at: 242),
        .init(shared: "asDriver(onErrorRecover:)", gives: "1 2 3") { source, _ in
            source.asObservable().asDriver(onErrorRecover: { _ in .empty() })
        }
        .endingShared(at: 242),
        .init(shared: "asSignal(onErrorJustReturn:)", gives: "1 2 3") { source, _ in
            source.asObservable().asSignal(onErrorJustReturn: 9)
        }.endingShared(at: 242),
        .init(shared: "asSignal(onErrorSignalWith:)", gives: "1 2 3") { source, _ in
            source.asObservable().asSignal(onErrorSignalWith: .empty())
        }
        .endingShared(at: 242),
        .init(shared: "asSignal(onErrorRecover:)", gives: "1 2 3") { source, _ in
            source.asObservable().asSignal(onErrorRecover: { _ in .empty() })
        }
        .endingShared(at: 242),
        .init(shared: "asDriver()", "a driver", gives: "1 2 3") { source, _ in source.asDriver() },
        .init(shared: "asDriver()", "an infallible", gives: "1 2 3") { source, _ in source.asInfallible().asDriver() }
            .endingShared(at: 242),
        .init(shared: "asSignal()", "a signal", gives: "1 2 3") { source, _ in
            source.asSignal(onErrorJustReturn: 9).asSignal()
        }.endingShared(at: 242),
        .init(shared: "asInfallible()", gives: "1 2 3") { source, _ in source.asInfallible() },
    ]

    private static let sharedTransforming: [OperatorContract] = [
        .init(shared: "map(_:)", gives: "10 20 30") { source, _ in source.map { $0 * 10 } },
        .init(shared: "compactMap(_:)", gives: "1 3") { source, _ in source.compactMap { $0 == 2 ? nil : $0 } },
        .init(shared: "scan(_:accumulator:)", gives: "1 3 6") { source, _ in source.scan(0) { $0 + $1 } },
        .init(shared: "flatMap(_:)", gives: "7 7 7") { source, _ in
            let inner = Infallible.just(7).asDriver()
            return source.flatMap { _ in inner }
        },
        .init(shared: "flatMapLatest(_:)", gives: "7 7 7") { source, _ in
            let inner = Infallible.just(7).asDriver()
            return source.flatMapLatest { _ in inner }
        },
        .init(shared: "flatMapFirst(_:)", gives: "7 7 7") { source, _ in
            let inner = Infallible.just(7).asDriver()
            return source.flatMapFirst { _ in inner }
        },
        .init(shared: "switchLatest()", gives: "7 7 7") { source, _ in
            let inner = Infallible.just(7).asDriver()
            return source.map { _ in inner }.switchLatest()
        },
        .init(shared: "merge()", gives: "7 7 7") { source, _ in
            let inner = Infallible.just(7).asDriver()
            return source.map { _ in inner }.merge()
        },
        .init(shared: "merge(maxConcurrent:)", gives: "7 7 7") { source, _ in
            let inner = Infallible.just(7).asDriver()
            return source.map { _ in inner }.merge(maxConcurrent: 1)
        },
        .init(shared: "withUnretained(_:)", "a signal", gives: "1 2 3") { source, _ in
            source.asSignal(onErrorJustReturn: 9).withUnretained(LastingObject.instance).map { $0.1 }
        }
        .endingShared(at: 242),
        .init(shared: "withUnretained(_:resultSelector:)", "a signal", gives: "1 2 3") { source, _ in
            source.asSignal(onErrorJustReturn: 9).withUnretained(LastingObject.instance) { $1 }
        }
        .endingShared(at: 242),
    ]

    private static let sharedFiltering: [OperatorContract] = [
        .init(shared: "filter(_:)", gives: "1 3") { source, _ in source.filter { $0 != 2 } },
        .init(shared: "skip(_:)", gives: "2 3") { source, _ in source.skip(1) },
        .init(shared: "distinctUntilChanged()", gives: "1 2 3") { source, _ in source.distinctUntilChanged() },
        .init(shared: "distinctUntilChanged(_:)", "keySelector", gives: "1 2") { source, _ in
            source.distinctUntilChanged { $0 / 2 }
        },
        .init(shared: "distinctUntilChanged(_:)", "comparer", gives: "1 2") { source, _ in
            source.distinctUntilChanged { $0 / 2 == $1 / 2 }
        },
        .init(shared: "distinctUntilChanged(_:comparer:)", gives: "1 2") { source, _ in
            source.distinctUntilChanged({ $0 / 2 }, comparer: { $0 == $1 })
        },
        .init(shared: "throttle(_:latest:)", gives: "1 3") { source, _ in source.throttle(.seconds(12), latest: false)
        },
        .init(shared: "debounce(_:)", gives: "3") { source, _ in source.debounce(.seconds(50)) },
        .init(shared: "delay(_:)", gives: "1 2 3") { source, _ in source.delay(.seconds(5)) }.endingShared(at: 246),
    ]

    private static let sharedCombining: [OperatorContract] = [
        .init(shared: "startWith(_:)", gives: "0 1 2 3") { source, _ in source.startWith(0) },
        .init(shared: "merge(_:)", "a collection", gives: "1 2 3") { source, _ in
            Driver.merge([source, .never()].dropLast())
        },
        .init(shared: "merge(_:)", "an array", gives: "1 2 3") { source, _ in Driver.merge([source]) },
        .init(shared: "merge(_:)", "variadic", gives: "1 1 2 2 3 3") { source, _ in Driver.merge(source, source) },
        .init(shared: "concat(_:)", "a sequence", gives: "1 2 3") { source, _ in Driver.concat(AnySequence([source])) },
        .init(shared: "concat(_:)", "a collection", gives: "1 2 3") { source, _ in Driver.concat([source]) },
        .init(shared: "zip(_:)", gives: "[1, 1] [2, 2] [3, 3]") { source, _ in Driver.zip([source, source]) },
        .init(shared: "zip(_:resultSelector:)", gives: "2 4 6") { source, _ in
            Driver.zip([source, source]) { $0.reduce(0, +) }
        }
        .breaking("resultSelector") { source, _ in Driver.zip([source, source]) { _ -> Int in try fault() } },
        .init(shared: "zip(_:_:)", gives: "2 4 6") { source, _ in Driver.zip(source, source).map { $0 + $1 } },
        .init(shared: "zip(_:_:resultSelector:)", gives: "2 4 6") { source, _ in Driver.zip(source, source) { $0 + $1 }
        }
        .breaking("resultSelector") { source, _ in Driver.zip(source, source) { _, _ -> Int in try fault() } },
        .init(shared: "combineLatest(_:)", gives: "[1] [2] [3]") { source, _ in Driver.combineLatest([source]) },
        .init(shared: "combineLatest(_:resultSelector:)", gives: "1 2 3") { source, _ in
            Driver.combineLatest([source]) { $0.reduce(0, +) }
        }
        .breaking("resultSelector") { source, _ in Driver.combineLatest([source]) { _ -> Int in try fault() } },
        .init(shared: "combineLatest(_:_:)", gives: "2 3 4 5 6") { source, _ in
            Driver.combineLatest(source, source).map { $0 + $1 }
        },
        .init(shared: "combineLatest(_:_:resultSelector:)", gives: "2 3 4 5 6") { source, _ in
            Driver.combineLatest(source, source) { $0 + $1 }
        }
        .breaking("resultSelector") { source, _ in Driver.combineLatest(source, source) { _, _ -> Int in try fault() }
        },
        .init(shared: "withLatestFrom(_:)", gives: "1 2 3") { source, _ in source.withLatestFrom(source) },
        .init(shared: "withLatestFrom(_:resultSelector:)", gives: "2 4 6") { source, _ in
            source.withLatestFrom(source) { $0 + $1 }
        },
    ]

    private static let sharedRest: [OperatorContract] = [
        .init(shared: "deferred(_:)", gives: "1 2 3") { source, _ in Driver.deferred { source } },
        .init(
            shared: "do(onNext:afterNext:onCompleted:afterCompleted:onSubscribe:onSubscribed:onDispose:)",
            gives: "1 2 3"
        ) { source, _ in
            source.do(
                onNext: { _ in }, afterNext: { _ in }, onCompleted: {}, afterCompleted: {}, onSubscribe: {},
                onSubscribed: {}, onDispose: {})
        },
    ]
}
