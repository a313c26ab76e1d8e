import Rx
import RxTest
import XCTest

/// Calls every name of version 5 that version 6 replaced, in the form that users wrote.
final class DeprecatedFormsTests: XCTestCase {
    fileprivate let failing = Observable.of(1).concat(Observable<Int>.error(Planted.fault))
    fileprivate let notes = Notes()
}

// Deprecated, so that the tests may use deprecated names without a warning. The class is not deprecated, because the
// generated list of tests names it.
@available(*, deprecated, message: "It uses deprecated names.")
extension DeprecatedFormsTests {
    func testRecovering() {
        XCTAssertEqual(
            failing.catchError { _ in Observable.just(7) }.synchronousEvents, ["next(1)", "next(7)", "completed"])
        XCTAssertEqual(failing.catchError { error in throw error }.synchronousEvents, ["next(1)", "error(fault)"])
        XCTAssertEqual(failing.catchErrorJustReturn(7).synchronousEvents, ["next(1)", "next(7)", "completed"])
        XCTAssertEqual(
            Observable.catchError([failing, .just(7)]).synchronousEvents, ["next(1)", "next(7)", "completed"])
        XCTAssertEqual(
            Observable.catchError(AnySequence([failing, .just(7)])).synchronousEvents,
            ["next(1)", "next(7)", "completed"])
        XCTAssertEqual(
            failing.retryWhen { errors in errors.take(1) }.synchronousEvents, ["next(1)", "next(1)", "completed"])
        XCTAssertEqual(
            failing.retryWhen { (errors: Observable<Planted>) in errors.take(1) }.synchronousEvents,
            ["next(1)", "next(1)", "completed"])
    }

    func testThreads() {
        let queue = CurrentThreadScheduler.instance
        XCTAssertEqual(Observable.of(1).observeOn(queue).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Observable.of(1).subscribeOn(queue).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Single.just(1).observeOn(queue).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Maybe.just(1).subscribeOn(queue).synchronousEvents, ["next(1)", "completed"])
    }

    func testFiltering() {
        let source = Observable.of(1, 2, 3)
        XCTAssertEqual(source.elementAt(1).synchronousEvents, ["next(2)", "completed"])
        XCTAssertEqual(
            source.skipUntil(Observable.just(())).synchronousEvents, ["next(1)", "next(2)", "next(3)", "completed"])
        XCTAssertEqual(source.skipWhile { $0 < 3 }.synchronousEvents, ["next(3)", "completed"])
        XCTAssertEqual(source.takeUntil(Observable.just(())).synchronousEvents, ["completed"])
        XCTAssertEqual(source.takeUntil(.inclusive) { $0 == 2 }.synchronousEvents, ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(
            source.takeUntil(.exclusive, predicate: { $0 == 2 }).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(source.takeWhile { $0 < 2 }.synchronousEvents, ["next(1)", "completed"])
        let scheduler = TestScheduler(initialClock: 0)
        let hot = scheduler.createHotObservable([.next(210, 1), .next(260, 2)])
        XCTAssertEqual(
            scheduler.start { hot.take(.seconds(50), scheduler: scheduler) }.events, [.next(210, 1), .completed(250)])
    }

    func testTraits() {
        let notes = notes
        let single = Single<Int>.error(Planted.fault)
        let maybe = Maybe<Int>.error(Planted.fault)
        XCTAssertEqual(single.catchError { _ in .just(7) }.synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(Completable.error(Planted.fault).catchError { _ in .empty() }.synchronousEvents, ["completed"])
        XCTAssertEqual(single.catchErrorJustReturn(7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(maybe.catchErrorJustReturn(7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(
            single.retryWhen { errors in errors.flatMap { Observable<Int>.error($0) } }.synchronousEvents,
            ["error(fault)"])
        XCTAssertEqual(
            maybe.retryWhen { (errors: Observable<Planted>) in errors.flatMap { Observable<Int>.error($0) } }
                .synchronousEvents, ["error(fault)"])
        Single.just(1).subscribe(onSuccess: { notes.add("\($0)") }, onError: { notes.add("\($0)") }).dispose()
        single.subscribe(
            onSuccess: { notes.add("\($0)") }, onError: { notes.add("\($0)") }, onDisposed: { notes.add("disposed") }
        ).dispose()
        single.subscribe(onError: { notes.add("\($0)") }).dispose()
        XCTAssertEqual(notes.lines, ["1", "fault", "disposed", "fault"])
    }
}

// `withUnretained` is unavailable on a driver. The compiler must prefer the declaration in this file, which it could
// not do if both were available.
extension SharedSequenceConvertibleType where SharingStrategy == DriverSharingStrategy {
    fileprivate func withUnretained<Object: AnyObject>(_ object: Object) -> String { "unavailable" }
}

extension DeprecatedFormsTests {
    func testDriverWithUnretained_isUnavailable() {
        let answer = Driver.just(1).withUnretained(self)
        XCTAssertEqual(answer, "unavailable")
    }
}
