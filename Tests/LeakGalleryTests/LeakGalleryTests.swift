import LeakGallery
import Rx
import RxTrace
import XCTest

/// Every planted leak is found, and every clean twin is left alone.
final class LeakGalleryTests: XCTestCase {
    private func report(on scenario: LeakScenario) async throws -> GrowthReport {
        try XCTSkipUnless(Resources.isTracing)
        return await scenario.detectGrowth().report
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

    func testPlantedLeaks_areOneGroupEach_whoseFirstLineAndSignatureStayTheSame() async throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        for planted in PlantedLeak.all {
            let record = try await report(on: planted.leak)
            // The line below the name of the round trip; the one mistake is the only one.
            let first =
                LeakTree().text(of: record).split(separator: "\n").dropFirst().first?.drop { !$0.isLetter } ?? ""
            XCTAssertEqual(String(first), LeakHeadlines.all[planted.name], planted.name)
            XCTAssertEqual(record.growing.count, 1, LeakTree().text(of: record))
        }
    }

    func testNames_areUnique() {
        XCTAssertEqual(Set(PlantedLeak.all.map(\.name)), Set(LeakHeadlines.all.keys))
        XCTAssertEqual(PlantedLeak.all.count, LeakHeadlines.all.count)
    }
}
