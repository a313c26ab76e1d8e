import Rx
import RxTest
import XCTest

final class CatchTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testCatch_goesOnWithTheHandlersSequence_atTheErrorsTick() {
        let source = scheduler.createHotObservable([.next(210, 1), .error(230, Planted.fault)])
        let recovery = scheduler.createHotObservable([.next(220, 2), .next(240, 3), .completed(250)])
        let result = scheduler.start { source.catch { _ in recovery.asObservable() } }
        XCTAssertEqual(result.events, [.next(210, 1), .next(240, 3), .completed(250)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 230)])
        XCTAssertEqual(recovery.subscriptions, [Subscription(230, 250)])
    }

    func testCatch_whoseHandlerThrows_failsWithThat() {
        XCTAssertEqual(
            Observable<Int>.error(Planted.fault).catch { _ in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testCatch_ofRecoveryThatFails_fails() {
        XCTAssertEqual(
            Observable<Int>.error(Planted.fault).catch { _ in .error(Planted.other) }.synchronousEvents,
            ["error(other)"])
    }

    func testCatch_disposedDuringRecovery_endsIt() {
        let recovery = PublishSubject<Int>()
        let subscription = Observable<Int>.error(Planted.fault).catch { _ in recovery }.subscribe { _ in }
        XCTAssertTrue(recovery.hasObservers)
        subscription.dispose()
        XCTAssertFalse(recovery.hasObservers)
    }

    func testCatchAndReturn_sendsTheValueAndCompletes() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).catchAndReturn(7).synchronousEvents,
            ["next(1)", "next(7)", "completed"])
        XCTAssertEqual(Observable.sending(1).catchAndReturn(7).synchronousEvents, ["next(1)", "completed"])
    }

    func testCatchSequence_triesUntilOneCompletes() {
        let first = scheduler.createColdObservable([.next(10, 1), .error(30, Planted.fault)])
        let second = scheduler.createColdObservable([.next(10, 2), .completed(20)])
        let third = scheduler.createColdObservable([.next(10, 3)])
        let result = scheduler.start {
            Observable.catch(sequence: [first.asObservable(), second.asObservable(), third.asObservable()])
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(240, 2), .completed(250)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 230)])
        XCTAssertEqual(second.subscriptions, [Subscription(230, 250)])
        XCTAssertEqual(third.subscriptions, [])
    }

    func testCatchSequence_ofFailures_endsWithTheLast() {
        XCTAssertEqual(
            Observable<Int>.catch(sequence: [.error(Planted.fault), .error(Planted.other)]).synchronousEvents,
            ["error(other)"])
        XCTAssertEqual(Observable<Int>.catch(sequence: []).synchronousEvents, ["completed"])
    }

    func testRetry_subscribesAgainAtTheErrorsTick() {
        let source = scheduler.createColdObservable([.next(100, 1), .error(250, Planted.fault)])
        let result = scheduler.start(disposed: 800) { source.retry() }
        XCTAssertEqual(result.events, [.next(300, 1), .next(550, 1), .next(800, 1)].filter { $0.time < 800 })
        XCTAssertEqual(source.subscriptions, [Subscription(200, 450), Subscription(450, 700), Subscription(700, 800)])
    }

    func testRetryCount_countsAllAttempts() {
        let source = scheduler.createColdObservable([.next(5, 1), .error(10, Planted.fault)])
        let result = scheduler.start { source.retry(3) }
        XCTAssertEqual(result.events, [.next(205, 1), .next(215, 1), .next(225, 1), .error(230, Planted.fault)])
        XCTAssertEqual(source.subscriptions.count, 3)
    }

    func testRetryZero_completesWithoutAnAttempt() {
        XCTAssertEqual(Observable<Int>.error(Planted.fault).retry(0).synchronousEvents, ["completed"])
    }

    func testRetry_ofManySynchronousFailures_needsNoStack() {
        let attempts = onSmallStack {
            var attempts = 0
            let source = Observable<Int>.create { observer in
                attempts += 1
                if attempts == 100_000 { observer.onCompleted() } else { observer.onError(Planted.fault) }
                return Disposables.create()
            }
            _ = source.retry().subscribe { _ in }
            return attempts
        }
        XCTAssertEqual(attempts, 100_000)
    }

    func testCatchAndRetry_atEveryEnd_releaseEverything() {
        let before = Resources.total
        runToEveryEnd { $0.catch { _ in .never() }.take(2) }
        runToEveryEnd { $0.catch { _ in .just(1) } }
        runToEveryEnd { $0.catchAndReturn(1) }
        runToEveryEnd { $0.retry(2) }
        runToEveryEnd { Observable.catch(sequence: [$0, .just(1)]) }
        assertResourcesBack(to: before)
    }

    func testRetry_ofASourceWithAResource_releasesTheFailedAttemptBeforeTheNext() {
        var log: [String] = []
        var attempts = 0
        let source = Observable<Int>.create { observer in
            attempts += 1
            log.append("open")
            let subscription = Disposables.create { log.append("close") }
            let fails = attempts == 1
            // Fails after `create` has returned, so that the attempt is connected when it fails.
            _ = CurrentThreadScheduler.instance.schedule(()) {
                if fails { observer.onError(TestError()) } else { observer.onCompleted() }
                return Disposables.create()
            }
            return subscription
        }
        _ = source.retry(2).subscribe()
        XCTAssertEqual(log, ["open", "close", "open", "close"])
    }
}
