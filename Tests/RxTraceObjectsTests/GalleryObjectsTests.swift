import LeakGallery
import Rx
import RxTrace
import RxTraceObjects
import XCTest

/// The planted leaks, while the objects of their classes are followed too. Each is still one group, with the name of
/// the class that should be released.
final class GalleryObjectsTests: XCTestCase {
    override func setUpWithError() throws {
        try XCTSkipUnless(Resources.isTracing)
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        RxTrace.followsObjects = true
    }

    override func tearDown() { RxTrace.followsObjects = false }

    private static let subjects = [
        "self-in-own-bag": "objects of LeakGallery.ProfileScreen",
        "each-others-bags": "objects of LeakGallery.Editor",
        "undisposed-interval": "objects of LeakGallery.StopwatchScreen",
        "relay-outlives-screen": "objects of LeakGallery.AccountScreen",
        "unretained-replay": "objects of LeakGallery.SearchScreen",
        "endless-task": "objects of LeakGallery.FeedScreen",
        "private-rows": "objects of LeakGallery.RowScreen",
        "method-reference": "objects of LeakGallery.ResultScreen",
        "notification-token": "objects of LeakGallery.ThemeScreen",
        "unbounded-replay": "objects of LeakGallery.Trip",
        "group-subscription": "objects of LeakGallery.TickerScreen",
        "lazy-handler": "objects of LeakGallery.CounterScreen",
        "captured-variable": "objects of LeakGallery.Player",
        "wizard-step": "objects of LeakGallery.ConfirmStep",
        "stored-task": "objects of LeakGallery.InboxScreen",
        "shared-forever": "map<Double> (sink)",
        "subject-in-global": "PublishSubject<String> (subject)",
        "unbounded-cache": "refCount<String> (observable)",
    ]

    func testPlantedLeaks_withObjectsFollowed_areOneGroupEach() async {
        for planted in PlantedLeak.all {
            let growing = await planted.leak.detectGrowth().groups.filter(\.verdict.isGrowing)
            XCTAssertEqual(
                growing.map { "\($0.metric)" }, [Self.subjects[planted.name]],
                growing.map(\.details).joined(separator: "\n"))
            // The group counts objects. Resources made with them give the place. No group is its own companion.
            for group in growing {
                XCTAssertEqual(group.creationStack?.framesOfYours.isEmpty, false, planted.name)
                XCTAssertFalse(group.companions.contains { $0.metric == group.metric }, planted.name)
                XCTAssertFalse(group.companions.contains { $0.perRun <= 0 }, planted.name)
            }
        }
    }

    func testCleanTwins_withObjectsFollowed_areClean() async {
        for planted in PlantedLeak.all {
            let report = await planted.twin.detectGrowth()
            XCTAssertTrue(planted.twin.finding(in: report).isVerdictRight, "\(report)")
        }
    }

    func testCircumstances_withObjectsFollowed_areFoundAndNamed_andTheirTwinsNotAccused() async {
        for planted in PlantedLeak.circumstances {
            for scenario in [planted.leak, planted.twin] {
                let report = await scenario.detectGrowth()
                let finding = scenario.finding(in: report)
                XCTAssertTrue(
                    finding.isVerdictRight && finding.missingNames.isEmpty, "\(finding.missingNames): \(report.details)"
                )
            }
        }
    }
}
