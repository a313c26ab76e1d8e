import Rx
import RxTest
import XCTest

final class RetryWhenTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)
    private lazy var source = scheduler.createColdObservable([.next(10, 1), .error(20, Planted.fault)])

    func testRetryWhen_subscribesAgainAtTheNotifiersElement() {
        let result = scheduler.start(disposed: 300) {
            self.source.retry { (errors: Observable<any Error>) in errors.delay(.seconds(30), scheduler: self.scheduler)
            }
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(260, 1)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220), Subscription(250, 270)])
    }

    func testRetryWhen_ofNotifierThatCompletesAfterAnElement_completesAtTheNextError() {
        let result = scheduler.start {
            self.source.retry { (errors: Observable<any Error>) in errors.take(1).concat(Observable<any Error>.empty())
            }
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(230, 1), .completed(240)])
    }

    func testRetryWhen_completesWithTheNotifier() {
        let trigger = scheduler.createHotObservable([.completed(500)]) as TestableObservable<Int>
        XCTAssertEqual(
            scheduler.start { self.source.retry { (_: Observable<any Error>) in trigger } }.events,
            [.next(210, 1), .completed(500)])
    }

    func testRetryWhen_failsWithTheNotifier() {
        let result = scheduler.start {
            self.source.retry { (errors: Observable<any Error>) in errors.map { _ -> Int in throw Planted.other } }
        }
        XCTAssertEqual(result.events, [.next(210, 1), .error(220, Planted.other)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testRetryWhen_ofNotifierThatHasCompleted_completesAtTheNextError() {
        let result = scheduler.start { self.source.retry { (_: Observable<any Error>) in Observable<Int>.empty() } }
        XCTAssertEqual(result.events, [.next(210, 1), .completed(220)])
    }

    func testRetryWhen_releasesAnAttemptBeforeTheNextOneBegins() {
        let notes = Notes()
        var observer: AnyObserver<Int>?
        let source = Observable<Int>.create {
            notes.add("open")
            observer = $0
            return Disposables.create { notes.add("close") }
        }
        let subscription = source.retry { (errors: Observable<any Error>) in errors }.record(in: notes)
        observer?.onError(Planted.fault)
        XCTAssertEqual(notes.lines, ["open", "close", "open"])
        subscription.dispose()
    }

    func testRetryWhen_typed_letsOtherErrorsPass() {
        struct Unrelated: Error {}
        let result = scheduler.start { self.source.retry { (errors: Observable<Unrelated>) in errors } }
        XCTAssertEqual(result.events, [.next(210, 1), .error(220, Planted.fault)])
    }

    func testRetryWhen_typed_catchesItsErrors() {
        var attempts = 0
        let source = Observable<Int>.deferred {
            attempts += 1
            return attempts == 3 ? .just(attempts) : .error(Planted.fault)
        }
        XCTAssertEqual(
            source.retry { (errors: Observable<Planted>) in errors }.synchronousEvents, ["next(3)", "completed"])
    }

    func testRetryWhen_callsItsHandlerOnce() {
        var calls = 0
        var attempts = 0
        let source = Observable<Int>.deferred {
            attempts += 1
            return attempts == 4 ? .empty() : .error(Planted.fault)
        }
        _ =
            source.retry { (errors: Observable<any Error>) -> Observable<any Error> in
                calls += 1
                return errors
            }.synchronousEvents
        XCTAssertEqual(calls, 1)
    }

    func testRetryWhen_ofManySynchronousFailures_needsNoStack() {
        let attempts = onSmallStack {
            var attempts = 0
            let source = Observable<Int>.create { observer in
                attempts += 1
                if attempts == 100_000 { observer.onCompleted() } else { observer.onError(Planted.fault) }
                return Disposables.create()
            }
            _ = source.retry { (errors: Observable<any Error>) in errors }.subscribe { _ in }
            return attempts
        }
        XCTAssertEqual(attempts, 100_000)
    }

    func testRetryWhen_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.retry { (errors: Observable<any Error>) in errors.take(1) } }
        runToEveryEnd { $0.retry { (_: Observable<any Error>) in Observable<Int>.error(Planted.other) } }
        assertResourcesBack(to: before)
    }
}
