import Rx
import RxTest

extension OperatorContract {
    static let recovering: [OperatorContract] = [
        OperatorContract("catch(_:)", gives: "1 2 3") { source, _ in source.catch { _ in .just(9) } }.failing(
            .completed
        )
        .throwing("handler", at: 240, sourceFails: true) { source, _ in source.catch { _ in try fault() } },
        OperatorContract("catch(_:)", "fails again", gives: "1 2 3") { source, _ in
            source.catch { _ in .error(Planted.other) }
        },
        OperatorContract("catchAndReturn(_:)", gives: "1 2 3") { source, _ in source.catchAndReturn(9) }.failing(
            .completed),
        OperatorContract("catch(sequence:)", gives: "1 2 3") { source, _ in
            Observable.catch(sequence: [source, .just(9)])
        }.failing(.completed),
        OperatorContract("retry()", gives: "1 2 3") { source, _ in source.retry() }.failing(.none, again),
        OperatorContract("retry(_:)", gives: "1 2 3") { source, _ in source.retry(2) }.failing(.none, again),
        OperatorContract("retry(_:)", "once", gives: "1 2 3") { source, _ in source.retry(1) },
        OperatorContract("retry(_:jitter:scheduler:shouldRetry:)", gives: "1 2 3") { source, scheduler in
            source.retry(.immediate(maxCount: 2), scheduler: scheduler)
        }
        .failing(.none, again),
        OperatorContract("retry(_:jitter:scheduler:shouldRetry:)", "once", gives: "1 2 3") { source, scheduler in
            source.retry(.delayed(maxCount: 1, time: 1), scheduler: scheduler)
        },
        OperatorContract("retry(when:)", "any error", gives: "1 2 3") { source, _ in
            source.retry { (errors: Observable<any Error>) in errors }
        }
        .failing(.none, again),
        OperatorContract("retry(when:)", "errors of a type", gives: "1 2 3") { source, _ in
            source.retry { (errors: Observable<Planted>) in errors }
        }
        .failing(.none, again),
        OperatorContract("retry(when:)", "errors of another type", gives: "1 2 3") { source, _ in
            source.retry { (errors: Observable<RxError>) in errors }
        },
    ]

    private static let again = [Subscription(200, 240), Subscription(240, 1000)]

    static let timing: [OperatorContract] = [
        OperatorContract("delay(_:scheduler:)", gives: "1 2 3") { source, scheduler in
            source.delay(.seconds(5), scheduler: scheduler)
        }
        .completing(.completed, at: 245),
        OperatorContract("delaySubscription(_:scheduler:)", gives: "1 2 3") { source, scheduler in
            source.delaySubscription(.seconds(5), scheduler: scheduler)
        }
        .subscribing(205, until: 240, whenDisposed: 225),
        OperatorContract("debounce(_:scheduler:)", gives: "1 2 3") { source, scheduler in
            source.debounce(.seconds(5), scheduler: scheduler)
        },
        OperatorContract("debounce(_:scheduler:)", "long", gives: "3") { source, scheduler in
            source.debounce(.seconds(50), scheduler: scheduler)
        },
        OperatorContract("throttle(_:latest:scheduler:)", gives: "1 2 3") { source, scheduler in
            source.throttle(.seconds(12), scheduler: scheduler)
        },
        OperatorContract("throttle(_:latest:scheduler:)", "long", gives: "1 3") { source, scheduler in
            source.throttle(.seconds(50), scheduler: scheduler)
        }
        .completing(.completed, at: 260),
        OperatorContract("throttle(_:latest:scheduler:)", "not the latest", gives: "1 3") { source, scheduler in
            source.throttle(.seconds(12), latest: false, scheduler: scheduler)
        },
        OperatorContract("timeout(_:scheduler:)", gives: "1 2 3") { source, scheduler in
            source.timeout(.seconds(50), scheduler: scheduler)
        },
        OperatorContract("timeout(_:scheduler:)", "too late", gives: "") { source, scheduler in
            source.timeout(.seconds(5), scheduler: scheduler)
        }
        .ending(.failed, at: 205),
        OperatorContract("timeout(_:other:scheduler:)", gives: "1 2 3") { source, scheduler in
            source.timeout(.seconds(50), other: Observable.just(9), scheduler: scheduler)
        },
        OperatorContract("timeout(_:other:scheduler:)", "too late", gives: "9") { source, scheduler in
            source.timeout(.seconds(5), other: Observable.just(9), scheduler: scheduler)
        }
        .ending(.completed, at: 205),
        OperatorContract("observe(on:)", gives: "1 2 3") { source, scheduler in source.observe(on: scheduler) }
            .failing(.failed, at: 241).completing(.completed, at: 241),
        OperatorContract("subscribe(on:)", gives: "1 2 3") { source, scheduler in source.subscribe(on: scheduler) }
            .subscribing(201, until: 240, whenDisposed: 226),
    ]
}
