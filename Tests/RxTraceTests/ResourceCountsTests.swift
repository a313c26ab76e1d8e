import Rx
import RxTest
import RxTrace
import XCTest

final class ResourceCountsTests: XCTestCase {
    func testSampler_whileResourcesComeAndGo_tellsEachTime() throws {
        try XCTSkipUnless(Resources.isTracing)
        let scheduler = TestScheduler(initialClock: 0)
        let samples = scheduler.createObserver(ResourceSnapshot.self)
        let sampling = RxTrace.resourceCounts(every: .seconds(10), scheduler: scheduler).subscribe(samples)
        var held: [PublishSubject<Int>] = []
        scheduler.scheduleAt(15) { held = [PublishSubject(), PublishSubject()] }
        scheduler.scheduleAt(25) { held = [] }
        scheduler.advanceTo(35)
        sampling.dispose()
        XCTAssertEqual(samples.events.map(\.time), [10, 20, 30])
        let subjects = samples.events.compactMap { $0.value.element?.count(of: .subject) }
        XCTAssertEqual(subjects.map { $0 - subjects[0] }, [0, 2, 0])
        XCTAssertTrue(held.isEmpty)
    }

    func testSampler_disposed_leavesNothing() throws {
        try XCTSkipUnless(Resources.isTracing)
        let scheduler = TestScheduler(initialClock: 0)
        let before = ResourceSnapshot()
        let sampling = RxTrace.resourceCounts(every: .seconds(10), scheduler: scheduler).subscribe()
        scheduler.advanceTo(20)
        XCTAssertNotEqual(ResourceSnapshot().total, before.total)
        sampling.dispose()
        scheduler.advanceTo(40)
        XCTAssertEqual(ResourceSnapshot(), before)
    }

    func testSampler_ofABuildThatDoesNotTrace_isUnavailable() throws {
        try XCTSkipIf(Resources.isTracing)
        let scheduler = TestScheduler(initialClock: 0)
        let samples = scheduler.createObserver(ResourceSnapshot.self)
        let sampling = RxTrace.resourceCounts(every: .seconds(10), scheduler: scheduler).subscribe(samples)
        scheduler.advanceTo(10)
        sampling.dispose()
        XCTAssertEqual(samples.events.count, 1)
        XCTAssertNil(samples.events.first?.value.element?.total)
    }
}
