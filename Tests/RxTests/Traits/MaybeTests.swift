import Rx
import RxTest
import XCTest

final class MaybeTests: XCTestCase {
    private let notes = Notes()
    private let fault = Maybe<Int>.error(Planted.fault)

    // MARK: Creating

    func testCreate_ofEachEvent_deliversTheFirstAndDisposesAfterIt() {
        let notes = notes
        for event in [MaybeEvent.success(1), .error(Planted.fault), .completed] {
            let maybe = Maybe<Int>.create { maybe in
                maybe(event)
                maybe(.success(2))
                maybe(.completed)
                return Disposables.create { notes.add("disposed") }
            }
            _ = maybe.subscribe { notes.add("\($0)") }
        }
        XCTAssertEqual(
            notes.lines,
            [
                "success(1)", "disposed", "error(RxTests.Planted.fault)", "disposed", "completed", "disposed",
            ])
    }

    func testCreate_calledFromInsideDelivery_deliversOnce() {
        let notes = notes
        var send: ((MaybeEvent<Int>) -> Void)?
        let maybe = Maybe<Int>.create {
            send = $0
            return Disposables.create()
        }
        let subscription = maybe.subscribe {
            notes.add("\($0)")
            send?(.success(2))
        }
        send?(.success(1))
        XCTAssertEqual(notes.lines, ["success(1)"])
        subscription.dispose()
    }

    func testCreate_disposedMidway_disposesAndRefusesWhatComes() {
        let notes = notes
        var late: ((MaybeEvent<Int>) -> Void)?
        let maybe = Maybe<Int>.create { maybe in
            late = maybe
            return Disposables.create { notes.add("disposed") }
        }
        maybe.subscribe { notes.add("\($0)") }.dispose()
        late?(.completed)
        XCTAssertEqual(notes.lines, ["disposed"])
    }

