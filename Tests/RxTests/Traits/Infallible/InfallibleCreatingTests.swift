import Rx
import RxTest
import XCTest

final class InfallibleCreatingTests: XCTestCase {
    private let notes = Notes()

    func testCreate_deliversUntilCompletion_andDisposesAfterIt() {
        let notes = notes
        let infallible = Infallible<Int>.create { observer in
            observer(.next(1))
            observer(.next(2))
            observer(.completed)
            observer(.next(3))
            observer(.completed)
            return Disposables.create { notes.add("disposed") }
        }
        _ = infallible.subscribe { notes.add("\($0)") }
        XCTAssertEqual(notes.lines, ["next(1)", "next(2)", "completed", "disposed"])
    }

    func testCreate_disposedMidway_disposesWhatItReturned_andIsSilent() {
        let notes = notes
        var keptObserver: Infallible<Int>.InfallibleObserver?
        let infallible = Infallible<Int>.create { observer in
            keptObserver = observer
            return Disposables.create { notes.add("disposed") }
        }
        let subscription = infallible.subscribe { notes.add("\($0)") }
        keptObserver?(.next(1))
        subscription.dispose()
        keptObserver?(.next(2))
        keptObserver?(.completed)
        XCTAssertEqual(notes.lines, ["next(1)", "disposed"])
    }

    func testCreate_completedFromInsideDelivery_saysNothingMore() {
        let notes = notes
        var keptObserver: Infallible<Int>.InfallibleObserver?
        let infallible = Infallible<Int>.create { observer in
            keptObserver = observer
            return Disposables.create()
        }
        let subscription = infallible.subscribe { event in
            notes.add("\(event)")
            if case .completed = event { keptObserver?(.next(9)) } else { keptObserver?(.completed) }
        }
        keptObserver?(.next(1))
        XCTAssertEqual(notes.lines, ["next(1)", "completed"])
        subscription.dispose()
    }

    func testSimpleSources_sayWhatTheyShould() {
        XCTAssertEqual(Infallible.just(1).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(Infallible<Int>.empty().synchronousEvents, ["completed"])
        XCTAssertEqual(Infallible<Int>.never().synchronousEvents, [])
        XCTAssertEqual(Infallible.of(1, 2).synchronousEvents, ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(Infallible.from([1, 2]).synchronousEvents, ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(Infallible.from(1...2).synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testDeferred_asksForEachSubscriber() {
        var made = 0
        let infallible = Infallible<Int>.deferred {
            made += 1
            return .just(made)
        }
        XCTAssertEqual(made, 0)
        XCTAssertEqual(infallible.synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(infallible.synchronousEvents, ["next(2)", "completed"])
    }

    func testJustOfFrom_onAScheduler_useAnActionForEachEvent() {
        func events(_ make: @escaping (TestScheduler) -> Infallible<Int>) -> [Recorded<Event<Int>>] {
            let scheduler = TestScheduler(initialClock: 0)
            return scheduler.start { make(scheduler).asObservable() }.events
        }
        XCTAssertEqual(events { .just(1, scheduler: $0) }, [.next(201, 1), .completed(202)])
        let two: [Recorded<Event<Int>>] = [.next(201, 1), .next(202, 2), .completed(203)]
        XCTAssertEqual(events { .of(1, 2, scheduler: $0) }, two)
        XCTAssertEqual(events { .from([1, 2], scheduler: $0) }, two)
        XCTAssertEqual(events { .from(1...2, scheduler: $0) }, two)
    }

    func testEvent_asAnEventOfAnObservable_isTheSame() {
        XCTAssertEqual(InfallibleEvent.next(1).event, .next(1))
        XCTAssertEqual(InfallibleEvent<Int>.completed.event, .completed)
        XCTAssertEqual(
            Observable.of(InfallibleEvent.next(1), .completed, .next(2)).dematerialize().synchronousEvents,
            ["next(1)", "completed"])
    }
}
