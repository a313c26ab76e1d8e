import Rx
import XCTest

final class EnumeratedTests: XCTestCase {
    func testEnumerated_countsFromZero() {
        XCTAssertEqual(
            Observable.sending("a", "b").enumerated().map { "\($0.index)\($0.element)" }.synchronousEvents,
            ["next(0a)", "next(1b)", "completed"])
    }

    func testEnumerated_pastTheLargestIndex_failsWithOverflow() {
        XCTAssertEqual(
            Observable.sending("a", "b").enumerated(from: .max - 1).map { $0.element }.synchronousEvents,
            ["next(a)", "error(Arithmetic overflow occurred.)"])
    }

    func testEnumerated_ofElementSentFromInside_countsIt() {
        let subject = PublishSubject<String>()
        var seen: [Int] = []
        let subscription = subject.enumerated()
            .subscribe(onNext: {
                seen.append($0.index)
                if $0.index == 0 { subject.onNext("b") }
            })
        subject.onNext("a")
        XCTAssertEqual(seen, [0, 1])
        subscription.dispose()
    }

    func testEnumerated_ofError_fails() {
        XCTAssertEqual(
            Observable<Int>.error(Planted.fault).enumerated().map { $0.index }.synchronousEvents, ["error(fault)"])
    }

    func testEnumerated_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.enumerated() }
        assertResourcesBack(to: before)
    }
}
