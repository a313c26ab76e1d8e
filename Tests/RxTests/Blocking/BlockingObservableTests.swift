import Foundation
import Rx
import RxBlocking
import XCTest

final class BlockingObservableTests: XCTestCase {
    private struct Failure: Error {}

    private var resourcesBefore: Int32 = 0

    override func setUp() { resourcesBefore = Resources.total }

    /// A queue releases its work shortly after the test has its answer. The next test must not count this work.
    override func tearDown() { waitUntil { Resources.total <= self.resourcesBefore } }

    /// Sends numbers up to `count` from another queue, then ends.
    private func numbers(
        to count: Int, on scheduler: any SchedulerType = SerialDispatchQueueScheduler(qos: .default),
        then error: (any Error)? = nil
    )
        -> Observable<Int>
    {
        Observable.create { observer in
            scheduler.scheduleRecursive(1) { number, recurse in
                if number <= count {
                    observer.onNext(number)
                    recurse(number + 1)
                } else if let error {
                    observer.onError(error)
                } else {
                    observer.onCompleted()
                }
            }
        }
    }

    private func assertThrows<Result>(_ expected: String, line: UInt = #line, _ body: () throws -> Result) {
        XCTAssertThrowsError(try body(), line: line) { XCTAssertEqual("\($0)", expected, line: line) }
    }

    func testToArray_ofASynchronousSequence_isItsElements() throws {
        let before = Resources.total
        XCTAssertEqual(try Observable.range(start: 1, count: 5).toBlocking().toArray(), [1, 2, 3, 4, 5])
        assertResourcesBack(to: before)
    }

    func testEachMethod_onAnotherQueue_waitsForItsAnswer() throws {
        let before = Resources.total
        XCTAssertEqual(try numbers(to: 3).toBlocking().toArray(), [1, 2, 3])
        XCTAssertEqual(try numbers(to: 3).toBlocking().first(), 1)
        XCTAssertEqual(try numbers(to: 3).toBlocking().last(), 3)
        XCTAssertEqual(try numbers(to: 1).toBlocking().single(), 1)
        XCTAssertEqual(try numbers(to: 3).toBlocking().single { $0 == 2 }, 2)
        waitUntil { Resources.total <= before }
    }

    func testEachMethod_offTheMainThread_waitsOnASemaphore() {
        let result = Box<[Int]?>(nil)
        let source = Sent(numbers(to: 3))
        JoinedThread { result.value = try? source.value.toBlocking().toArray() }.join()
        XCTAssertEqual(result.value, [1, 2, 3])
    }

    func testFirstAndLast_ofAnEmptySequence_areNil() throws {
        XCTAssertNil(try numbers(to: 0).toBlocking().first())
        XCTAssertNil(try numbers(to: 0).toBlocking().last())
    }

    func testFirst_beforeAnError_isTheElement() throws {
        XCTAssertEqual(try numbers(to: 1, then: Failure()).toBlocking().first(), 1)
    }

    func testFirst_ofANeverEndingSequence_disposesIt() throws {
        let disposals = Tally()
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            return Disposables.create { disposals.add() }
        }
        XCTAssertEqual(try source.toBlocking().first(), 1)
        XCTAssertEqual(disposals.value, 1)
    }

    func testSingle_ofNoneOrSeveral_throws() {
        assertThrows("Sequence doesn't contain any elements.") { try self.numbers(to: 0).toBlocking().single() }
        assertThrows("Sequence contains more than one element.") { try self.numbers(to: 2).toBlocking().single() }
        assertThrows("Sequence doesn't contain any elements.") {
            try self.numbers(to: 2).toBlocking().single { $0 > 5 }
        }
        assertThrows("Failure()") { try self.numbers(to: 2).toBlocking().single { _ in throw Failure() } }
    }

    func testToArray_ofAFailingSequence_throwsItsError() {
        assertThrows("Failure()") { try self.numbers(to: 2, then: Failure()).toBlocking().toArray() }
    }

    func testMaterialize_tellsElementsAndEnd() {
        guard case .completed(let all) = numbers(to: 2).toBlocking().materialize() else {
            return XCTFail("It did not complete.")
        }
        XCTAssertEqual(all, [1, 2])
        guard case .failed(let some, let error) = numbers(to: 2, then: Failure()).toBlocking().materialize() else {
            return XCTFail("It did not fail.")
        }
        XCTAssertEqual(some, [1, 2])
        XCTAssertTrue(error is Failure)
    }

    func testTimeout_ofASilentSequence_throwsAndDisposesIt() {
        let before = Resources.total
        let disposals = Tally()
        let silent = Sent(Observable<Int>.create { _ in Disposables.create { disposals.add() } })
        assertThrows("Sequence timeout.") { try silent.value.toBlocking(timeout: 0.01).toArray() }
        let test = Sent(self)
        JoinedThread {
            test.value.assertThrows("Sequence timeout.") { try silent.value.toBlocking(timeout: 0.01).toArray() }
        }.join()
        XCTAssertEqual(disposals.value, 2)
        assertResourcesBack(to: before + 1)
    }

    func testToArray_onTheMainThread_letsTheMainQueueRun() throws {
        XCTAssertEqual(
            try numbers(to: 3, on: MainScheduler.asyncInstance).toBlocking(timeout: 20).toArray(), [1, 2, 3])
    }

    func testToArray_insideAnotherSequencesCallback_doesNotWaitForThatSequence() {
        var seen: [[Int]] = []
        var outer: [Int] = []
        _ = Observable.range(start: 1, count: 2).subscribe(onNext: { number in
            outer.append(number)
            if let inner = try? Observable.range(start: number, count: 3).toBlocking(timeout: 20).toArray() {
                seen.append(inner)
            }
        })
        XCTAssertEqual(outer, [1, 2])
        XCTAssertEqual(seen, [[1, 2, 3], [2, 3, 4]])
        XCTAssertTrue(CurrentThreadScheduler.isScheduleRequired)
    }

    func testSubscription_runsInsideTheTrampoline() throws {
        let source = Observable<Bool>.create { observer in
            observer.onNext(CurrentThreadScheduler.isScheduleRequired)
            observer.onCompleted()
            return Disposables.create()
        }
        XCTAssertEqual(try source.toBlocking().toArray(), [false])
    }
}
