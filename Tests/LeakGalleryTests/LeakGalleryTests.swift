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

    /// What each report ends with, and its signature: of one group, in debug and in release builds.
    private static let endings = [
        "self-in-own-bag": ("41f798757d82", "capture 'self' weakly in the closure at SelfInOwnBag.swift:23"),
        "each-others-bags": ("e7a79a7cbe6e", "capture 'Preview' weakly in the closure at EachOthersBags.swift:25"),
        "undisposed-interval": (
            "f260c642970f", "dispose the subscription made at UndisposedInterval.swift:23, for example in a bag that goes with its owner"
        ),
        "shared-forever": (
            "97176abfad4d",
            "dispose the subscription made at SharedForever.swift:11, which 'ExchangeRates.updates' holds, for example in a bag that goes with its owner"
        ),
        "relay-outlives-screen": (
            "32c3945ab3ab",
            "dispose the subscription made at RelayOutlivesScreen.swift:26, which 'Session.user' holds, for example in a bag that goes with its owner"
        ),
        "subject-in-global": (
            "916693168cf4", "remove from 'Conversations.open' what is made at SubjectInGlobal.swift:11 when it is no longer needed, or give it a bound"
        ),
        "unretained-replay": (
            "7ab84e444a90",
            "map to what is needed of it before the replay made at UnretainedReplay.swift:24, so that 'SearchScreen.titles' does not keep SearchScreen"
        ),
        "endless-task": (
            "97e613017899",
            "cancel the task of FeedScreen.follow() at EndlessTask.swift:27 when it is no longer needed, or capture weakly in it what it should not keep"
        ),
        "unbounded-cache": (
            "0f1c0264db61", "remove from 'Thumbnails.cache' what is made at UnboundedCache.swift:32 when it is no longer needed, or give it a bound"
        ),
    ]

    func testPlantedLeaks_areOneGroupEach_withASignatureAndAdviceThatStayTheSame() async throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        for planted in PlantedLeak.all {
            let report = try await report(on: planted.leak), growing = report.groups.filter(\.verdict.isGrowing)
            XCTAssertEqual(growing.map(\.signature), [Self.endings[planted.name]?.0], "\(planted.name): \(report)")
            XCTAssertEqual(growing.map { $0.retention?.advice }, [Self.endings[planted.name]?.1], planted.name)
        }
    }

    func testNames_areUnique() {
        XCTAssertEqual(Set(PlantedLeak.all.map(\.name)).count, 9)
    }
}
