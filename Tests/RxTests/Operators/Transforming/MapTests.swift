import Rx
import XCTest

final class MapTests: XCTestCase {
    func testMap_transformsEachElement() {
        XCTAssertEqual(
            Observable.sending(1, 2).map { $0 * 10 }.synchronousEvents, ["next(10)", "next(20)", "completed"])
    }

    func testMap_ofError_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).map { $0 * 2 }.synchronousEvents,
            ["next(2)", "error(fault)"])
    }

    func testMap_whenTransformThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let mapped = subject.map { if $0 == 2 { throw Planted.other } else { $0 } }
        withExtendedLifetime(mapped.record(in: notes)) {
            for value in 1...3 { subject.onNext(value) }
            XCTAssertEqual(notes.lines, ["next(1)", "error(other)"])
            XCTAssertFalse(subject.hasObservers)
        }
    }

    func testMap_disposedFromInsideTheTransform_deliversNothing() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = SerialDisposable()
        subscription.disposable = subject.map { value in
            subscription.dispose()
            return value
        }.record(in: notes)
        subject.onNext(1)
        XCTAssertEqual(notes.lines, [])
    }

    func testCompactMap_leavesOutNil() {
        XCTAssertEqual(
            Observable.sending("1", "one", "2").compactMap { Int($0) }.synchronousEvents,
            ["next(1)", "next(2)", "completed"])
    }

    func testCompactMap_whenTransformThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let mapped = subject.compactMap { _ -> Int? in throw Planted.other }
        withExtendedLifetime(mapped.record(in: notes)) {
            subject.onNext(1)
            XCTAssertEqual(notes.lines, ["error(other)"])
            XCTAssertFalse(subject.hasObservers)
        }
    }

    func testMapAndCompactMap_atEveryEnd_releaseEverything() {
        let before = Resources.total
        runToEveryEnd { $0.map { $0 + 1 } }
        runToEveryEnd { $0.compactMap { $0 == 2 ? nil : $0 } }
        assertResourcesBack(to: before)
    }
}
