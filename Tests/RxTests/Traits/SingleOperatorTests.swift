import Rx
import RxTest
import XCTest

final class SingleOperatorTests: XCTestCase {
    private let notes = Notes()
    private let fault = Single<Int>.error(Planted.fault)

    func testMap_transformsOrFails() {
        XCTAssertEqual(Single.just(2).map { $0 * 10 }.synchronousEvents, ["next(20)", "completed"])
        XCTAssertEqual(Single.just(2).map { _ -> Int in throw Planted.other }.synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.map { $0 * 10 }.synchronousEvents, ["error(fault)"])
    }

    func testCompactMap_transformsDropsOrFails() {
        XCTAssertEqual(Single.just("2").compactMap { Int($0) }.synchronousEvents, ["next(2)", "completed"])
        XCTAssertEqual(Single.just("x").compactMap { Int($0) }.synchronousEvents, ["completed"])
        XCTAssertEqual(
            Single.just("x").compactMap { _ -> Int? in throw Planted.other }.synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.compactMap { $0 }.synchronousEvents, ["error(fault)"])
    }

    func testFilter_passesDropsOrFails() {
        XCTAssertEqual(Single.just(2).filter { $0 == 2 }.synchronousEvents, ["next(2)", "completed"])
        XCTAssertEqual(Single.just(2).filter { $0 == 1 }.synchronousEvents, ["completed"])
        XCTAssertEqual(Single.just(2).filter { _ in throw Planted.other }.synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.filter { _ in true }.synchronousEvents, ["error(fault)"])
    }

    func testFlatMap_goesOnWithTheInnerOrFails() {
        XCTAssertEqual(Single.just(2).flatMap { .just($0 * 10) }.synchronousEvents, ["next(20)", "completed"])
        XCTAssertEqual(Single.just(2).flatMap { _ in self.fault }.synchronousEvents, ["error(fault)"])
        XCTAssertEqual(
            Single.just(2).flatMap { _ -> Single<Int> in throw Planted.other }.synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.flatMap { .just($0) }.synchronousEvents, ["error(fault)"])
    }

    func testFlatMap_inVirtualTime_subscribesToTheInnerAtTheValue() {
        let scheduler = TestScheduler(initialClock: 0)
        let outer = scheduler.createColdObservable([.next(20, 1), .completed(30)])
        let inner = scheduler.createColdObservable([.next(40, 7), .completed(40)])
        let result = scheduler.start { outer.asSingle().flatMap { _ in inner.asSingle() } }
        XCTAssertEqual(result.events, [.next(270, 7), .completed(270)])
        XCTAssertEqual(outer.subscriptions, [Subscription(200, 230)])
        XCTAssertEqual(inner.subscriptions, [Subscription(230, 270)])
    }

    func testFlatMap_disposedMidway_disposesTheInner() {
        let scheduler = TestScheduler(initialClock: 0)
        let inner = scheduler.createColdObservable([.next(40, 7), .completed(40)])
        let result = scheduler.start(disposed: 220) { Single.just(1).flatMap { _ in inner.asSingle() } }
        XCTAssertEqual(result.events, [])
        XCTAssertEqual(inner.subscriptions, [Subscription(200, 220)])
    }

    func testFlatMap_ofRecursion_fitsASmallStack() {
        func countDown(_ count: Int) -> Single<Int> {
            count == 0 ? .just(0) : Single.just(count - 1).flatMap { countDown($0) }
        }
        XCTAssertEqual(onSmallStack { countDown(100).synchronousEvents }, ["next(0)", "completed"])
    }

