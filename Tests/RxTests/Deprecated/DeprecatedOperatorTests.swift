import Rx
import RxTest
import XCTest

/// Each name of version 5 has the effect of the name that replaced it.
final class DeprecatedOperatorTests: XCTestCase {
    fileprivate let notes = Notes()
    fileprivate let scheduler = TestScheduler(initialClock: 0)
    fileprivate var failing: Observable<Int> { .sending(1, then: .error(Planted.fault)) }
}

// Deprecated, so that the tests may use deprecated names without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension DeprecatedOperatorTests {
    // MARK: Recovering

    func testCatchError_goesOnWithWhatTheHandlerMakes_orWithWhatItThrows() {
        XCTAssertEqual(
            failing.catchError { .just($0 is Planted ? 7 : 0) }.synchronousEvents, ["next(1)", "next(7)", "completed"])
        XCTAssertEqual(failing.catchError { _ in throw Planted.other }.synchronousEvents, ["next(1)", "error(other)"])
    }

    func testCatchErrorJustReturn_replacesTheError() {
        XCTAssertEqual(failing.catchErrorJustReturn(7).synchronousEvents, ["next(1)", "next(7)", "completed"])
    }

    func testCatchError_ofASequence_goesOnWithTheNext() {
        XCTAssertEqual(
            Observable.catchError([failing, .just(2), .just(3)]).synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testRetryWhen_forOneTypeOfError_subscribesAgain() {
        let retried = failing.retryWhen { (errors: Observable<Planted>) in
            errors.enumerated().take(while: { $0.index < 1 })
        }
        XCTAssertEqual(retried.synchronousEvents, ["next(1)", "next(1)", "completed"])
    }

    func testRetryWhen_subscribesAgain_untilTheNotifierFails() {
        let retried = failing.retryWhen { errors in
            errors.enumerated().map { index, error in if index == 1 { throw error } else { index } }
        }
        XCTAssertEqual(retried.synchronousEvents, ["next(1)", "next(1)", "error(fault)"])
    }

    // MARK: Threads

    func testObserveOn_deliversOnTheScheduler() {
        let source = scheduler.createHotObservable([.next(210, 1), .completed(220)])
        let result = scheduler.start { source.observeOn(self.scheduler) }
        XCTAssertEqual(result.events, [.next(211, 1), .completed(221)])
    }

    func testSubscribeOn_subscribesOnTheScheduler() {
        let source = scheduler.createHotObservable([.next(210, 1), .completed(300)])
        _ = scheduler.start { source.subscribeOn(self.scheduler) }
        XCTAssertEqual(source.subscriptions, [Subscription(201, 301)])
    }

    // MARK: Filtering

    func testElementAt_givesTheElement() {
        XCTAssertEqual(Observable.of("a", "b").elementAt(1).synchronousEvents, ["next(b)", "completed"])
    }

    func testWhile_endsOrBeginsAtThePredicate() {
        XCTAssertEqual(Observable.of(1, 2, 1).takeWhile { $0 < 2 }.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            Observable.of(1, 2, 1).skipWhile { $0 < 2 }.synchronousEvents, ["next(2)", "next(1)", "completed"])
        XCTAssertEqual(Observable.of(1, 2).takeWhile { _ in throw Planted.fault }.synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Observable.of(1, 2).skipWhile { _ in throw Planted.fault }.synchronousEvents, ["error(fault)"])
    }

    func testTakeUntil_aPredicate_endsThere_withOrWithoutItsElement() {
        let source = Observable.of(1, 2, 3)
        XCTAssertEqual(source.takeUntil(.exclusive) { $0 == 2 }.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            source.takeUntil(.inclusive, predicate: { $0 == 2 }).synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testTakeUntilAndSkipUntil_anotherSequence_endOrBeginThere() {
        let trigger = PublishSubject<Void>()
        let source = PublishSubject<Int>()
        let subscriptions = [source.takeUntil(trigger).record(in: notes), source.skipUntil(trigger).record(in: notes)]
        source.onNext(1)
        trigger.onNext(())
        source.onNext(2)
        XCTAssertEqual(notes.lines, ["next(1)", "completed", "next(2)"])
        subscriptions.forEach { $0.dispose() }
    }

    func testTake_forAWhile_endsAtTheTime() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(260, 3)])
        let result = scheduler.start { source.take(.seconds(50), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(230, 2), .completed(250)])
    }

    // MARK: Traits

    func testSingle_underOldNames_doesTheSame() {
        let single = failing.asSingle()
        XCTAssertEqual(single.catchError { _ in .just(7) }.synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(single.catchErrorJustReturn(7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(
            single.retryWhen { (errors: Observable<Planted>) in errors.flatMap { Observable<Int>.error($0) } }
                .synchronousEvents, ["error(fault)"])
        XCTAssertEqual(
            single.retryWhen { $0.flatMap { Observable<Int>.error($0) } }.synchronousEvents, ["error(fault)"])
        let scheduler = scheduler
        let result = scheduler.start { Single.just(1).observeOn(scheduler).subscribeOn(scheduler).asObservable() }
        XCTAssertEqual(result.events, [.next(202, 1), .completed(203)])
    }

    func testSingle_subscribedWithOnError_callsTheFunctions() {
        let notes = notes
        _ = Single.just(1).subscribe(onSuccess: { notes.add("\($0)") }, onError: { notes.add("\($0)") })
        _ = Single<Int>.error(Planted.fault).subscribe(
            onError: { notes.add("\($0)") }, onDisposed: { notes.add("disposed") })
        _ = Single<Int>.error(Planted.fault).subscribe(onSuccess: { notes.add("\($0)") }) {
            notes.add("trailing \($0)")
        }
        XCTAssertEqual(notes.lines, ["1", "fault", "disposed", "trailing fault"])
    }

    func testMaybe_underOldNames_doesTheSame() {
        let maybe = Maybe<Int>.error(Planted.fault)
        XCTAssertEqual(maybe.catchErrorJustReturn(7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(maybe.catchError { _ in .empty() }.synchronousEvents, ["completed"])
    }

    func testCompletable_underOldNames_doesTheSame() {
        XCTAssertEqual(Completable.error(Planted.fault).catchError { _ in .empty() }.synchronousEvents, ["completed"])
    }

    // MARK: Resources

    func testEachName_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        runToEveryEnd { $0.catchError { _ in .just(1) }.catchErrorJustReturn(1) }
        runToEveryEnd { Observable.catchError([$0, .just(1)]) }
        runToEveryEnd { $0.retryWhen { $0.take(1) }.retryWhen { (errors: Observable<Planted>) in errors.take(1) } }
        runToEveryEnd { $0.elementAt(1).takeWhile { $0 < 2 }.skipWhile { $0 < 2 } }
        runToEveryEnd {
            $0.takeUntil(Observable<Int>.never()).skipUntil(Observable.just(1)).takeUntil(.inclusive) { $0 > 1 }
        }
        runToEveryEnd { $0.asSingle().catchErrorJustReturn(1).catchError { _ in .just(1) } }
        assertResourcesBack(to: before)
    }
}
