import Rx
import XCTest

final class AsyncSubjectTests: XCTestCase {
    func testComplete_afterValues_sendsTheLastToEarlyAndLateSubscribers() {
        let subject = AsyncSubject<Int>()
        var early: [String] = []
        var late: [String] = []
        _ = subject.subscribe { early.append($0.debugDescription) }
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(early, [])
        XCTAssertTrue(subject.hasObservers)
        subject.onCompleted()
        subject.onNext(3)
        _ = subject.subscribe { late.append($0.debugDescription) }
        XCTAssertEqual(early, ["next(2)", "completed"])
        XCTAssertEqual(late, early)
        XCTAssertFalse(subject.hasObservers)
    }

    func testComplete_withoutValues_onlyCompletes() {
        let subject = AsyncSubject<Int>()
        var seen: [String] = []
        subject.onCompleted()
        _ = subject.subscribe { seen.append($0.debugDescription) }
        XCTAssertEqual(seen, ["completed"])
    }

    func testError_afterValues_sendsOnlyTheError() {
        let subject = AsyncSubject<Int>()
        var early: [String] = []
        var late: [String] = []
        _ = subject.subscribe { early.append($0.debugDescription) }
        subject.onNext(1)
        subject.onError(TestError())
        _ = subject.subscribe { late.append($0.debugDescription) }
        XCTAssertEqual(early, ["error(TestError())"])
        XCTAssertEqual(late, early)
    }

    func testRelease_inEveryWayToEnd_returnsEveryResource() {
        let before = Resources.total
        for end in ["completed", "error", "dispose", "drop"] {
            let subject = AsyncSubject<Int>()
            let subscription = subject.map { $0 }.subscribe(onError: { _ in })
            subject.onNext(1)
            switch end {
            case "completed": subject.onCompleted()
            case "error": subject.onError(TestError())
            case "dispose": subscription.dispose()
            default: break
            }
        }
        assertResourcesBack(to: before)
    }
}
