import Rx
import RxTest
import XCTest

final class InfallibleFilteringTests: XCTestCase {
    private struct Point: Equatable { var x: Int, y: Int }

    func testFilter_dropsWhatIsRefused() {
        XCTAssertEqual(
            Infallible.of(1, 2, 3).filter { $0 != 2 }.synchronousEvents, ["next(1)", "next(3)", "completed"])
    }

    func testDistinctUntilChanged_inEachForm_comparesWithTheLastOneDelivered() {
        let expected = ["next(1)", "next(2)", "next(1)", "completed"]
        XCTAssertEqual(Infallible.of(1, 1, 2, 1).distinctUntilChanged().synchronousEvents, expected)
        XCTAssertEqual(Infallible.of(1, 3, 2, 1).distinctUntilChanged { $0 % 2 }.synchronousEvents, expected)
        XCTAssertEqual(Infallible.of(1, 3, 2, 1).distinctUntilChanged { $0 % 2 == $1 % 2 }.synchronousEvents, expected)
        XCTAssertEqual(
            Infallible.of(1, 3, 2, 1).distinctUntilChanged({ $0 % 2 }, comparer: { $0 == $1 }).synchronousEvents,
            expected)
        let points = Infallible.of(Point(x: 1, y: 1), Point(x: 1, y: 2), Point(x: 2, y: 2))
        XCTAssertEqual(
            points.distinctUntilChanged(at: \.x).map(\.x).synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testTake_givesTheFirst_andDisposesTheSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.asInfallible(onErrorJustReturn: 0).take(1).record(in: notes)
        subject.onNext(1)
        XCTAssertFalse(subject.hasObservers)
        subject.onNext(2)
        XCTAssertEqual(notes.lines, ["next(1)", "completed"])
        subscription.dispose()
    }

    func testTakeWhileAndUntil_endAtThePredicate_withOrWithoutItsElement() {
        let source = Infallible.of(1, 2, 3)
        XCTAssertEqual(source.take(while: { $0 < 2 }).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            source.take(while: { $0 < 2 }, behavior: .inclusive).synchronousEvents, ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(source.take(until: { $0 == 2 }).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(
            source.take(until: { $0 == 2 }, behavior: .inclusive).synchronousEvents,
            ["next(1)", "next(2)", "completed"])
    }

    func testSkipWhile_dropsTheBeginning() {
        XCTAssertEqual(
            Infallible.of(1, 2, 1).skip(while: { $0 < 2 }).synchronousEvents, ["next(2)", "next(1)", "completed"])
    }

    func testTakeUntil_anInfallibleOrAnObservable_endsAtItsFirstElement() {
        for takeUntil: (Infallible<Int>, PublishSubject<Void>) -> Infallible<Int> in [
            { $0.take(until: $1.asInfallible(onErrorJustReturn: ())) }, { $0.take(until: $1) },
        ] {
            let subject = PublishSubject<Int>()
            let trigger = PublishSubject<Void>()
            let notes = Notes()
            let subscription = takeUntil(subject.asInfallible(onErrorJustReturn: 0), trigger).record(in: notes)
            subject.onNext(1)
            trigger.onNext(())
            XCTAssertFalse(subject.hasObservers)
            XCTAssertEqual(notes.lines, ["next(1)", "completed"])
            subscription.dispose()
        }
    }

    func testSkipUntil_anInfallibleOrAnObservable_beginsAtItsFirstElement() {
        for skipUntil: (Infallible<Int>, PublishSubject<Void>) -> Infallible<Int> in [
            { $0.skip(until: $1.asInfallible(onErrorJustReturn: ())) }, { $0.skip(until: $1) },
        ] {
            let subject = PublishSubject<Int>()
            let trigger = PublishSubject<Void>()
            let notes = Notes()
            let subscription = skipUntil(subject.asInfallible(onErrorJustReturn: 0), trigger).record(in: notes)
            subject.onNext(1)
            trigger.onNext(())
            subject.onNext(2)
            subject.onCompleted()
            XCTAssertEqual(notes.lines, ["next(2)", "completed"])
            subscription.dispose()
        }
    }

    func testTakeFor_endsAtTheTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(260, 3), .completed(300)])
        let result = scheduler.start {
            source.asInfallible(onErrorJustReturn: 0).take(for: .seconds(50), scheduler: scheduler).asObservable()
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(230, 2), .completed(250)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 250)])
    }

    func testEachOperator_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        func run<Result: ObservableConvertibleType>(_ apply: (Infallible<Int>) -> Result) {
            runToEveryEnd { apply($0.asInfallible(onErrorJustReturn: 0)) }
        }
        run { $0.filter { $0 > 1 } }
        run { $0.distinctUntilChanged() }
        run { $0.distinctUntilChanged(at: \.self) }
        run { $0.distinctUntilChanged { $0 } }
        run { $0.distinctUntilChanged { $0 == $1 } }
        run { $0.distinctUntilChanged({ $0 }, comparer: ==) }
        run { $0.take(2) }
        run { $0.take(while: { $0 < 2 }) }
        run { $0.take(until: { $0 > 2 }) }
        run { $0.take(until: Infallible<Int>.never()) }
        run { $0.take(until: Observable<Int>.never()) }
        run { $0.skip(while: { $0 < 2 }) }
        run { $0.skip(until: Infallible.just(1)) }
        run { $0.skip(until: Observable.just(1)) }
        assertResourcesBack(to: before)
    }
}
