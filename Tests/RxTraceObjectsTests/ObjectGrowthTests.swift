import Foundation
import Rx
import RxTrace
import RxTraceObjects
import XCTest

/// A screen that doesn't use Rx.
private final class PlainScreen {
    var onClose: (() -> Void)?
    var title = "Results"
}

private final class PlainRow { var text = "Row" }

/// Objects that a program forgets to release.
nonisolated(unsafe) private var forgotten: [PlainScreen] = []
nonisolated(unsafe) private var cache: [Int: PlainRow] = [:]

/// Leaks of the program's own classes, which no reactive resource shows. Counts are per process: XCTest runs these
/// tests one after the other.
final class ObjectGrowthTests: XCTestCase {
    override func setUp() { RxTrace.followsObjects = true }

    override func tearDown() {
        RxTrace.followsObjects = false
        forgotten = []
        cache = [:]
    }

    private func verdict(of type: String, in report: GrowthReport) -> GrowthVerdict? {
        report.groups.first { $0.metric == .objects("RxTraceObjectsTests.\(type)") }?.verdict
    }

    func testObjectsThatHoldThemselves_grow() throws {
        let report = RxTrace.detectGrowth(named: "screen") {
            let screen = PlainScreen()
            screen.onClose = { screen.title = "closed" }
        }
        XCTAssertEqual(verdict(of: "PlainScreen", in: report)?.isGrowing, true, "\(report)")
        XCTAssertEqual(report.verdict?.isGrowing, true)
        XCTAssertTrue("\(report)".contains("objects of RxTraceObjectsTests.PlainScreen"), "\(report)")
    }

    func testObjectsThatGrow_areToldWithWhoHoldsThem() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        let report = RxTrace.detectGrowth(named: "forgotten") { forgotten.append(PlainScreen()) }
        let group = try XCTUnwrap(report.groups.first { $0.metric == .objects("RxTraceObjectsTests.PlainScreen") })
        let retention = try XCTUnwrap(group.retention, "\(report)")
        XCTAssertTrue("\(retention)".contains("forgotten"), "\(retention)")
    }

    func testObjectsThatDoNotHoldThemselves_areClean() {
        let report = RxTrace.detectGrowth(named: "screen") {
            let screen = PlainScreen()
            screen.onClose = { [weak screen] in screen?.title = "closed" }
        }
        XCTAssertNotEqual(verdict(of: "PlainScreen", in: report)?.isGrowing, true, "\(report)")
        XCTAssertEqual(report.verdict?.isGrowing, false, "\(report)")
    }

    func testObjectsInAGlobal_grow_andInABoundedCache_doNot() {
        var run = 0
        let report = RxTrace.detectGrowth(named: "rows") {
            run += 1
            forgotten.append(PlainScreen())
            cache[run % 4] = PlainRow()
        }
        XCTAssertEqual(verdict(of: "PlainScreen", in: report)?.isGrowing, true, "\(report)")
        XCTAssertNotEqual(verdict(of: "PlainRow", in: report)?.isGrowing, true, "\(report)")
    }

    func testObjects_whenNotFollowed_areNotReported() {
        RxTrace.followsObjects = false
        let report = RxTrace.detectGrowth(named: "screen") { forgotten.append(PlainScreen()) }
        XCTAssertNil(verdict(of: "PlainScreen", in: report))
        XCTAssertFalse(RxTrace.followsObjects)
    }

    func testReportOfTheProcess_whenFollowed_namesObjects() {
        forgotten = (0..<3_000).map { _ in PlainScreen() }
        let text = "\(ProcessReport(number: 1))"
        let count = LiveObjects().count(of: PlainScreen.self) ?? 0
        XCTAssertGreaterThanOrEqual(count, 3_000)
        XCTAssertTrue(text.contains("\n  \(count)  RxTraceObjectsTests.PlainScreen"), text)
    }
}
