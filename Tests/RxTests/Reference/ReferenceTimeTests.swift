import Rx
import RxTest
import XCTest

/// The elements of timing operators by tick, subscribed to at 200, and the threads of their subscriptions.
final class ReferenceTimeTests: XCTestCase {
    private func marbles<Element>(_ make: @escaping (TestScheduler) -> Observable<Element>) -> String {
        let scheduler = TestScheduler(initialClock: 0)
        let result = scheduler.start { make(scheduler) }
        return result.events.map { "\($0.value)@\($0.time)" }.joined(separator: ", ").replacing("(fault)", with: "(f)")
    }

    private func hot(
        _ scheduler: TestScheduler, _ events: Recorded<Event<Int>>...
    ) -> Observable<Int> { scheduler.createHotObservable(events).asObservable() }

    private var delays: [(String, String)] {
        [
            ("delay just", marbles { Observable.just(1).delay(.seconds(2), scheduler: $0) }),
            ("delay of3", marbles { Observable.of(1, 2, 3).delay(.seconds(2), scheduler: $0) }),
            ("delay0 of3", marbles { Observable.of(1, 2, 3).delay(.seconds(0), scheduler: $0) }),
            ("delay empty", marbles { Observable<Int>.empty().delay(.seconds(2), scheduler: $0) }),
            (
                "delay hot same tick",
                marbles { scheduler in
                    self.hot(scheduler, .next(210, 1), .next(210, 2), .next(211, 3), .next(230, 4), .completed(230))
                        .delay(.seconds(10), scheduler: scheduler)
                }
            ),
            (
                "delay hot two apart 1",
                marbles { scheduler in
                    self.hot(scheduler, .next(210, 1), .next(211, 2), .next(212, 3), .completed(212))
                        .delay(.seconds(10), scheduler: scheduler)
                }
            ),
            (
                "delay hot burst then error",
                marbles { scheduler in
                    self.hot(scheduler, .next(210, 1), .next(210, 2), .next(210, 3), .error(221, Planted.fault))
                        .delay(.seconds(10), scheduler: scheduler)
                }
            ),
            ("delay single", marbles { Single.just(1).delay(.seconds(2), scheduler: $0).asObservable() }),
            ("delay completable", marbles { Completable.empty().delay(.seconds(2), scheduler: $0).asObservable() }),
            ("delaySubscription of3", marbles { Observable.of(1, 2, 3).delaySubscription(.seconds(2), scheduler: $0) }),
            (
                "concat delayed",
                marbles { scheduler in
                    Observable.concat([
                        Observable.of(1, 2).delay(.seconds(2), scheduler: scheduler),
                        Observable.of(3).delay(.seconds(2), scheduler: scheduler),
                    ])
                }
            ),
            (
                "retry delay",
                marbles { scheduler in
                    Observable<Int>.error(Planted.fault).retry(when: { errors in
                        errors.enumerated().flatMap { index, _ in
                            index < 2 ? Observable<Int>.timer(.seconds(3), scheduler: scheduler) : .error(Planted.fault)
                        }
                    })
                }
            ),
            (
                "flatMap delay",
                marbles { scheduler in
                    Observable.of(1, 2, 3).flatMap { Observable.just($0).delay(.seconds($0), scheduler: scheduler) }
                }
            ),
            (
                "delay subject burst while delivering",
                marbles { scheduler in
                    let subject = PublishSubject<Int>()
                    scheduler.scheduleAt(210) {
                        subject.onNext(1)
                        subject.onNext(2)
                        subject.onCompleted()
                    }
                    return subject.delay(.seconds(5), scheduler: scheduler)
                }
            ),
        ]
    }

    private var others: [(String, String)] {
        [
            ("observeOn of3", marbles { Observable.of(1, 2, 3).observe(on: $0) }),
            (
                "buffer of3",
                marbles { scheduler in
                    Observable.of(1, 2, 3).buffer(timeSpan: .seconds(5), count: 2, scheduler: scheduler).map { "\($0)" }
                }
            ),
            ("throttle of3", marbles { Observable.of(1, 2, 3).throttle(.seconds(2), scheduler: $0) }),
            ("debounce of3", marbles { Observable.of(1, 2, 3).debounce(.seconds(2), scheduler: $0) }),
            (
                "throttle hot",
                marbles { scheduler in
                    self.hot(scheduler, .next(210, 1), .next(210, 2), .next(211, 3), .completed(212))
                        .throttle(.seconds(10), scheduler: scheduler)
                }
            ),
            (
                "window of3",
                marbles { scheduler in
                    Observable.of(1, 2, 3).window(timeSpan: .seconds(5), count: 2, scheduler: scheduler).merge()
                }
            ),
            ("timer", marbles { Observable<Int>.timer(.seconds(2), period: .seconds(0), scheduler: $0).take(3) }),
            ("timer0", marbles { Observable<Int>.timer(.seconds(0), scheduler: $0) }),
            ("interval0", marbles { Observable<Int>.interval(.seconds(0), scheduler: $0).take(3) }),
            (
                "take for",
                marbles { scheduler in
                    Observable<Int>.interval(.seconds(2), scheduler: scheduler).take(
                        for: .seconds(6), scheduler: scheduler)
                }
            ),
            (
                "skip for",
                marbles { scheduler in
                    Observable<Int>.interval(.seconds(2), scheduler: scheduler).skip(.seconds(6), scheduler: scheduler)
                        .take(2)
                }
            ),
            ("timeout", marbles { Observable<Int>.never().timeout(.seconds(6), scheduler: $0) }),
            ("subscribeOn of3", marbles { Observable.of(1, 2, 3).subscribe(on: $0) }),
            ("of3 sched", marbles { Observable.of(1, 2, 3, scheduler: $0) }),
        ]
    }

