import Foundation
import RxBench
import Testing

@testable import RxBenchCommands

@Suite("Trend panel") struct TrendPanelTests {
    private let result = SampleRun.run([SampleRun.timed("test/one/plain", 100)])

    private func section(_ name: String, _ document: String) -> String? {
        document.components(separatedBy: "<section id=\(name)>").dropFirst().first?.components(
            separatedBy: "</section>"
        ).first
    }

    @Test func `a planted slowdown names its commits, its size and its chart`() throws {
        let document = HTMLReport(result, trend: SampleRun.trend(of: result, slowdown: 1.2)).document
        let panel = try #require(section("trend", document))
        #expect(panel.contains("linux-test-2c, release: 20 results, from 0000000 to 1999999."))
        #expect(panel.contains("<td data-label=between>1111111 and 1222222</td>"), "\(panel)")
        #expect(panel.contains("<span class=\"badge bad\">✕ +1"))
        // One chart, with figures, two levels and one band.
        #expect(panel.components(separatedBy: "<figure>").count == 2)
        #expect(panel.components(separatedBy: "<rect class=band").count == 2)
        #expect(document.contains("aria-label=\"20 results, 1 change\">"))
    }

    @Test func `its clean twin has a history and no change`() throws {
        let document = HTMLReport(result, trend: SampleRun.trend(of: result)).document
        let panel = try #require(section("trend", document))
        #expect(panel.contains("<p>No change of level is clear.</p>"))
        #expect(!panel.contains("<figure>") && !panel.contains("badge"))
        #expect(
            document.contains("<th data-key=\"history\">") && document.contains("aria-label=\"20 results, 0 changes\">")
        )
    }

    @Test func `results of another machine, and benchmarks that the run lacks, are not shown`() throws {
        let foreign = SampleRun.trend(of: result, slowdown: 1.2)
        let other = try SampleRun.planting("elsewhere", for: "linux-test-2c", in: result)
        #expect(section("trend", HTMLReport(other, trend: foreign).document) == nil)
        #expect(!HTMLReport(other, trend: foreign).document.contains("data-key=\"history\""))
        let renamed = SampleRun.run([SampleRun.timed("test/other/plain", 100)])
        let panel = try #require(section("trend", HTMLReport(renamed, trend: foreign).document))
        #expect(!panel.contains("test/one/plain</th>") && !panel.contains("<figure>"))
    }

    @Test func `levels reach from change to change`() throws {
        let series = try #require(SampleRun.trend(of: result, slowdown: 1.2).groups.first?.series.first)
        let levels = TrendPanel.levels(series)
        #expect(levels.map(\.from) == [0, 12] && levels.map(\.to) == [11, 19])
        #expect(levels[1].level / levels[0].level > 1.15 && levels[1].level / levels[0].level < 1.25)
    }
}
