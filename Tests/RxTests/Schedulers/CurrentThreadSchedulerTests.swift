import Rx
import XCTest

final class CurrentThreadSchedulerTests: XCTestCase {
    private let scheduler = CurrentThreadScheduler.instance

    func testSchedule_fromInside_runsFirstInFirstOutAfterTheOutermost() {
        let before = Resources.total
        var log: [String] = []
        _ = scheduler.schedule(()) { _ in
            for name in ["a", "b"] {
                _ = self.scheduler.schedule(name) { name in
                    log.append(name)
                    _ = self.scheduler.schedule(name + name) {
                        log.append($0)
                        return Disposables.create()
                    }
                    return Disposables.create()
                }
            }
            log.append("outer")
            return Disposables.create()
        }
        XCTAssertEqual(log, ["outer", "a", "b", "aa", "bb"])
        assertResourcesBack(to: before)
    }

    func testIsScheduleRequired_isFalseOnlyInsideTheScheduler() {
        XCTAssertTrue(CurrentThreadScheduler.isScheduleRequired)
        var inside: [Bool] = []
        _ = scheduler.schedule(()) { _ in
            inside.append(CurrentThreadScheduler.isScheduleRequired)
            return Disposables.create()
        }
        _ = Observable<Int>.create { _ in
            inside.append(CurrentThreadScheduler.isScheduleRequired)
            return Disposables.create()
        }.subscribe()
        XCTAssertEqual(inside, [false, false])
        XCTAssertTrue(CurrentThreadScheduler.isScheduleRequired)
    }

    func testSchedule_besideASynchronousSource_takesTurnsWithIt() {
        var log: [Int] = []
        _ = scheduler.schedule(()) { _ in
            _ = Observable.range(start: 1, count: 3).subscribe(onNext: { log.append($0) })
            _ = self.scheduler.schedule(()) { _ in
                log.append(10)
                return Disposables.create()
            }
            return Disposables.create()
        }
        XCTAssertEqual(log, [1, 10, 2, 3])
    }

    func testSchedule_disposedBeforeItsTurn_releasesItsClosureAtOnceAndNeverRuns() {
        final class Token {}
        let before = Resources.total
        var ran = false
        _ = scheduler.schedule(()) { _ in
            weak var weakToken: Token?
            let item: any Disposable
            do {
                let token = Token()
                weakToken = token
                item = self.scheduler.schedule(token) { _ in
                    ran = true
                    return Disposables.create()
                }
            }
            XCTAssertNotNil(weakToken)
            item.dispose()
            XCTAssertNil(weakToken)
            return Disposables.create()
        }
        XCTAssertFalse(ran)
        assertResourcesBack(to: before)
    }

    func testSchedule_disposedAfterItsTurn_disposesWhatTheActionReturned() {
        let before = Resources.total
        var log: [String] = []
        var item: (any Disposable)?
        _ = scheduler.schedule(()) { _ in
            item = self.scheduler.schedule(()) { _ in Disposables.create { log.append("disposed") } }
            return Disposables.create()
        }
        XCTAssertEqual(log, [])
        item?.dispose()
        item?.dispose()
        XCTAssertEqual(log, ["disposed"])
        item = nil
        assertResourcesBack(to: before)
    }
}