    func testOperatorsThatWait_deliverAtTheTicksOfTheReference() {
        for (name, result) in delays + others { Reference.check(name, result) }
        let prefixes = [
            "delay", "observeOn of3", "buffer", "throttle", "debounce", "window", "timer", "interval", "take for",
            "skip for",
            "timeout", "concat delayed", "retry delay", "subscribeOn of3", "of3 sched", "flatMap delay",
        ]
        Reference.checkAll((delays + others).map(\.0), of: prefixes)
    }

    // MARK: Order of subscription

    private typealias Join = (Observable<Int>, Observable<Int>) -> Observable<Int>

    private let joins: [(String, Join)] = [
        ("merge", { Observable.merge($0, $1) }),
        ("zip", { Observable.zip($0, $1) { a, _ in a } }),
        ("combineLatest", { Observable.combineLatest($0, $1) { a, _ in a } }),
        ("amb", { $0.amb($1) }),
        ("withLatestFrom", { $0.withLatestFrom($1) { a, _ in a } }),
        ("takeUntil", { $0.take(until: $1) }),
        ("skipUntil", { $0.skip(until: $1) }),
        ("sample", { $0.sample($1) }),
        ("zip coll", { Observable.zip([$0, $1]) { $0[0] } }),
        ("combineLatest coll", { Observable.combineLatest([$0, $1]) { $0[0] } }),
        ("merge coll", { Observable.merge([$0, $1]) }),
        ("concat", { $0.concat($1) }),
        ("flatMap", { first, second in Observable.of(1, 2).flatMap { $0 == 1 ? first : second } }),
        ("retryWhen", { first, second in first.retry(when: { (_: Observable<any Error>) in second }) }),
        (
            "share merge",
            { first, second in
                let shared = first.share()
                return Observable.merge(shared, second, shared)
            }
        ),
    ]

    func testCoordinators_subscribeAndDisposeInTheOrderOfTheReference() {
        for (name, join) in joins {
            let log = ReferenceLog()
            func source(_ name: String) -> Observable<Int> {
                Observable.create { _ in
                    log.add("+\(name)")
                    return Disposables.create { log.add("-\(name)") }
                }
            }
            join(source("a"), source("b")).subscribe(onDisposed: { log.add("DISP") }).dispose()
            Reference.check("suborder \(name)", log.text)
        }
        Reference.checkAll(joins.map { "suborder \($0.0)" }, of: ["suborder "])
    }

    func testCoordinators_ofTwoBehaviorSubjects_deliverWhatTheReferenceDoes() {
        for (name, join) in joins {
            let first = BehaviorSubject(value: 1)
            let second = BehaviorSubject(value: 2)
            let log = ReferenceLog()
            let subscription = join(first.asObservable(), second.asObservable())
                .subscribe(onNext: { log.add("\($0)") }, onCompleted: { log.add("|") })
            first.onNext(3)
            second.onNext(4)
            first.onCompleted()
            second.onCompleted()
            subscription.dispose()
            Reference.check("behaviors \(name)", log.text)
        }
        Reference.checkAll(joins.map { "behaviors \($0.0)" }, of: ["behaviors "])
    }

    func testSubscriptions_ofATestObservable_endWhenTheReferenceEndsThem() {
        func subscriptions(_ make: @escaping (TestableObservable<Int>, TestScheduler) -> Observable<Int>) -> String {
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable([.next(210, 1), .completed(220)])
            _ = scheduler.start { make(source, scheduler) }
            return "[" + source.subscriptions.map { "(\($0.subscribe): \($0.unsubscribe))" }.joined(separator: ", ")
                + "]"
        }
        Reference.check("subscribeOn map", subscriptions { $0.map { $0 }.subscribe(on: $1) })
        Reference.check("subscribeOn direct", subscriptions { $0.subscribe(on: $1) })
        Reference.check("observeOn map", subscriptions { $0.map { $0 }.observe(on: $1) })
    }
}
