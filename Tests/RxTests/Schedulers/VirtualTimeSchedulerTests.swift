import Foundation
import Rx
import XCTest

final class VirtualTimeSchedulerTests: XCTestCase {
    /// Ten seconds a unit, and less than a unit is nothing.
    private struct TenSeconds: VirtualTimeConverterType {
        func convertFromVirtualTime(_ virtualTime: Int) -> RxTime {
            Date(timeIntervalSince1970: Double(virtualTime) * 10)
        }
        func convertToVirtualTime(_ time: RxTime) -> Int { Int(time.timeIntervalSince1970 / 10) }
        func convertFromVirtualTimeInterval(_ virtualTimeInterval: Int) -> TimeInterval {
            Double(virtualTimeInterval) * 10
        }
        func convertToVirtualTimeInterval(_ timeInterval: TimeInterval) -> Int { Int(timeInterval / 10) }
        func offsetVirtualTime(_ time: Int, offset: Int) -> Int { time + offset }
        func compareVirtualTime(_ lhs: Int, _ rhs: Int) -> VirtualTimeComparison {
            lhs < rhs ? .lessThan : lhs > rhs ? .greaterThan : .equal
        }
    }

    private typealias Scheduler = VirtualTimeScheduler<TenSeconds>

    private var log: [String] = []

    private func makeScheduler() -> Scheduler { Scheduler(initialClock: 0, converter: TenSeconds()) }

    private func at(
        _ time: Int, on scheduler: Scheduler, _ name: String, _ then: @escaping () -> Void = {}
    ) -> any Disposable {
        scheduler.scheduleAbsoluteVirtual((), time: time) { [unowned scheduler] _ in
            self.log.append("\(name)@\(scheduler.clock)")
            then()
            return Disposables.create()
        }
    }

    func testScheduler_counts_asOneResource() {
        let before = (Resources.total, Resources.count(of: .scheduler))
        do {
            let scheduler = makeScheduler()
            XCTAssertEqual(Resources.total, before.0 + 1)
            XCTAssertEqual(Resources.count(of: .scheduler), before.1 + 1)
            _ = at(5, on: scheduler, "never run")
        }
        assertResourcesBack(to: before.0)
        XCTAssertEqual(Resources.count(of: .scheduler), before.1)
    }

    func testStart_withRandomTimes_runsByTimeAndThenByInsertion() {
        var generator = SplitMix(seed: 11)
        let scheduler = makeScheduler()
        let times = (0..<2_000).map { _ in Int.random(in: 0..<50, using: &generator) }
        var order: [Int] = []
        for (index, time) in times.enumerated() {
            _ = scheduler.scheduleAbsoluteVirtual(index, time: time) {
                order.append($0)
                return Disposables.create()
            }
        }
        scheduler.start()
        let expected = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
        XCTAssertEqual(order, expected)
        XCTAssertEqual(scheduler.clock, times.max())
    }

    func testStart_withWorkInThePast_runsItWithoutTurningTheClockBack() {
        let scheduler = makeScheduler()
        _ = at(5, on: scheduler, "first") { _ = self.at(2, on: scheduler, "past") }
        scheduler.start()
        XCTAssertEqual(log, ["first@5", "past@5"])
    }

    func testStart_withDisposedWork_neitherRunsItNorMovesTheClock() {
        let before = Resources.total
        do {
            let scheduler = makeScheduler()
            _ = at(1, on: scheduler, "a")
            at(9, on: scheduler, "b").dispose()
            scheduler.start()
            XCTAssertEqual(log, ["a@1"])
            XCTAssertEqual(scheduler.clock, 1)
        }
        assertResourcesBack(to: before)
    }

    func testAdvanceTo_runsWhatIsDueAndThenSetsTheClock() {
        let scheduler = makeScheduler()
        for time in [1, 5, 6] { _ = at(time, on: scheduler, "it") }
        scheduler.advanceTo(5)
        XCTAssertEqual(log, ["it@1", "it@5"])
        scheduler.advanceTo(5)
        XCTAssertEqual(scheduler.clock, 5)
        scheduler.advanceTo(20)
        XCTAssertEqual(log, ["it@1", "it@5", "it@6"])
        XCTAssertEqual(scheduler.clock, 20)
    }

    func testStop_insideAnItem_endsAfterIt() {
        let scheduler = makeScheduler()
        _ = at(1, on: scheduler, "a") { scheduler.stop() }
        _ = at(2, on: scheduler, "b")
        scheduler.start()
        XCTAssertEqual(log, ["a@1"])
        scheduler.start()
        XCTAssertEqual(log, ["a@1", "b@2"])
    }

    func testSleep_movesTheClockWithoutRunning() {
        let scheduler = makeScheduler()
        _ = at(3, on: scheduler, "late")
        scheduler.sleep(10)
        XCTAssertEqual(scheduler.clock, 10)
        XCTAssertEqual(log, [])
        scheduler.start()
        XCTAssertEqual(log, ["late@10"])
    }

    func testRelative_withAConverterThatTruncates_countsWholeUnits() {
        let scheduler = makeScheduler()
        _ = scheduler.scheduleRelative((), dueTime: .seconds(1)) { _ in
            self.log.append("short@\(scheduler.clock)")
            scheduler.sleep(10)
            _ = scheduler.scheduleRelative((), dueTime: .seconds(20)) { _ in
                self.log.append("later@\(scheduler.clock)")
                return Disposables.create()
            }
            _ = scheduler.scheduleRelativeVirtual((), dueTime: 5) { _ in
                self.log.append("virtual@\(scheduler.clock)")
                return Disposables.create()
            }
            return Disposables.create()
        }
        scheduler.start()
        XCTAssertEqual(log, ["short@0", "later@12", "virtual@15"])
    }

    func testQueue_whoseItemsAreDisposedAgainAndAgain_doesNotGrow() {
        let before = Resources.total
        do {
            let scheduler = makeScheduler()
            _ = at(1, on: scheduler, "kept")
            for _ in 0..<10_000 { at(100, on: scheduler, "restarted").dispose() }
            XCTAssertLessThan(Resources.total - before, 100)
            scheduler.start()
            XCTAssertEqual(log, ["kept@1"])
        }
        assertResourcesBack(to: before)
    }

    func testDebugDescription_namesClockAndWaitingTimes() {
        let scheduler = makeScheduler()
        for time in [7, 3] { _ = at(time, on: scheduler, "it") }
        at(5, on: scheduler, "gone").dispose()
        XCTAssertEqual(scheduler.debugDescription, "clock 0, waiting: [3, 7]")
    }

    func testHistorical_runsAtDates() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            XCTAssertEqual(scheduler.clock, Date(timeIntervalSince1970: 0))
            var seen: Date?
            _ = scheduler.scheduleRelative((), dueTime: .milliseconds(1_500)) { _ in
                seen = scheduler.now
                return Disposables.create()
            }
            scheduler.start()
            XCTAssertEqual(seen, Date(timeIntervalSince1970: 1.5))
        }
        assertResourcesBack(to: before)
    }
}
