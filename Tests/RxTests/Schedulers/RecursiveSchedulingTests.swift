import Rx
import XCTest

final class RecursiveSchedulingTests: XCTestCase {
    private let turns = 100_000

    /// Counts down on a scheduler; how deep the calls nest at most is the second result.
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

    func testRelativeRecursion_runsAfterEachSpanItAsksFor() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            var seconds: [Double] = []
            let handle = scheduler.scheduleRecursive(1, dueTime: .seconds(5)) { number, recurse in
                seconds.append(scheduler.clock.timeIntervalSince1970)
                if number == 3 { scheduler.stop() }
                recurse(number + 1, .seconds(number))
            }
            scheduler.start()
            handle.dispose()
            scheduler.start()
            XCTAssertEqual(seconds, [5, 6, 8])
        }
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
}
