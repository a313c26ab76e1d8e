import Foundation
import Rx
import RxBlocking
import RxFoundation
import XCTest

final class OperationQueueTests: SettlingTestCase {
    private struct Failure: Error {}

    private func serialQueue() -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    func testScheduler_hasTheQueueAndThePriority() {
        let queue = serialQueue()
        XCTAssertEqual(queue.rx.scheduler(priority: .high).queuePriority, .high)
        XCTAssertEqual(queue.rx.scheduler().queuePriority, .normal)
        XCTAssertTrue(queue.rx.scheduler().operationQueue === queue)
    }

    func testScheduler_runsWorkOfHigherPriorityFirst() {
        let queue = serialQueue()
        let order = Recorder<String>()
        queue.isSuspended = true
        let low = queue.rx.scheduler(priority: .low).schedule(()) {
            order.append("low")
            return Disposables.create()
        }
        let high = queue.rx.scheduler(priority: .veryHigh).schedule(()) {
            order.append("high")
            return Disposables.create()
        }
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(order.values, ["high", "low"])
        withExtendedLifetime((low, high)) {}
    }

    func testPerform_deliversWhatTheWorkReturns() throws {
        XCTAssertEqual(try serialQueue().rx.perform(priority: .high) { 42 }.toBlocking(timeout: 10).toArray(), [42])
    }

    func testPerform_ofWorkThatThrows_fails() {
        let single: Single<Int> = serialQueue().rx.perform { throw Failure() }
        XCTAssertThrowsError(try single.toBlocking(timeout: 10).first()) { XCTAssertTrue($0 is Failure) }
    }

    func testPerform_disposedBeforeTheWorkBegins_doesNotRunIt() {
        let queue = serialQueue()
        let runs = Counter()
        queue.isSuspended = true
        queue.rx.perform { runs.increment() }.subscribe().dispose()
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(runs.value, 0)
    }
}
