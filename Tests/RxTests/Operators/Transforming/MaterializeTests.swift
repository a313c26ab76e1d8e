import Rx
import RxTest
import XCTest

final class MaterializeTests: XCTestCase {
    func testMaterialize_ofCompletion_deliversItAsValueInTheSameTick() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .completed(220)])
        let result = scheduler.start { source.materialize() }
        XCTAssertEqual(result.events.map(\.time), [210, 220, 220])
        XCTAssertEqual(result.events.map { "\($0.value)" }, ["next(next(1))", "next(completed)", "completed"])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func testMaterialize_ofError_deliversItAsValueAndCompletes() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).materialize().synchronousEvents,
            ["next(next(1))", "next(error(fault))", "completed"])
    }

    func testMaterialize_disposedMidway_deliversNothingMore() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.materialize().record(in: notes)
        subscription.dispose()
        subject.onCompleted()
        XCTAssertEqual(notes.lines, [])
    }

    func testMaterialize_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.materialize() }
        assertResourcesBack(to: before)
    }
}

final class DematerializeTests: XCTestCase {
    func testDematerialize_ofMaterialized_isTheSequence() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).materialize().dematerialize().synchronousEvents,
            ["next(1)", "error(fault)"])
    }

    func testDematerialize_ofCompletedValue_completesAndEndsSource() {
        let subject = PublishSubject<Event<Int>>()
        let notes = Notes()
        let subscription = subject.dematerialize().record(in: notes)
        subject.onNext(.next(1))
        subject.onNext(.completed)
        XCTAssertEqual(notes.lines, ["next(1)", "completed"])
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testDematerialize_ofSourceError_fails() {
        XCTAssertEqual(Observable<Event<Int>>.error(Planted.fault).dematerialize().synchronousEvents, ["error(fault)"])
    }

    func testDematerialize_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.map { Event.next($0) }.dematerialize() }
        runToEveryEnd { $0.map { _ in Event<Int>.error(Planted.other) }.dematerialize() }
        assertResourcesBack(to: before)
    }
}
