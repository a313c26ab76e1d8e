import Rx
import XCTest

final class ReduceTests: XCTestCase {
    func testReduce_atCompletion_deliversTheResult() {
        XCTAssertEqual(
            Observable.sending(1, 2, 3).reduce(10, accumulator: +).synchronousEvents, ["next(16)", "completed"])
    }

    func testReduce_ofEmptySequence_deliversTheSeed() {
        XCTAssertEqual(Observable<Int>.empty().reduce(10, accumulator: +).synchronousEvents, ["next(10)", "completed"])
    }

    func testReduce_ofError_fails() {
        XCTAssertEqual(
            Observable.sending(1, then: .error(Planted.fault)).reduce(0, accumulator: +).synchronousEvents,
            ["error(fault)"])
    }

    func testReduce_withMapResult_transformsTheResult() {
        XCTAssertEqual(
            Observable.sending(1, 2).reduce(0, accumulator: +, mapResult: { "sum \($0)" }).synchronousEvents,
            ["next(sum 3)", "completed"])
    }

    func testReduce_whenAccumulatorThrows_failsAndEndsSource() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.reduce(0) { _, _ in throw Planted.other }.record(in: notes)
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["error(other)"])
        XCTAssertFalse(subject.hasObservers)
        subscription.dispose()
    }

    func testReduce_whenMapResultThrows_fails() {
        let result: Observable<Int> = Observable.sending(1)
            .reduce(0, accumulator: +, mapResult: { _ in throw Planted.other })
        XCTAssertEqual(result.synchronousEvents, ["error(other)"])
    }

    func testReduce_disposedMidway_deliversNothing() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.reduce(0, accumulator: +).record(in: notes)
        subject.onNext(1)
        subscription.dispose()
        subject.onCompleted()
        XCTAssertEqual(notes.lines, [])
    }

    func testReduce_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.reduce(0, accumulator: +) }
        runToEveryEnd { $0.reduce(0) { _, _ in throw Planted.other } }
        assertResourcesBack(to: before)
    }
}
