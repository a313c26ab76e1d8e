import Foundation
import Rx
import XCTest

/// The default implementation of `schedulePeriodic`, for schedulers without periodic timers.
final class PeriodicSchedulingTests: XCTestCase {
    private var log: [String] = []

    private func note(_ scheduler: HistoricalScheduler, _ state: Int) {
        log.append("\(state)@\(Int(scheduler.clock.timeIntervalSince1970))")
    }

    func testPeriodic_passesOnItsStateAtEachTick() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            let series = ForwardingScheduler(base: scheduler).schedulePeriodic(
                1, startAfter: .seconds(5), period: .seconds(10)
            ) {
                self.note(scheduler, $0)
                return $0 * 2
            }
            scheduler.advanceTo(Date(timeIntervalSince1970: 30))
            series.dispose()
            scheduler.start()
            XCTAssertEqual(log, ["1@5", "2@15", "4@25"])
        }
        assertResourcesBack(to: before)
    }

    func testPeriodic_whoseActionTakesLongerThanThePeriod_makesUpTicksOneByOne() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            var isRunning = false
            let handle = SerialDisposable()
            handle.disposable = ForwardingScheduler(base: scheduler).schedulePeriodic(
                1, startAfter: .seconds(1), period: .seconds(1)
            ) {
                XCTAssertFalse(isRunning)
                isRunning = true
                self.note(scheduler, $0)
                if $0 == 1 { scheduler.sleep(3.5) }
                if $0 == 6 { handle.dispose() }
                isRunning = false
                return $0 + 1
            }
            scheduler.start()
            XCTAssertEqual(log, ["1@1", "2@4", "3@5", "4@6", "5@7", "6@8"])
        }
        assertResourcesBack(to: before)
    }

    func testPeriodic_disposedInsideItsAction_ends() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            let handle = SerialDisposable()
            handle.disposable = scheduler.schedulePeriodic(1, startAfter: .seconds(1), period: .seconds(1)) {
                self.note(scheduler, $0)
                if $0 == 2 { handle.dispose() }
                return $0 + 1
            }
            scheduler.start()
            XCTAssertEqual(log, ["1@1", "2@2"])
        }
        assertResourcesBack(to: before)
    }
}
