import Rx
import XCTest

final class SingleTests: XCTestCase {
    private let notes = Notes()

    func testCreate_ofSuccess_deliversAndDisposesAfterIt() {
        let notes = notes
        let subject = PublishSubject<Int>()
        let single = Single<Int>.create { observer in
            let inner = subject.subscribe(onNext: { observer(.success($0)); observer(.success($0 + 1)) })
            return Disposables.create { inner.dispose(); notes.add("disposed") }
        }
        let subscription = single.subscribe { notes.add("\($0)") }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["success(1)", "disposed"])
        subscription.dispose()
    }

    func testCreate_calledFromInsideDelivery_deliversOnce() {
        let subject = PublishSubject<Int>()
        let single = Single<Int>.create { observer in subject.subscribe(onNext: { observer(.success($0)) }) }
        let subscription = single.subscribe { [notes] in notes.add("\($0)"); subject.onNext(2) }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["success(1)"])
        subscription.dispose()
    }

    func testCreate_ofFailure_fails() {
        let single = Single<Int>.create { observer in
            observer(.failure(Planted.fault))
            observer(.success(1))
            return Disposables.create()
        }
        XCTAssertEqual(single.asObservable().synchronousEvents, ["error(fault)"])
    }

    func testJustErrorNever_asObservable_sayWhatTheyShould() {
        XCTAssertEqual(Single.just(1).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Single<Int>.error(Planted.fault).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Single<Int>.never().synchronousEvents, [])
    }

    func testSubscribe_withFunctions_callsThem() {
        let notes = notes
        _ = Single.just(1).subscribe(onSuccess: { notes.add("\($0)") }, onDisposed: { notes.add("disposed") })
        _ = Single<Int>.error(Planted.fault).subscribe(onFailure: { notes.add("\($0)") }, onDisposed: { notes.add("disposed") })
        XCTAssertEqual(notes.lines, ["1", "disposed", "fault", "disposed"])
    }

    func testSubscribe_withoutOnFailure_callsTheHook() {
        let notes = notes
        let handler = Hooks.defaultErrorHandler
        defer { Hooks.defaultErrorHandler = handler }
        Hooks.defaultErrorHandler = { _, error in notes.add("unhandled \(error)") }
        _ = Single<Int>.error(Planted.fault).subscribe(onSuccess: { _ in })
        XCTAssertEqual(notes.lines, ["unhandled fault"])
    }

    func testMap_transformsOrFails() {
        XCTAssertEqual(Single.just(2).map { $0 * 10 }.synchronousEvents, ["next(20)", "completed"])
        XCTAssertEqual(Single.just(2).map { _ -> Int in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testAsSingle_deliversAtCompletion() {
        let subject = PublishSubject<Int>()
        let subscription = subject.asSingle().record(in: notes)
        subject.onNext(1)
        XCTAssertEqual(notes.lines, [])
        subject.onCompleted()
        XCTAssertEqual(notes.lines, ["next(1)", "completed"])
        subscription.dispose()
    }

    func testAsSingle_ofNoneOrTwo_fails() {
        XCTAssertEqual(Observable<Int>.empty().asSingle().synchronousEvents, ["error(Sequence doesn't contain any elements.)"])
        XCTAssertEqual(
            Observable.sending(1, 2, then: nil).asSingle().synchronousEvents, ["error(Sequence contains more than one element.)"])
    }

    func testAsSingle_ofOptionalNil_deliversIt() {
        XCTAssertEqual(Observable<Int?>.just(nil).asSingle().synchronousEvents, ["next(nil)", "completed"])
    }

    func testSingle_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.asSingle() }
        runToEveryEnd { source in
            Single<Int>.create { observer in source.subscribe(onNext: { observer(.success($0)) }, onError: { observer(.failure($0)) }) }
        }
        XCTAssertEqual(Resources.total, before)
    }
}
