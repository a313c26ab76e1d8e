import Foundation
import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("Markdown report") struct MarkdownReportTests {
    private func run(_ center: Double, _ allocations: Double) -> RunResult {
        SampleRun.run([
            SampleRun.timed("test/one/plain", center, allocations: allocations, limits: [.allocations(atMost: 2)])
        ])
    }

    @Test func `a clean run is a verdict, with everything else folded`() {
        let document = MarkdownReport(run(100, 20)).document
        #expect(
            document.hasPrefix(
                """
                **1 benchmark measured in 1 min 01 s.**

                <details><summary>Times and allocations of 1 benchmark</summary>

                | benchmark | time/op |  | MDE | outliers | vs baseline | allocs/op | bytes/op |
                | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                | test/one/plain | 104 ns | ±2.9 % | 4.85 % |  |  | 2 | 64 B |

                </details>

                """))
        #expect(
            document.contains("<summary>Environment</summary>\n\n- run: 2026-03-15T12:00:00Z, commit 0123456789ab\n"))
        #expect(
            document.components(separatedBy: "<details>").count == document.components(separatedBy: "</details>").count)
    }

    @Test func `what changed stands above the folds, and so does a broken budget`() throws {
        let document = MarkdownReport(run(200, 30), baseline: run(100, 20)).document
        let top = try #require(document.components(separatedBy: "<details>").first)
        #expect(
            top.hasPrefix(
                """
                **test/one/plain is 100 % slower (94–106 %) and makes 1 more allocation. Slower times do not change \
                the exit code; '--gate-time' lets them.**\n
                """
            ))
        #expect(top.contains("| test/one/plain | allocs/op | 2 | 3 | +1 (+50.0 %) |  | worse |"))
        #expect(top.contains("| test/one/plain | allocs/op | 2 | 3 |  | worse |"))
    }

    @Test func `text that Markdown would act on is encoded, an ID stays readable`() {
        #expect(MarkdownReport.escape("operator/map?a=1&b=2") == "operator/map?a=1&b=2")
        #expect(
            MarkdownReport.escape("<b>*x*_[@me](y)`&lt;\n")
                == "&#60;b&#62;&#42;x&#42;&#95;&#91;&#64;me&#93;(y)&#96;&#38;lt; ")
    }

    @Test func `a comment of 1,000 benchmarks stays within what a pull request takes`() {
        let result = SampleRun.large(1_000)
        #expect(MarkdownReport(result, baseline: result).document.count < 65_536)
    }
}
