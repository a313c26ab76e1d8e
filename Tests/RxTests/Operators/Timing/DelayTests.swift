import Rx
import RxTest
import XCTest

final class DelayTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testDelay_shiftsElementsAndCompletion() {
        let source = scheduler.createHotObservable([.next(250, 1), .next(350, 2), .next(450, 3), .completed(550)])
        let result = scheduler.start { source.delay(.seconds(100), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(350, 1), .next(450, 2), .next(550, 3), .completed(650)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 550)])
    }

    func testDelay_whoseTimerFiresAfterTheClockWasSetBack_deliversAtThatTurn() {
        let scheduler = ManualScheduler()
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.delay(.seconds(10), scheduler: scheduler).subscribe(onNext: { notes.add("\($0)") })
        scheduler.setClock(1000)
        subject.onNext(1)
        scheduler.setClock(100)
        scheduler.run(0)
        XCTAssertEqual(scheduler.dueTimes, [.seconds(10)])
        XCTAssertEqual(notes.lines, ["1"])
        subscription.dispose()
        scheduler.removeAll()
    }

    func testDelay_longerThanTheGaps_keepsThem() {
        let source = scheduler.createHotObservable([
            .next(250, 1), .next(251, 2), .next(251, 3), .next(270, 4), .completed(280),
        ])
        let result = scheduler.start { source.delay(.seconds(100), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(350, 1), .next(351, 2), .next(352, 3), .next(370, 4), .completed(380)])
    }

    func testDelay_atAnError_failsAtOnceAndDropsWhatWaits() {
        let source = scheduler.createHotObservable([.next(250, 1), .next(350, 2), .error(400, Planted.fault)])
        let result = scheduler.start { source.delay(.seconds(100), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(350, 1), .error(400, Planted.fault)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 400)])
    }

    func testDelay_atAnErrorWhileAnElementIsDelivered_failsAsSoonAsThatIsDone() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.delay(.seconds(10), scheduler: scheduler).subscribe(
            onNext: { element in
                subject.onError(Planted.fault)
                notes.add("\(element)")
            },
            onError: { notes.add("\($0)") })
        subject.onNext(1)
        subject.onNext(2)
        scheduler.start()
        XCTAssertEqual(notes.lines, ["1", "fault"])
        subscription.dispose()
    }

    func testDelay_disposedMidway_dropsWhatWaits() {
        let source = scheduler.createHotObservable([.next(250, 1), .next(290, 2)])
        let result = scheduler.start(disposed: 360) { source.delay(.seconds(100), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(350, 1)])
        XCTAssertEqual(scheduler.clock, 360)
    }

    func testDelaySubscription_shiftsOnlyTheSubscription() {
        let source = scheduler.createColdObservable([.next(50, 1), .completed(70)])
        let result = scheduler.start { source.delaySubscription(.seconds(30), scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.next(280, 1), .completed(300)])
        XCTAssertEqual(source.subscriptions, [Subscription(230, 300)])
    }

    func testDelaySubscription_disposedBefore_neverSubscribes() {
        let source = scheduler.createColdObservable([.next(50, 1)])
        _ = scheduler.start(disposed: 220) { source.delaySubscription(.seconds(30), scheduler: self.scheduler) }
        XCTAssertEqual(source.subscriptions, [])
    }

    func testDelay_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.delay(.seconds(1), scheduler: scheduler) }
            runToEveryEnd { $0.delaySubscription(.seconds(1), scheduler: scheduler).take(until: $0) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
