import LeakGallery
import Rx
import RxTrace
import XCTest

/// Every planted leak is found, and every clean twin is left alone.
final class LeakGalleryTests: XCTestCase {
    private func report(on scenario: LeakScenario) async throws -> GrowthReport {
        try XCTSkipUnless(Resources.isTracing)
        return await scenario.detectGrowth()
    }

    func testPlantedLeaks_areFoundNamedAndGraded() async throws {
        let canReadTheHeap = (try? HeapSnapshot.capture()) != nil
        for planted in PlantedLeak.all {
            let report = try await report(on: planted.leak)
            let finding = planted.leak.finding(in: report)
            XCTAssertTrue(finding.isVerdictRight, "\(report)")
            guard canReadTheHeap else { continue }
            XCTAssertEqual(finding.missingNames, [], report.details)
            XCTAssertTrue(finding.isGradeRight, report.details)
        }
    }

    func testCleanTwins_areClean() async throws {
        for planted in PlantedLeak.all {
            let report = try await report(on: planted.twin)
            XCTAssertTrue(planted.twin.finding(in: report).isVerdictRight, "\(report)")
        }
    }

    func testNames_areUnique() {
        XCTAssertEqual(Set(PlantedLeak.all.map(\.name)).count, 9)
    }
}
