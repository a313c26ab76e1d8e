import Rx
import RxTest
import XCTest

final class BufferTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testBuffer_sendsAtEachSpanAndAtCount() {
        let source = scheduler.createHotObservable([
            .next(210, 1), .next(220, 2), .next(230, 3), .next(280, 4), .next(420, 5), .completed(430),
        ])
        let result = scheduler.start { source.buffer(timeSpan: .seconds(70), count: 3, scheduler: self.scheduler) }
        XCTAssertEqual(
            result.events, [.next(230, [1, 2, 3]), .next(300, [4]), .next(370, []), .next(430, [5]), .completed(430)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 430)])
    }

    func testBuffer_withoutASpan_sendsAtCountAndEnd_andSchedulesNothing() {
        let scheduler = ManualScheduler()
        let subject = PublishSubject<Int>()
        let notes = Notes()
        _ = subject.buffer(timeSpan: .never, count: 2, scheduler: scheduler).record(in: notes)
        for element in 1...3 { subject.onNext(element) }
        subject.onCompleted()
        XCTAssertEqual(notes.lines, ["next([1, 2])", "next([3])", "completed"])
        XCTAssertEqual(scheduler.dueTimes, [])
    }

    func testBuffer_atAnError_dropsWhatHasCome() {
        let source = scheduler.createHotObservable([.next(210, 1), .error(220, Planted.fault)])
        let result = scheduler.start { source.buffer(timeSpan: .seconds(70), count: 3, scheduler: self.scheduler) }
        XCTAssertEqual(result.events, [.error(220, Planted.fault)])
    }

    func testBuffer_disposedMidway_stopsItsTimer() {
        let source = scheduler.createHotObservable([.next(210, 1)])
        let result = scheduler.start(disposed: 300) {
            source.buffer(timeSpan: .seconds(70), count: 3, scheduler: self.scheduler)
        }
        XCTAssertEqual(result.events, [.next(270, [1])])
        XCTAssertEqual(scheduler.clock, 300)
    }

    func testBuffer_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.buffer(timeSpan: .seconds(1), count: 2, scheduler: scheduler) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
