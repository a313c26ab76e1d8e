import Rx
import XCTest

final class ScanTests: XCTestCase {
    func testScan_deliversEachResult() {
        XCTAssertEqual(
            Observable.sending(1, 2, 3).scan(10, accumulator: +).synchronousEvents,
            ["next(11)", "next(13)", "next(16)", "completed"])
        XCTAssertEqual(
            Observable.sending(1, 2).scan(into: [Int]()) { $0.append($1) }.synchronousEvents,
            ["next([1])", "next([1, 2])", "completed"])
    }

    func testScan_subscribedTwice_beginsAnew() {
        let sums = Observable.sending(1, 2).scan(0, accumulator: +)
        XCTAssertEqual(sums.synchronousEvents, ["next(1)", "next(3)", "completed"])
        XCTAssertEqual(sums.synchronousEvents, ["next(1)", "next(3)", "completed"])
    }

    func testScan_ofElementSentFromInside_accumulatesIt() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.scan(0, accumulator: +).subscribe(onNext: {
            seen.append($0)
            if $0 == 1 { subject.onNext(2) }
        })
        subject.onNext(1)
        XCTAssertEqual(seen, [1, 3])
        subscription.dispose()
    }

    func testScan_whenAccumulatorThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let sums = subject.scan(0) { sum, value in if value == 2 { throw Planted.other } else { sum + value } }
        withExtendedLifetime(sums.record(in: notes)) {
            for value in 1...3 { subject.onNext(value) }
            XCTAssertEqual(notes.lines, ["next(1)", "error(other)"])
            XCTAssertFalse(subject.hasObservers)
        }
    }

    func testScan_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.scan(0, accumulator: +) }
        assertResourcesBack(to: before)
    }
}
