import LeakGallery
import Rx
import RxTrace
import XCTest

/// The planted leaks in circumstances that easily mislead a detector, and the same circumstances without a
/// leak.
final class CircumstancesTests: XCTestCase {
    override func setUpWithError() throws { try XCTSkipUnless(Resources.isTracing) }

    func testPlantedLeaks_areFoundAndNamed() async {
        let canReadTheHeap = (try? HeapSnapshot.capture()) != nil
        for planted in PlantedLeak.circumstances {
            let report = await planted.leak.detectGrowth()
            let finding = planted.leak.finding(in: report)
            XCTAssertTrue(finding.isVerdictRight, "\(report)")
            if canReadTheHeap { XCTAssertEqual(finding.missingNames, [], report.details) }
        }
    }

    func testCleanTwins_areNotAccused() async {
        for planted in PlantedLeak.circumstances {
            let report = await planted.twin.detectGrowth()
            XCTAssertTrue(planted.twin.finding(in: report).isVerdictRight, "\(report)")
        }
    }

    func testNames_areThoseOfNoOtherPair() {
        let names = (PlantedLeak.all + PlantedLeak.circumstances).map(\.name)
        XCTAssertEqual(Set(names).count, names.count)
    }
}
