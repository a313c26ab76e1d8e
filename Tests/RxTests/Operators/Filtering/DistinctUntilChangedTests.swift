import Rx
import XCTest

final class DistinctUntilChangedTests: XCTestCase {
    private let failing = Observable.sending(1, 1, then: .error(Planted.fault))

    func testDistinct_ofEquatables_dropsRepeats() {
        XCTAssertEqual(
            Observable.sending(1, 1, 2, 1).distinctUntilChanged().synchronousEvents,
            ["next(1)", "next(2)", "next(1)", "completed"])
    }

    func testDistinct_byKey_comparesKeys() {
        XCTAssertEqual(
            Observable.sending(1, 3, 4).distinctUntilChanged { $0 % 2 }.synchronousEvents,
            ["next(1)", "next(4)", "completed"])
    }

    func testDistinct_byKeyPath_comparesProperties() {
        XCTAssertEqual(
            Observable.sending("a", "b", "cc").distinctUntilChanged(at: \.count).synchronousEvents,
            ["next(a)", "next(cc)", "completed"])
    }

    func testDistinct_byKeyAndComparer_asksComparerAboutKeys() {
        XCTAssertEqual(
            Observable.sending(1, 2, 30).distinctUntilChanged({ $0 * 10 }, comparer: { $1 - $0 < 15 })
                .synchronousEvents,
            ["next(1)", "next(30)", "completed"])
    }

    func testDistinct_byComparer_comparesWithTheLastDelivered() {
        // Each differs from the previous element by only 3, but 7 differs by 6 from 1, which was delivered last.
        XCTAssertEqual(
            Observable.sending(1, 4, 7).distinctUntilChanged { abs($0 - $1) < 5 }.synchronousEvents,
            ["next(1)", "next(7)", "completed"])
    }

    func testDistinct_ofError_fails() {
        XCTAssertEqual(failing.distinctUntilChanged().synchronousEvents, ["next(1)", "error(fault)"])
    }

    func testDistinct_whenKeySelectorThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.distinctUntilChanged { _ -> Int in throw Planted.other }.record(in: notes)
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["error(other)"])
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testDistinct_whenComparerThrows_failsAtTheSecondElement() {
        XCTAssertEqual(
            Observable.sending(1, 2).distinctUntilChanged { _, _ in throw Planted.other }.synchronousEvents,
            ["next(1)", "error(other)"])
    }

    func testDistinct_ofElementSentFromInside_comparesWithTheOneUnderDelivery() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.distinctUntilChanged().subscribe(onNext: {
            seen.append($0)
            subject.onNext($0)
        })
        subject.onNext(1)
        XCTAssertEqual(seen, [1])
        subscription.dispose()
    }

    func testDistinct_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.distinctUntilChanged() }
        runToEveryEnd { $0.distinctUntilChanged({ $0 }, comparer: { _, _ in throw Planted.other }) }
        assertResourcesBack(to: before)
    }
}
