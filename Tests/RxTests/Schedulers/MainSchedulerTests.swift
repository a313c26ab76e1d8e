import Foundation
import Rx
import XCTest

final class MainSchedulerTests: XCTestCase {
    /// Lets the main queue run until it has done its present work.
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
        assertResourcesBack(to: before)
    }

    func testSchedule_onTheMainQueueBehindAnother_keepsTheOrder() {
        let before = Resources.total
        let scheduler = MainScheduler()
        let log = Box<[Int]>([])
        JoinedThread {
            _ = scheduler.schedule(1) {
                log.value.append($0)
                return Disposables.create()
            }
        }.join()
        _ = scheduler.schedule(2) {
            log.value.append($0)
            return Disposables.create()
        }
        XCTAssertEqual(log.value, [])
        drainMainQueue()
        XCTAssertEqual(log.value, [1, 2])
        assertResourcesBack(to: before)
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

    /// Notes the elements, with "turn" where the main queue was free between two elements.
    private func note<Source: ObservableConvertibleType<Int>>(_ source: Source) -> [String] {
        let notes = SharedNotes()
        let completed = expectation(description: "completed")
        let subscription = source.asObservable().subscribe(
            onNext: { element in
                notes.add("\(element)")
                DispatchQueue.main.async { notes.add("turn") }
            },
            onCompleted: {
                notes.add("completed")
                completed.fulfill()
            })
        notes.add("after")
        wait(for: [completed], timeout: 20)
        subscription.dispose()
        drainMainQueue()
        return notes.lines
    }

    func testSources_onTheMainQueue_deliverTheFirstElementInline_andTheOthersAndTheEndInATurnEach() {
        let before = Resources.total
        let scheduler = MainScheduler.instance
        let sources: [(String, [String])] = [
            ("Observable.of", note(Observable.of(1, 2, 3, scheduler: scheduler))),
            ("Observable.from an array", note(Observable.from([1, 2, 3], scheduler: scheduler))),
            ("Observable.from a sequence", note(Observable.from(1...3, scheduler: scheduler))),
            ("Observable.range", note(Observable.range(start: 1, count: 3, scheduler: scheduler))),
            (
                "Observable.generate",
                note(
                    Observable.generate(
                        initialState: 1, condition: { $0 < 4 }, scheduler: scheduler, iterate: { $0 + 1 }))
            ),
            ("Driver.of", note(Driver.of(1, 2, 3))), ("Driver.from", note(Driver.from([1, 2, 3]))),
            ("Driver.from a sequence", note(Driver.from(1...3))),
            ("Signal.of", note(Signal.of(1, 2, 3))), ("Signal.from", note(Signal.from([1, 2, 3]))),
            ("Signal.from a sequence", note(Signal.from(1...3))),
        ]
        for (name, lines) in sources {
            XCTAssertEqual(lines, ["1", "after", "turn", "2", "turn", "3", "turn", "completed"], name)
        }
        assertResourcesBack(to: before)
    }

    func testRecursion_disposedBetweenTurns_runsNoFurtherTurn() {
        let scheduler = MainScheduler()
        var turns = 0
        let recursion = scheduler.scheduleRecursive(()) { _, recurse in
            turns += 1
            if turns < 100 { recurse(()) }
        }
        XCTAssertEqual(turns, 1)
        recursion.dispose()
        drainMainQueue()
        XCTAssertEqual(turns, 1)
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
