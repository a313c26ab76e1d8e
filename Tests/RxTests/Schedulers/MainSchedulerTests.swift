import Foundation
import Rx
import XCTest

final class MainSchedulerTests: XCTestCase {
    /// Lets the main queue run until it has done what it has by now.
    private func drainMainQueue() {
        let drained = expectation(description: "drained")
        DispatchQueue.main.async { drained.fulfill() }
        wait(for: [drained], timeout: 20)
    }

    func testSchedule_onTheMainQueueWithNothingWaiting_runsInline() {
        let before = Resources.total
        var ran = false
        _ = MainScheduler().schedule(()) { _ in
            ran = true
            return Disposables.create()
        }
        XCTAssertTrue(ran)
        XCTAssertEqual(Resources.total, before)
    }

    func testSchedule_onTheMainQueueBehindAnother_keepsTheOrder() {
        let before = Resources.total
        let scheduler = MainScheduler()
        let log = Box<[Int]>([])
        JoinedThread { _ = scheduler.schedule(1) { log.value.append($0); return Disposables.create() } }.join()
        _ = scheduler.schedule(2) { log.value.append($0); return Disposables.create() }
        XCTAssertEqual(log.value, [])
        drainMainQueue()
        XCTAssertEqual(log.value, [1, 2])
        XCTAssertEqual(Resources.total, before)
    }

    func testSchedule_fromInsideAPiece_isQueued() {
        let scheduler = MainScheduler()
        var log: [String] = []
        _ = scheduler.schedule(()) { _ in
            _ = scheduler.schedule(()) { _ in
                log.append("inner")
                return Disposables.create()
            }
            log.append("outer")
            return Disposables.create()
        }
        XCTAssertEqual(log, ["outer"])
        drainMainQueue()
        XCTAssertEqual(log, ["outer", "inner"])
    }

    func testAsyncInstance_onTheMainQueue_neverRunsInline() {
        var ran = false
        _ = MainScheduler.asyncInstance.schedule(()) { _ in
            ran = true
            return Disposables.create()
        }
        XCTAssertFalse(ran)
        drainMainQueue()
        XCTAssertTrue(ran)
    }

    func testConcurrentMain_fromInsideAPiece_runsInline() {
        var log: [String] = []
        let scheduler = ConcurrentMainScheduler.instance
        _ = scheduler.schedule(()) { _ in
            _ = scheduler.schedule(()) { _ in
                log.append("inner")
                return Disposables.create()
            }
            log.append("outer")
            return Disposables.create()
        }
        XCTAssertEqual(log, ["inner", "outer"])
    }

    func testConcurrentMain_fromAnotherThread_runsOnTheMainQueue() {
        let ranOnMain = Box<Bool?>(nil)
        JoinedThread {
            _ = ConcurrentMainScheduler.instance.schedule(()) { _ in
                ranOnMain.value = Thread.isMainThread
                return Disposables.create()
            }
        }.join()
        XCTAssertNil(ranOnMain.value)
        drainMainQueue()
        XCTAssertEqual(ranOnMain.value, true)
    }

    func testEnsureExecuting_onTheMainQueue_returns() {
        MainScheduler.ensureExecutingOnScheduler()
        MainScheduler.ensureRunningOnMainThread(errorMessage: "not here")
    }
}
