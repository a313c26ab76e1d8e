import MetricsTestKit
import Rx
import RxTest
import RxTraceMetrics
import XCTest

@testable import RxTrace

final class ResourceGaugesTests: XCTestCase {
    private let metrics = TestMetrics()

    private func values(_ label: String, _ dimensions: [(String, String)] = []) throws -> [Double] {
        try metrics.expectRecorder(label, dimensions).values
    }

    func testGauges_ofASnapshot_showTheTotalAndEachKind() throws {
        ResourceGauges(factory: metrics).record(ResourceSnapshot(counts: [1, 2, 3, 4, 5, 0]))
        XCTAssertEqual(try values("rx_resources"), [15])
        let kinds = Resources.Kind.allCases.map { "\($0)" }
        XCTAssertEqual(
            try kinds.map { try values("rx_resources_of_kind", [("kind", $0)]) }, [[1], [2], [3], [4], [5], [0]])
        XCTAssertEqual(metrics.recorders.filter(\.aggregate).count, 0, "gauges do not aggregate")
    }

    func testGauges_ofAPrefix_areLabelledSo() throws {
        ResourceGauges(prefix: "shop", factory: metrics).record(ResourceSnapshot(counts: [1, 0, 0, 0, 0, 0]))
        XCTAssertEqual(Set(metrics.recorders.map(\.label)), ["shop_resources", "shop_resources_of_kind"])
    }

    func testGauges_ofABuildThatDoesNotTrace_showNothing() throws {
        ResourceGauges(factory: metrics).record(ResourceSnapshot(counts: nil))
        XCTAssertEqual(try values("rx_resources"), [])
    }

    func testGauges_fedByTheSampler_followWhatLives() throws {
        try XCTSkipUnless(Resources.isTracing)
        let scheduler = TestScheduler(initialClock: 0)
        let sampling = RxTrace.resourceCounts(every: .seconds(10), scheduler: scheduler).subscribe(
            onNext: ResourceGauges(factory: metrics).record)
        var held: [PublishSubject<Int>] = []
        scheduler.scheduleAt(15) { held = [PublishSubject(), PublishSubject()] }
        scheduler.scheduleAt(25) { held = [] }
        scheduler.advanceTo(35)
        sampling.dispose()
        let subjects = try values("rx_resources_of_kind", [("kind", "subject")])
        XCTAssertEqual(subjects.map { $0 - subjects[0] }, [0, 2, 0])
        XCTAssertTrue(held.isEmpty)
    }

    func testGauges_destroyed_areGone() {
        let gauges = ResourceGauges(factory: metrics)
        XCTAssertEqual(metrics.recorders.count, 7)
        gauges.destroy()
        XCTAssertEqual(metrics.recorders.count, 0)
    }
}
