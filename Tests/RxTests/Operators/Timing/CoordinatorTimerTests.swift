import Dispatch
import Foundation
import XCTest

@testable import Rx

final class CoordinatorTimerTests: XCTestCase {
    private let first = BooleanDisposable()
    private let second = BooleanDisposable()

    func testKeep_ofANewerTimer_disposesTheOneBefore() {
        let timer = CoordinatorTimer()
        timer.keep(first, number: 1)
        timer.keep(second, number: 2)
        XCTAssertTrue(first.isDisposed)
        XCTAssertFalse(second.isDisposed)
    }

    func testKeep_ofAnOlderTimerThatArrivesLate_disposesThatOne() {
        let timer = CoordinatorTimer()
        timer.keep(second, number: 2)
        timer.keep(first, number: 1)
        XCTAssertTrue(first.isDisposed)
        XCTAssertFalse(second.isDisposed)
    }

    func testDispose_endsTheTimerAndThoseThatComeLater() {
        let timer = CoordinatorTimer()
        timer.keep(first, number: 1)
        timer.dispose()
        XCTAssertTrue(first.isDisposed)
        timer.keep(second, number: 2)
        XCTAssertTrue(second.isDisposed)
    }

    func testFired_letsGoOfTheTimerThatFires() {
        let timer = CoordinatorTimer()
        weak var kept: BooleanDisposable?
        do {
            let first = BooleanDisposable()
            timer.keep(first, number: 1)
            kept = first
        }
        timer.fired(0)
        XCTAssertNotNil(kept)
        timer.fired(1)
        XCTAssertNil(kept)
    }

    func testRest_ofASpan_isWhatIsLeftOfIt() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let span = DispatchTimeInterval.seconds(10)
        XCTAssertEqual(span.rest(from: start, at: start + 4), .nanoseconds(6_000_000_000))
        XCTAssertNil(span.rest(from: start, at: start + 10))
        XCTAssertNil(span.rest(from: start, at: start + 11))
    }

    func testRest_whenTheClockWasSetBack_isTheSpanAtMost() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        XCTAssertEqual(DispatchTimeInterval.seconds(10).rest(from: start, at: start - 60), .nanoseconds(10_000_000_000))
    }

    func testRest_ofASpanOfZero_takesATurnAtTheMomentItBegan() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        XCTAssertEqual(DispatchTimeInterval.seconds(0).rest(from: start, at: start), .nanoseconds(0))
        XCTAssertNil(DispatchTimeInterval.seconds(0).rest(from: start, at: start + 1))
    }
}
