import Rx
import RxTest
import XCTest

/// The operations that all traits share.
final class PrimitiveSequenceTests: XCTestCase {
    private let notes = Notes()
    private let scheduler = TestScheduler(initialClock: 0)
    private let fault = Single<Int>.error(Planted.fault)

    /// Sends 7, `time` after the subscription.
    private func value(at time: TestTime) -> TestableObservable<Int> {
        scheduler.createColdObservable([.next(time, 7), .completed(time)])
    }
    private func failing(at time: TestTime) -> TestableObservable<Int> {
        scheduler.createColdObservable([.error(time, Planted.fault)])
    }

    // MARK: Creating

    func testDeferred_isMadeForEachSubscriber() {
        var count = 0
        let single = Single<Int>.deferred {
            count += 1
            return .just(count)
        }
        XCTAssertEqual(
            single.synchronousEvents + single.synchronousEvents, ["next(1)", "completed", "next(2)", "completed"])
        XCTAssertEqual(Maybe<Int>.deferred { .empty() }.synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.deferred { .empty() }.synchronousEvents, ["completed"])
    }

    func testDeferred_thatThrows_fails() {
        XCTAssertEqual(Single<Int>.deferred { throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testUsing_disposesTheResourceAfterTheEnd() {
        let notes = notes
        func resource() -> any Cancelable { Disposables.create { notes.add("resource disposed") } }
        func run(_ make: @escaping () throws -> Single<Int>) {
            _ = Single.using(
                { BooleanDisposable() },
                primitiveSequenceFactory: { _ in
                    Single.using(
                        { CompositeDisposable(disposables: [resource()]) },
                        primitiveSequenceFactory: { _ in try make() })
                }
            ).record(in: notes)
        }
        run { .just(1) }
        run { self.fault }
        run { throw Planted.other }
        XCTAssertEqual(
            notes.lines,
            [
                "next(1)", "completed", "resource disposed", "error(fault)", "resource disposed", "error(other)",
                "resource disposed",
            ])
    }

    func testUsing_whoseResourceCannotBeMade_fails() {
        let single = Single<Int>.using(
            { () throws -> BooleanDisposable in throw Planted.other }, primitiveSequenceFactory: { _ in .just(1) })
        XCTAssertEqual(single.synchronousEvents, ["error(other)"])
    }

    func testUsing_disposedMidway_disposesTheResource() {
        let resource = BooleanDisposable()
        let subscription = Completable.using({ resource }, primitiveSequenceFactory: { _ in .never() }).subscribe()
        XCTAssertFalse(resource.isDisposed)
        subscription.dispose()
        XCTAssertTrue(resource.isDisposed)
    }

    func testTimer_sendsZeroOnce() {
        let result = scheduler.start { Single<Int>.timer(.seconds(50), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(250, 0), .completed(250)])
        let maybe = TestScheduler(initialClock: 0)
        XCTAssertEqual(
            maybe.start { Maybe<Int>.timer(.seconds(50), scheduler: maybe) }.events, [.next(250, 0), .completed(250)])
    }

    func testTimer_disposedMidway_sendsNothing() {
        XCTAssertEqual(
            scheduler.start(disposed: 240) { Single<Int>.timer(.seconds(50), scheduler: self.scheduler) }.events, [])
    }

    // MARK: Timing

    func testDelay_shiftsTheValueAndNotAnError() {
        let source = value(at: 20)
        let result = scheduler.start { source.asSingle().delay(.seconds(100), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(320, 7), .completed(321)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testDelay_ofAnError_passesItOnAtOnce() {
        let source = failing(at: 20)
        let result = scheduler.start { source.asSingle().delay(.seconds(100), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.error(220, Planted.fault)])
    }

    func testDelay_disposedMidway_sendsNothing() {
        let source = value(at: 20)
        let result = scheduler.start(disposed: 300) {
            source.asSingle().delay(.seconds(100), scheduler: self.scheduler)
        }
        XCTAssertEqual(result.events, [])
        XCTAssertEqual(scheduler.clock, 300)
    }

    func testDelaySubscription_shiftsTheSubscription() {
        let source = value(at: 20)
        let result = scheduler.start { source.asMaybe().delaySubscription(.seconds(100), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(320, 7), .completed(320)])
        XCTAssertEqual(source.subscriptions, [Subscription(300, 320)])
    }

    func testObserveOn_deliversOnTheScheduler() {
        let source = value(at: 20)
        let result = scheduler.start { source.asSingle().observe(on: self.scheduler) }
        XCTAssertEqual(result.events, [.next(221, 7), .completed(222)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testSubscribeOn_subscribesOnTheScheduler_andLetsGoOfWhatHasEndedAtOnce() {
        let source = value(at: 20)
        let result = scheduler.start { source.asSingle().subscribe(on: self.scheduler) }
        XCTAssertEqual(result.events, [.next(221, 7), .completed(221)])
        XCTAssertEqual(source.subscriptions, [Subscription(201, 221)])
    }

    func testTimeout_ofSilence_failsAtTheTime() {
        let source = value(at: 60)
        let result = scheduler.start { source.asSingle().timeout(.seconds(50), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.error(250, RxError.timeout)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 250)])
    }

    func testTimeout_ofValueInTime_deliversIt() {
        let source = value(at: 40)
        let result = scheduler.start { source.asSingle().timeout(.seconds(50), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(240, 7), .completed(240)])
    }

    func testTimeout_goesOnWithTheOther() {
        let (source, other) = (value(at: 60), value(at: 20))
        let result = scheduler.start {
            source.asSingle().timeout(.seconds(50), other: other.asSingle(), scheduler: self.scheduler)
        }
        XCTAssertEqual(result.events, [.next(270, 7), .completed(270)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 250)])
        XCTAssertEqual(other.subscriptions, [Subscription(250, 270)])
    }

    func testTimeout_ofCompletable_goesOnWithTheOther() {
        let result = scheduler.start {
            Completable.never().timeout(.seconds(50), other: .empty(), scheduler: self.scheduler)
        }
        XCTAssertEqual(result.events, [.completed(250)])
    }

    // MARK: Recovering

    func testCatch_goesOnWithWhatTheHandlerMakes() {
        XCTAssertEqual(fault.catch { _ in .just(2) }.synchronousEvents, ["next(2)", "completed"])
        XCTAssertEqual(Single.just(1).catch { _ in .just(2) }.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Maybe<Int>.error(Planted.fault).catch { _ in .empty() }.synchronousEvents, ["completed"])
        XCTAssertEqual(Completable.error(Planted.fault).catch { _ in .empty() }.synchronousEvents, ["completed"])
    }

    func testCatch_whoseHandlerThrows_failsWithThat() {
        XCTAssertEqual(fault.catch { _ in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testRetry_ofFailure_subscribesSoManyTimesInTotal() {
        let source = failing(at: 20)
        let result = scheduler.start { source.asSingle().retry(3) }
        XCTAssertEqual(result.events, [.error(260, Planted.fault)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220), Subscription(220, 240), Subscription(240, 260)])
    }

    func testRetryWhen_subscribesAgainAtTheNotifiersElement() {
        let source = failing(at: 20)
        let result = scheduler.start(disposed: 300) {
            source.asSingle().retry { (errors: Observable<any Error>) in
                errors.delay(.seconds(30), scheduler: self.scheduler)
            }
        }
        XCTAssertEqual(result.events, [])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220), Subscription(250, 270)])
    }

    func testRetryWhen_typed_letsOtherErrorsPass() {
        let passing = fault.retry { (errors: Observable<TestError>) in errors }
        XCTAssertEqual(passing.synchronousEvents, ["error(fault)"])
        let caught = fault.retry { (errors: Observable<Planted>) in errors.map { _ -> Int in throw Planted.other } }
        XCTAssertEqual(caught.synchronousEvents, ["error(other)"])
    }

    // MARK: Inspecting

    func testDebug_keepsTheEvents() {
        XCTAssertEqual(Single.just(1).debug("single").synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Completable.error(Planted.fault).debug(trimOutput: true).synchronousEvents, ["error(fault)"])
    }

    // MARK: Resources

    func testPrimitiveSequences_atEveryEnd_releaseEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runSingleToEveryEnd { single in Single.deferred { single } }
            runSingleToEveryEnd { single in
                Single.using({ BooleanDisposable() }, primitiveSequenceFactory: { _ in single })
            }
            runSingleToEveryEnd { $0.delay(.seconds(1), scheduler: scheduler) }
            runSingleToEveryEnd { $0.observe(on: scheduler) }
            runSingleToEveryEnd { $0.timeout(.seconds(1), scheduler: scheduler) }
            runSingleToEveryEnd { $0.timeout(.seconds(1), other: .just(1), scheduler: scheduler) }
            runSingleToEveryEnd { $0.catch { _ in .just(1) } }
            runSingleToEveryEnd { $0.retry(2) }
            runSingleToEveryEnd { $0.retry { (errors: Observable<any Error>) in errors.take(1) } }
            runMaybeToEveryEnd { $0.delay(.seconds(1), scheduler: scheduler) }
            runCompletableToEveryEnd { $0.delay(.seconds(1), scheduler: scheduler) }
            for single in [Single.just(1), .error(Planted.fault), .never()] {
                let late = single.delaySubscription(.seconds(1), scheduler: scheduler).subscribe { _ in }
                let elsewhere = single.subscribe(on: scheduler).subscribe { _ in }
                scheduler.start()
                // The first two have ended.
                if case [] = single.synchronousEvents { Disposables.create(late, elsewhere).dispose() }
            }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