    func testJustErrorNeverEmpty_asObservable_sayWhatTheyShould() {
        XCTAssertEqual(Maybe.just(1).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(fault.synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Maybe<Int>.never().synchronousEvents, [])
        XCTAssertEqual(Maybe<Int>.empty().synchronousEvents, ["completed"])
    }

    func testJust_onScheduler_isDeliveredThere() {
        let scheduler = TestScheduler(initialClock: 0)
        XCTAssertEqual(
            scheduler.start { Maybe.just(1, scheduler: scheduler) }.events, [.next(201, 1), .completed(202)])
    }

    // MARK: Subscribing

    private func subscribe(to maybe: Maybe<Int>) {
        _ = maybe.subscribe(
            onSuccess: { [notes] in notes.add("\($0)") }, onError: { [notes] in notes.add("\($0)") },
            onCompleted: { [notes] in notes.add("completed") }, onDisposed: { [notes] in notes.add("disposed") })
    }

    func testSubscribe_toEachEnd_callsItsFunctionAlone() {
        subscribe(to: .just(1))
        subscribe(to: fault)
        subscribe(to: .empty())
        XCTAssertEqual(notes.lines, ["1", "disposed", "fault", "disposed", "completed", "disposed"])
    }

    func testSubscribe_toWhatFailsAfterItsValue_hearsTheValueAlone() {
        subscribe(to: Maybe.just(1).do(afterNext: { _ in throw Planted.fault }))
        XCTAssertEqual(notes.lines, ["1", "disposed"])
    }

    func testSubscribe_disposedMidway_tellsOnDisposedAlone() {
        let notes = notes
        Maybe<Int>.never().subscribe(onSuccess: { notes.add("\($0)") }, onDisposed: { notes.add("disposed") }).dispose()
        XCTAssertEqual(notes.lines, ["disposed"])
    }

    func testSubscribe_withoutOnError_callsTheHook() {
        notingUnhandledErrors(in: notes) {
            _ = fault.subscribe(onSuccess: { _ in })
            _ = fault.subscribe(with: self, onSuccess: { _, _ in })
        }
        XCTAssertEqual(notes.lines, ["unhandled fault", "unhandled fault"])
    }

    func testSubscribeWith_aLiveObject_handsItOver() {
        for maybe in [.just(1), fault, .empty()] {
            _ = maybe.subscribe(
                with: notes, onSuccess: { $0.add("\($1)") }, onError: { $0.add("\($1)") },
                onCompleted: { $0.add("completed") },
                onDisposed: { $0.add("disposed") })
        }
        XCTAssertEqual(notes.lines, ["1", "disposed", "fault", "disposed", "completed", "disposed"])
    }

    func testSubscribeWith_anObjectThatIsGone_callsNothing() {
        let notes = notes
        for event in [MaybeEvent.success(1), .error(Planted.fault), .completed] {
            var object: LifetimeProbe? = LifetimeProbe()
            var send: ((MaybeEvent<Int>) -> Void)?
            let maybe = Maybe<Int>.create {
                send = $0
                return Disposables.create()
            }
            let subscription = maybe.subscribe(
                with: object!, onSuccess: { _, value in notes.add("\(value)") },
                onError: { _, error in notes.add("\(error)") },
                onCompleted: { _ in notes.add("completed") }, onDisposed: { _ in notes.add("disposed") })
            object = nil
            send?(event)
            subscription.dispose()
        }
        XCTAssertEqual(notes.lines, [])
    }

    // MARK: Operators

    func testMap_transformsOrFails() {
        XCTAssertEqual(Maybe.just(2).map { $0 * 10 }.synchronousEvents, ["next(20)", "completed"])
        XCTAssertEqual(Maybe<Int>.empty().map { $0 * 10 }.synchronousEvents, ["completed"])
        XCTAssertEqual(Maybe.just(2).map { _ -> Int in throw Planted.other }.synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.map { $0 }.synchronousEvents, ["error(fault)"])
    }

    func testCompactMap_transformsDropsOrFails() {
        XCTAssertEqual(Maybe.just("2").compactMap { Int($0) }.synchronousEvents, ["next(2)", "completed"])
        XCTAssertEqual(Maybe.just("x").compactMap { Int($0) }.synchronousEvents, ["completed"])
        XCTAssertEqual(
            Maybe.just("x").compactMap { _ -> Int? in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testFilter_passesDropsOrFails() {
        XCTAssertEqual(Maybe.just(2).filter { $0 == 2 }.synchronousEvents, ["next(2)", "completed"])
        XCTAssertEqual(Maybe.just(2).filter { $0 == 1 }.synchronousEvents, ["completed"])
        XCTAssertEqual(Maybe.just(2).filter { _ in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testFlatMap_goesOnWithTheInnerOrFails() {
        XCTAssertEqual(Maybe.just(2).flatMap { .just($0 * 10) }.synchronousEvents, ["next(20)", "completed"])
        XCTAssertEqual(Maybe.just(2).flatMap { _ in Maybe<Int>.empty() }.synchronousEvents, ["completed"])
        XCTAssertEqual(Maybe<Int>.empty().flatMap { Maybe.just($0) }.synchronousEvents, ["completed"])
        XCTAssertEqual(Maybe.just(2).flatMap { _ in self.fault }.synchronousEvents, ["error(fault)"])
        XCTAssertEqual(
            Maybe.just(2).flatMap { _ -> Maybe<Int> in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testIfEmptyDefault_replacesCompletionAlone() {
        XCTAssertEqual(Maybe<Int>.empty().ifEmpty(default: 7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(Maybe.just(1).ifEmpty(default: 7).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(fault.ifEmpty(default: 7).synchronousEvents, ["error(fault)"])
    }

    func testIfEmptySwitchTo_goesOnWithTheOtherAtCompletion() {
        let scheduler = TestScheduler(initialClock: 0)
        let none = scheduler.createColdObservable([.completed(20)]) as TestableObservable<Int>
        let other = scheduler.createColdObservable([.next(30, 7), .completed(30)])
        let maybe = scheduler.start { none.asMaybe().ifEmpty(switchTo: other.asMaybe()) }
        XCTAssertEqual(maybe.events, [.next(250, 7), .completed(250)])
        XCTAssertEqual(none.subscriptions, [Subscription(200, 220)])
        XCTAssertEqual(other.subscriptions, [Subscription(220, 250)])
    }

    func testIfEmptySwitchTo_aSingle_givesASingle() {
        let single: Single<Int> = Maybe<Int>.empty().ifEmpty(switchTo: Single.just(7))
        XCTAssertEqual(single.synchronousEvents, ["next(7)", "completed"])
        let kept: Single<Int> = Maybe.just(1).ifEmpty(switchTo: Single.error(Planted.other))
        XCTAssertEqual(kept.synchronousEvents, ["next(1)", "completed"])
    }

    func testCatchAndReturn_replacesAnErrorAlone() {
        XCTAssertEqual(fault.catchAndReturn(7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(Maybe<Int>.empty().catchAndReturn(7).synchronousEvents, ["completed"])
    }

    private func observed(_ maybe: Maybe<Int>) -> Maybe<Int> {
        let notes = notes
        return maybe.do(
            onNext: { notes.add("onNext \($0)") }, afterNext: { notes.add("afterNext \($0)") },
            onError: { notes.add("onError \($0)") }, afterError: { notes.add("afterError \($0)") },
            onCompleted: { notes.add("onCompleted") }, afterCompleted: { notes.add("afterCompleted") },
            onSubscribe: { notes.add("onSubscribe") }, onSubscribed: { notes.add("onSubscribed") },
            onDispose: { notes.add("onDispose") })
    }

    func testDo_ofEachEnd_callsInOrder() {
        subscribe(to: observed(.just(1)).do(onSubscribe: { [notes] in notes.add("value:") }))
        subscribe(to: observed(fault).do(onSubscribe: { [notes] in notes.add("error:") }))
        subscribe(to: observed(.empty()).do(onSubscribe: { [notes] in notes.add("none:") }))
        XCTAssertEqual(
            notes.lines,
            [
                "value:", "onSubscribe", "onNext 1", "1", "afterNext 1", "onCompleted", "disposed", "afterCompleted",
                "onSubscribed", "onDispose",
                "error:", "onSubscribe", "onError fault", "fault", "disposed", "afterError fault", "onSubscribed",
                "onDispose",
                "none:", "onSubscribe", "onCompleted", "completed", "disposed", "afterCompleted", "onSubscribed",
                "onDispose",
            ])
    }

    func testDo_thatThrows_replacesTheEvent() {
        XCTAssertEqual(Maybe.just(1).do(onNext: { _ in throw Planted.other }).synchronousEvents, ["error(other)"])
        XCTAssertEqual(Maybe<Int>.empty().do(onCompleted: { throw Planted.other }).synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.do(onError: { _ in throw Planted.other }).synchronousEvents, ["error(other)"])
    }

    // MARK: Resources

    func testMaybe_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { source in
            Maybe<Int>.create { maybe in
                source.subscribe(onError: { maybe(.error($0)) }, onCompleted: { maybe(.completed) })
            }
        }
        runMaybeToEveryEnd { $0.map { $0 } }
        runMaybeToEveryEnd { $0.map { _ -> Int in throw Planted.other } }
        runMaybeToEveryEnd { $0.compactMap { $0 } }
        runMaybeToEveryEnd { $0.filter { _ in false } }
        runMaybeToEveryEnd { $0.flatMap { Maybe.just($0) } }
        runMaybeToEveryEnd { $0.flatMap { _ in Maybe<Int>.empty() } }
        runMaybeToEveryEnd { $0.ifEmpty(default: 7) }
        runMaybeToEveryEnd { $0.ifEmpty(switchTo: Maybe.just(7)) }
        runMaybeToEveryEnd { $0.ifEmpty(switchTo: Single.just(7)) }
        runMaybeToEveryEnd { $0.catchAndReturn(7) }
        runMaybeToEveryEnd { self.observed($0) }
        for maybe in [.just(1), fault, .empty(), .never()] {
            maybe.subscribe { _ in }.dispose()
            maybe.subscribe(with: self, onSuccess: { _, _ in }, onError: { _, _ in }).dispose()
        }
        assertResourcesBack(to: before)
    }
}
