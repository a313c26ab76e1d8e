import Foundation
import Rx
import XCTest

final class RecursiveSchedulingTests: XCTestCase {
    private let turns = 100_000

    /// Counts down on a scheduler. The second result is the largest nesting depth of the calls.
    private func countDown(on scheduler: any ImmediateSchedulerType, run: () -> Void = {}) -> (turns: Int, depth: Int) {
        var count = 0
        var depth = 0
        var deepest = 0
        _ = scheduler.scheduleRecursive(turns) { left, recurse in
            depth += 1
            deepest = max(deepest, depth)
            count += 1
            if left > 1 { recurse(left - 1) }
            depth -= 1
        }
        run()
        return (count, deepest)
    }

    func testRecursion_of100000TurnsOnTheCurrentThread_needsOneLevelOfStack() {
        let before = Resources.total
        let result = countDown(on: CurrentThreadScheduler.instance)
        XCTAssertEqual(result.turns, turns)
        XCTAssertEqual(result.depth, 1)
        assertResourcesBack(to: before)
    }

    func testRecursion_of100000TurnsOnASchedulerThatRunsInline_needsOneLevelOfStack() {
        let before = Resources.total
        let result = countDown(on: InlineScheduler())
        XCTAssertEqual(result.turns, turns)
        XCTAssertEqual(result.depth, 1)
        assertResourcesBack(to: before)
    }

    func testRecursion_of100000TurnsInVirtualTime_needsOneLevelOfStack() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            let result = countDown(on: scheduler, run: scheduler.start)
            XCTAssertEqual(result.turns, turns)
            XCTAssertEqual(result.depth, 1)
        }
        assertResourcesBack(to: before)
    }

    func testRecursion_disposedFromInside_endsAfterThatTurn() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            let handle = SerialDisposable()
            var count = 0
            handle.disposable = scheduler.scheduleRecursive(()) { _, recurse in
                count += 1
                if count == 3 { handle.dispose() }
                recurse(())
            }
            scheduler.start()
            XCTAssertEqual(count, 3)
        }
        assertResourcesBack(to: before)
    }

    func testRecursion_disposedBetweenTurns_runsNoFurtherTurn() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            var count = 0
            let handle = scheduler.scheduleRecursive(()) { _, recurse in
                count += 1
                if count == 3 { scheduler.stop() }
                recurse(())
            }
            scheduler.start()
            handle.dispose()
            scheduler.start()
            XCTAssertEqual(count, 3)
        }
        assertResourcesBack(to: before)
    }

    func testRecursion_askingForTwoTurns_runsBoth() {
        let before = Resources.total
        var seen: [Int] = []
        _ = CurrentThreadScheduler.instance.scheduleRecursive(1) { node, recurse in
            seen.append(node)
            if node < 4 {
                recurse(2 * node)
                recurse(2 * node + 1)
            }
        }
        XCTAssertEqual(seen, [1, 2, 3, 4, 5, 6, 7])
        assertResourcesBack(to: before)
    }

    func testIsSerial_holdsForQueuesOfOneOnly() {
        let serial: [any ImmediateSchedulerType] = [
            SerialDispatchQueueScheduler(qos: .default), MainScheduler.instance, MainScheduler.asyncInstance,
            CurrentThreadScheduler.instance,
        ]
        let others: [any ImmediateSchedulerType] = [
            ConcurrentDispatchQueueScheduler(qos: .default), ConcurrentMainScheduler.instance, HistoricalScheduler(),
            InlineScheduler(),
        ]
        XCTAssertTrue(serial.allSatisfy { isSerial($0) })
        XCTAssertFalse(others.contains { isSerial($0) })
    }

    // MARK: On the current thread, where one turn is reused

    private final class Token {}

    func testRecursion_onTheCurrentThread_disposedWhileItWaits_releasesItsStateAndActionAtOnce() {
        let before = Resources.total
        var turns = 0
        _ = CurrentThreadScheduler.instance.schedule(()) { _ in
            weak var state: Token?
            weak var captured: Token?
            let handle: any Disposable
            do {
                let (token, other) = (Token(), Token())
                (state, captured) = (token, other)
                handle = CurrentThreadScheduler.instance.scheduleRecursive(token) { _, _ in
                    turns += 1
                    withExtendedLifetime(other) {}
                }
            }
            XCTAssertNotNil(state)
            handle.dispose()
            XCTAssertNil(state)
            XCTAssertNil(captured)
            return Disposables.create()
        }
        XCTAssertEqual(turns, 0)
        assertResourcesBack(to: before)
    }

    func testRecursion_onTheCurrentThread_thatHasEnded_isNotKeptByItsHandle() {
        let before = Resources.total
        weak var state: Token?
        weak var captured: Token?
        do {
            let handle: any Disposable
            do {
                let other = Token()
                captured = other
                handle = CurrentThreadScheduler.instance.scheduleRecursive((3, Token())) { left, recurse in
                    state = left.1
                    withExtendedLifetime(other) {}
                    if left.0 > 1 { recurse((left.0 - 1, Token())) }
                }
            }
            XCTAssertNil(state)
            XCTAssertNil(captured)
            withExtendedLifetime(handle) {}
        }
        assertResourcesBack(to: before)
    }

    func testRecursion_onTheCurrentThread_takesItsTurnsBetweenThoseOfOthers() {
        var log: [String] = []
        let scheduler = CurrentThreadScheduler.instance
        _ = scheduler.schedule(()) { _ in
            for name in ["a", "b"] {
                _ = scheduler.scheduleRecursive(1) { turn, recurse in
                    log.append("\(name)\(turn)")
                    if turn == 1 {
                        recurse(2)
                        recurse(3)
                    }
                }
            }
            return Disposables.create()
        }
        XCTAssertEqual(log, ["a1", "b1", "a2", "a3", "b2", "b3"])
    }

    func testRecursion_onTheCurrentThread_askedOnAnotherThread_takesTheTurnThere() {
        let before = Resources.total
        do {
            let recurse = Box<((Int) -> Void)?>(nil)
            let log = Box<[(turn: Int, thread: Thread)]>([])
            let handle = CurrentThreadScheduler.instance.scheduleRecursive(1) { turn, again in
                recurse.value = again
                log.value.append((turn, Thread.current))
            }
            let thread = JoinedThread { recurse.value?(2) }
            thread.join()
            recurse.value?(3)
            XCTAssertEqual(log.value.map(\.turn), [1, 2, 3])
            XCTAssertNotEqual(log.value[1].thread, Thread.current)
            XCTAssertEqual(log.value[2].thread, Thread.current)
            handle.dispose()
            recurse.value?(4)
            XCTAssertEqual(log.value.count, 3)
            recurse.value = nil
        }
        assertResourcesBack(to: before)
    }

    func testRecursion_onTheCurrentThread_disposedByAnotherThreadMeanwhile_releasesEveryState() {
        let before = Resources.total
        for _ in 0..<200 {
            weak var last: Token?
            let handle = SingleAssignmentDisposable()
            let started = DispatchSemaphore(value: 0)
            let disposer = JoinedThread {
                started.wait()
                handle.dispose()
            }
            _ = CurrentThreadScheduler.instance.schedule(()) { _ in
                handle.setDisposable(
                    CurrentThreadScheduler.instance.scheduleRecursive(Token()) { token, recurse in
                        started.signal()
                        last = token
                        recurse(Token())
                    })
                return Disposables.create()
            }
            disposer.join()
            XCTAssertNil(last)
        }
        assertResourcesBack(to: before)
    }
}