    func testFlatMapMaybe_goesOnWithTheInnerOrFails() {
        XCTAssertEqual(
            Single.just(2).flatMapMaybe { Maybe.just($0 * 10) }.synchronousEvents, ["next(20)", "completed"])
        XCTAssertEqual(Single.just(2).flatMapMaybe { _ in Maybe<Int>.empty() }.synchronousEvents, ["completed"])
        XCTAssertEqual(
            Single.just(2).flatMapMaybe { _ -> Maybe<Int> in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testFlatMapCompletable_goesOnWithTheInnerOrFails() {
        XCTAssertEqual(Single.just(2).flatMapCompletable { _ in .empty() }.synchronousEvents, ["completed"])
        XCTAssertEqual(
            Single.just(2).flatMapCompletable { _ in .error(Planted.fault) }.synchronousEvents, ["error(fault)"])
        XCTAssertEqual(
            Single.just(2).flatMapCompletable { _ in throw Planted.other }.synchronousEvents, ["error(other)"])
        XCTAssertEqual(Single.just(2).flatMapCompletable { _ in .never() }.synchronousEvents, [])
    }

    func testCatchAndReturn_replacesAnErrorAlone() {
        XCTAssertEqual(fault.catchAndReturn(7).synchronousEvents, ["next(7)", "completed"])
        XCTAssertEqual(Single.just(1).catchAndReturn(7).synchronousEvents, ["next(1)", "completed"])
    }

    func testAsMaybeAndAsCompletable_keepTheEnd() {
        XCTAssertEqual(Single.just(1).asMaybe().synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(fault.asMaybe().synchronousEvents, ["error(fault)"])
        XCTAssertEqual(Single.just(1).asCompletable().synchronousEvents, ["completed"])
        XCTAssertEqual(fault.asCompletable().synchronousEvents, ["error(fault)"])
    }

    // MARK: do

    private func observed(_ single: Single<Int>) -> Single<Int> {
        single.do(
            onSuccess: { [notes] in notes.add("onSuccess \($0)") },
            afterSuccess: { [notes] in notes.add("afterSuccess \($0)") },
            onError: { [notes] in notes.add("onError \($0)") },
            afterError: { [notes] in notes.add("afterError \($0)") },
            onSubscribe: { [notes] in notes.add("onSubscribe") },
            onSubscribed: { [notes] in notes.add("onSubscribed") },
            onDispose: { [notes] in notes.add("onDispose") })
    }

    func testDo_ofSuccess_callsInOrder() {
        _ = observed(.just(1)).subscribe(onSuccess: { [notes] in notes.add("\($0)") })
        XCTAssertEqual(notes.lines, ["onSubscribe", "onSuccess 1", "1", "afterSuccess 1", "onSubscribed", "onDispose"])
    }

    func testDo_ofFailure_callsInOrder() {
        _ = observed(fault).subscribe(onFailure: { [notes] in notes.add("\($0)") })
        XCTAssertEqual(
            notes.lines, ["onSubscribe", "onError fault", "fault", "afterError fault", "onSubscribed", "onDispose"])
    }

    func testDo_disposedMidway_callsOnDisposeOnce() {
        let subscription = observed(.never()).subscribe { _ in }
        subscription.dispose()
        subscription.dispose()
        XCTAssertEqual(notes.lines, ["onSubscribe", "onSubscribed", "onDispose"])
    }

    func testDo_thatThrows_replacesTheEvent() {
        XCTAssertEqual(Single.just(1).do(onSuccess: { _ in throw Planted.other }).synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.do(onError: { _ in throw Planted.other }).synchronousEvents, ["error(other)"])
        XCTAssertEqual(fault.do(afterError: { _ in throw Planted.other }).synchronousEvents, ["error(fault)"])
    }

    // MARK: zip of a collection

    func testZip_ofCollection_pairsInItsOrder() {
        let first = PublishSubject<Int>()
        let second = PublishSubject<Int>()
        let subscription = Single.zip([first.asSingle(), second.asSingle()]) {
            $0.map(String.init).joined(separator: "-")
        }
        .record(in: notes)
        for (subject, value) in [(second, 2), (first, 1)] {
            subject.onNext(value)
            subject.onCompleted()
        }
        XCTAssertEqual(notes.lines, ["next(1-2)", "completed"])
        subscription.dispose()
    }

    func testZip_ofCollectionWithoutSelector_givesAnArray() {
        XCTAssertEqual(Single.zip([Single.just(1), .just(2)]).synchronousEvents, ["next([1, 2])", "completed"])
        XCTAssertEqual(Single.zip(Set([3]).map { Single.just($0) }).synchronousEvents, ["next([3])", "completed"])
    }

    func testZip_ofNothing_givesWhatTheSelectorMakesOfNothing() {
        XCTAssertEqual(Single.zip([Single<Int>]()).synchronousEvents, ["next([])", "completed"])
        XCTAssertEqual(Single.zip([Single<Int>]()) { $0.count }.synchronousEvents, ["next(0)", "completed"])
        XCTAssertEqual(
            Single.zip([Single<Int>]()) { _ -> Int in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    func testZip_ofCollectionWithAnError_failsAndEndsTheOthers() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createColdObservable([.next(50, 1), .completed(50)])
        let second = scheduler.createColdObservable([.error(20, Planted.fault)]) as TestableObservable<Int>
        let result = scheduler.start { Single.zip([first.asSingle(), second.asSingle()]) }
        XCTAssertEqual(result.events, [.error(220, Planted.fault)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 220)])
    }

    func testZip_ofCollectionWhoseSelectorThrows_fails() {
        XCTAssertEqual(
            Single.zip([Single.just(1)]) { _ -> Int in throw Planted.other }.synchronousEvents, ["error(other)"])
    }

    // MARK: Resources

    func testSingleOperators_atEveryEnd_releaseEverything() {
        let before = Resources.total
        runSingleToEveryEnd { $0.map { $0 + 1 } }
        runSingleToEveryEnd { $0.map { _ -> Int in throw Planted.other } }
        runSingleToEveryEnd { $0.compactMap { $0 } }
        runSingleToEveryEnd { $0.filter { _ in true } }
        runSingleToEveryEnd { $0.filter { _ in throw Planted.other } }
        runSingleToEveryEnd { $0.flatMap { .just($0) } }
        runSingleToEveryEnd { $0.flatMap { _ -> Single<Int> in throw Planted.other } }
        runSingleToEveryEnd { $0.flatMapMaybe { Maybe.just($0) } }
        runSingleToEveryEnd { $0.flatMapCompletable { _ in .empty() } }
        runSingleToEveryEnd { $0.catchAndReturn(1) }
        runSingleToEveryEnd { $0.asMaybe() }
        runSingleToEveryEnd { $0.asCompletable() }
        runSingleToEveryEnd { self.observed($0) }
        runSingleToEveryEnd { Single.zip([$0, .just(1)]) }
        runSingleToEveryEnd { Single.zip([$0, .just(1)]) { $0.count } }
        assertResourcesBack(to: before)
    }
}
