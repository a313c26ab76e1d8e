import Foundation
import LeakGallery
import Rx
import RxTrace
import XCTest

/// Every planted leak is found, and no clean twin is reported.
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

    func testPlantedLeaks_areOneGroupEach_whoseFirstLineAndSignatureStayTheSame() async throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        for planted in PlantedLeak.all {
            let record = try await report(on: planted.leak)
            // The line below the name of the round trip. There is one mistake, and so there is one line.
            let first =
                LeakTree().text(of: record).split(separator: "\n").dropFirst().first?.drop { !$0.isLetter } ?? ""
            XCTAssertEqual(String(first), LeakHeadlines.all[planted.name], planted.name)
            XCTAssertEqual(record.growing.count, 1, LeakTree().text(of: record))
        }
    }

    #if DEBUG
        // The pages show the output of 'swift run'. Inlined code has fewer functions on the path.
        func testPages_showTheReportAsItIsPrinted() async throws {
            do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
            let level = RxTrace.level
            RxTrace.level = .paranoid
            defer { RxTrace.level = level }
            let planted = try XCTUnwrap(PlantedLeak.all.first { $0.name == "self-in-own-bag" })
            let printed = lines(LeakTree().text(of: LeakDocument([try await report(on: planted.leak)])))
            let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
            for page in ["README.md", "Documentation/Guide/Leaks.md"] {
                let text = try String(contentsOf: package.appending(path: page), encoding: .utf8)
                let fence = try XCTUnwrap(text.firstMatch(of: #/```text\n(self-in-own-bag\/leak: [^`]*)```/#), page)
                let shown = lines(String(fence.1))
                XCTAssertTrue(Self.shows(shown[...], printed[...]), "\(page) shows\n\(shown), and it is\n\(printed)")
                for index in shown.indices where !shown[index].hasSuffix("…") {
                    var wrong = shown
                    wrong[index] += "."
                    XCTAssertFalse(Self.shows(wrong[...], printed[...]), "\(page): \(wrong[index])")
                }
            }
        }
    #endif

    /// Returns the lines of a report with their columns, without the parts that depend on the process: its calls below
    /// the gallery's calls, and whether it has threads that disturb the bytes of the heap.
    private func lines(_ report: String) -> [String] {
        report.split(separator: "\n").filter { !$0.contains(#/… and [0-9]+ more$|─ heap bytes: unavailable, because/#) }
            .map { line in
                let bytes = #/the bytes of the heap that the thread of the runs has taken; |; not: heap bytes/#
                return String(line.replacing(#/[├└]/#, with: "─").replacing("│", with: " ").replacing(bytes, with: ""))
            }
    }

    /// Whether the shown lines equal the printed lines. A line that ends in '…' matches any number of lines.
    private static func shows(_ shown: ArraySlice<String>, _ printed: ArraySlice<String>) -> Bool {
        guard let first = shown.first else { return printed.isEmpty }
        let rest = shown.dropFirst()
        guard first.hasSuffix("…") else { return first == printed.first && shows(rest, printed.dropFirst()) }
        return printed.indices.contains { shows(rest, printed[($0 + 1)...]) }
    }

    func testNames_areUnique() {
        XCTAssertEqual(Set(PlantedLeak.all.map(\.name)), Set(LeakHeadlines.all.keys))
        XCTAssertEqual(PlantedLeak.all.count, LeakHeadlines.all.count)
    }
}
