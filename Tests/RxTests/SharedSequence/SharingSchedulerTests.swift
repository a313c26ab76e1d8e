import Rx
import RxTest
import XCTest

final class SharingSchedulerTests: XCTestCase {
    func testMake_givesAMainScheduler_ofItsOwnEachTime() {
        let first = SharingScheduler.make()
        let second = SharingScheduler.make()
        XCTAssertTrue(first is MainScheduler)
        XCTAssertFalse(first as AnyObject === second as AnyObject)
    }

    func testMock_replacesTheSchedulerInsideTheActionOnly() {
        let scheduler = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: scheduler) {
            XCTAssertTrue(SharingScheduler.make() as AnyObject === scheduler)
            XCTAssertTrue(DriverSharingStrategy.scheduler as AnyObject === scheduler)
            XCTAssertTrue(SignalSharingStrategy.scheduler as AnyObject === scheduler)
        }
        XCTAssertTrue(SharingScheduler.make() is MainScheduler)
    }

    func testMock_whoseActionThrows_isUndone() {
        XCTAssertThrowsError(
            try SharingScheduler.mock(makeScheduler: { TestScheduler(initialClock: 0) }) { throw Planted.fault })
        XCTAssertTrue(SharingScheduler.make() is MainScheduler)
    }

    func testMock_insideAnother_isUndoneToThatOne() {
        let outer = TestScheduler(initialClock: 0)
        let inner = TestScheduler(initialClock: 0)
        SharingScheduler.mock(scheduler: outer) {
            SharingScheduler.mock(scheduler: inner) { XCTAssertTrue(SharingScheduler.make() as AnyObject === inner) }
            XCTAssertTrue(SharingScheduler.make() as AnyObject === outer)
        }
    }
}
