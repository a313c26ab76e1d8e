import Rx
import RxTest
import XCTest

final class WindowTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testWindow_beginsAtEachSpanAndAtCount() {
        let source = scheduler.createHotObservable([
            .next(210, 1), .next(220, 2), .next(230, 3), .next(280, 4), .next(420, 5), .completed(430),
        ])
        let result = scheduler.start {
            source.window(timeSpan: .seconds(70), count: 3, scheduler: self.scheduler).enumerated().flatMap {
                index, window in
                window.map { "\(index) \($0)" }.concat(Observable.just("\(index) ends"))
            }
        }
        XCTAssertEqual(
            result.events,
            [
                .next(210, "0 1"), .next(220, "0 2"), .next(230, "0 3"), .next(230, "0 ends"), .next(280, "1 4"),
                .next(300, "1 ends"),
                .next(370, "2 ends"), .next(420, "3 5"), .next(430, "3 ends"), .completed(430),
            ])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 430)])
    }

    func testWindow_withoutASpan_beginsAtCount_andSchedulesNothing() {
        let (subject, scheduler, notes) = (PublishSubject<Int>(), ManualScheduler(), Notes())
        _ = subject.window(timeSpan: .never, count: 2, scheduler: scheduler).flatMap { $0.toArray() }
            .record(in: notes)
        for element in 1...3 { subject.onNext(element) }
        subject.onCompleted()
        XCTAssertEqual(notes.lines, ["next([1, 2])", "next([3])", "completed"])
        XCTAssertEqual(scheduler.dueTimes, [])
    }

    func testWindow_whoseTimerComesAsTheSourceEnds_beginsNoOther() {
        let (source, clock) = (PublishSubject<Int>(), ManualScheduler())
        var log: [String] = []
        let subscription = source.window(timeSpan: .seconds(1), count: 9, scheduler: clock)
            .subscribe(
                onNext: { window in
                    log.append("begins")
                    _ = window.subscribe(onCompleted: {
                        log.append("ends")
                        if clock.count == 1 { clock.run(0) }
                    })
                }, onCompleted: { log.append("all end") })
        source.onCompleted()
        XCTAssertEqual(log, ["begins", "ends", "all end"])
        subscription.dispose()
    }

    func testWindow_atAnError_failsTheWindowToo() {
        let source = scheduler.createHotObservable([.next(210, 1), .error(220, Planted.fault)])
        let result = scheduler.start {
            source.window(timeSpan: .seconds(70), count: 3, scheduler: self.scheduler).take(1).flatMap {
                $0.materialize().map { "\($0)" }
            }
        }
        XCTAssertEqual(result.events, [.next(210, "next(1)"), .next(220, "error(fault)"), .completed(220)])
    }

    func testWindow_stillSubscribedAfterTheOuterIsDisposed_keepsTheSource() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(250, 3)])
        let inner = scheduler.createObserver(Int.self)
        var outer: (any Disposable)?
        var window: (any Disposable)?
        scheduler.scheduleAt(200) {
            outer = source.window(timeSpan: .seconds(500), count: 9, scheduler: self.scheduler).subscribe(onNext: {
                window = $0.subscribe(inner)
            })
        }
        scheduler.scheduleAt(220) { outer?.dispose() }
        scheduler.scheduleAt(240) { window?.dispose() }
        scheduler.start()
        XCTAssertEqual(inner.events, [.next(210, 1), .next(230, 2)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 240)])
    }

    func testWindow_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.window(timeSpan: .seconds(1), count: 2, scheduler: scheduler) }
            runToEveryEnd { $0.window(timeSpan: .seconds(1), count: 2, scheduler: scheduler).merge() }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
