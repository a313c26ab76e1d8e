import Testing

@testable import RxBench
@testable import RxBenchReport

@Suite("Comparison of two sides") struct PairedReportTests {
    private func counts(_ name: String, _ base: Double?, _ head: Double?) -> ExactComparison {
        let definition = MetricDefinition(name: name, unit: "count/iteration")
        func metric(_ value: Double?) -> Metric {
            value.map { .exact(definition, [$0, $0]) } ?? .unavailable(definition, .exact, because: "planted reason")
        }
        return ExactComparison(metric(base), metric(head))
    }

    private func result(
        _ id: String = "a/b", _ verdict: String? = "same", ratio: Double = 1, suspect: Bool? = nil, failure: String? = nil, missing: Bool = false,
        exact: [ExactComparison] = [], remarks: [String] = []
    ) -> PairedResult {
        PairedResult(
            id: id, failure: failure, isMissingInBase: missing, verdict: verdict, ratio: verdict == nil ? nil : ratio,
            interval: verdict == nil ? nil : Metric.Interval(low: ratio - 0.002, high: ratio + 0.002, confidence: 0.99),
            detectable: 0.003, baseNanoseconds: 100, headNanoseconds: 100 * ratio, processes: 16, outliers: 0, logRatios: [[0], [0]], exact: exact,
            isLayoutSuspect: suspect, remarks: remarks)
    }

    private func report(_ results: PairedResult..., control: String = "same") -> PairedReport {
        PairedReport(
            PairedMeasurements(results: results, controls: [result("c/d", control)], layouts: 16, seconds: 1), base: "old", head: "new")
    }

    @Test func `what is slower is a regression, and what is the same is none`() {
        #expect(report(result("a/b", "slower", ratio: 1.01)).conclusion == .regression)
        #expect(report(result()).conclusion == .fine)
        #expect(report(result("a/b", "faster", ratio: 0.9)).conclusion == .fine)
        #expect(report(result("a/b", "inconclusive")).conclusion == .inconclusive)
    }

    @Test func `what is slower and suspected of its layout is inconclusive, unless something else is slower`() {
        let suspect = result("a/suspect", "slower", ratio: 1.02, suspect: true)
        #expect(report(suspect, result()).conclusion == .inconclusive)
        #expect(report(suspect, result()).verdict == "new against old: 1 slower (1 layout-suspect), 1 same.")
        #expect(report(suspect, result("a/work", "slower", ratio: 1.1, suspect: false)).conclusion == .regression)
        // Where nobody counted instructions, the interval over link orders is what there is.
        #expect(report(result("a/b", "slower", ratio: 1.02)).conclusion == .regression)
        #expect(report(suspect).table.text.contains("slower, layout-suspect"))
    }

    @Test func `a benchmark that base lacks is said for it alone`() {
        // Its counts have no other side, which is no news.
        let report = report(result(), result("a/new", nil, missing: true, exact: [counts(Metric.allocations, nil, 4)]))
        #expect(!report.notes.contains { $0.hasPrefix("unavailable") })
        #expect(report.conclusion == .fine)
        #expect(report.notes.contains("not in old: a/new."))
        #expect(report.verdict == "new against old: 1 same, 1 not in old.")
        #expect(report.table.rows.count == 1)
        #expect(self.report(result("a/new", nil, missing: true)).conclusion == .inconclusive)
    }

    @Test func `one added allocation is a regression even where times are the same or the control is not`() {
        let more = result("a/b", exact: [counts(Metric.allocations, 4, 5)])
        #expect(report(more).conclusion == .regression)
        #expect(report(more, control: "slower").conclusion == .regression)
        #expect(report(more).verdict == "new against old: 1 same, 1 with more allocations.")
        #expect(report(result("a/b", exact: [counts(Metric.allocations, 5, 4)])).conclusion == .fine)
        #expect(report(result("a/b", exact: [counts(Metric.allocations, nil, 4)])).conclusion == .fine)
    }

    @Test func `counts that vary by themselves are no regression, and carry a tilde`() {
        let definition = MetricDefinition(name: Metric.allocations, unit: "count/iteration")
        let racing = ExactComparison(.exact(definition, [3601, 3601], isThreaded: true), .exact(definition, [3602, 3602], isThreaded: true))
        #expect(report(result("a/race", exact: [racing])).conclusion == .fine)
        #expect(report(result("a/race", exact: [racing])).table.rows[0][6] == "~3601")
    }

    @Test func `a control that differs from itself lets nothing be concluded`() {
        let report = report(result("a/b", "slower", ratio: 1.3), control: "faster")
        #expect(report.conclusion == .inconclusive)
        #expect(report.verdict.hasPrefix("Inconclusive: old differs from itself"))
    }

    @Test func `what failed is said, and outweighs what is inconclusive but not what is slower`() {
        let failed = result("a/failed", nil, failure: "An iteration threw an error.")
        #expect(report(failed, result("a/b", "inconclusive")).conclusion == .failed)
        #expect(report(failed, result("a/b", "slower", ratio: 1.2)).conclusion == .regression)
        #expect(report(failed).notes.contains("failed: a/failed: An iteration threw an error."))
    }

    @Test func `changes come first, the largest of them on top, with the digits that small changes need`() {
        let report = report(
            result("a/same"), result("a/little", "slower", ratio: 1.0052), result("a/faster", "faster", ratio: 0.5), result("a/much", "slower", ratio: 1.25))
        #expect(report.table.rows.map { $0[0] } == ["a/faster", "a/much", "a/little", "a/same"])
        #expect(report.table.rows[2][3] == "+0.52 %")
        #expect(report.table.rows[2][4] == "[+0.32 % +0.72 %]")
    }

    @Test func `counts that could not be read are unavailable with their reason, and oddities are said`() {
        let report = report(result("a/b", exact: [counts(Metric.allocations, nil, nil)], remarks: ["its ratio drifted."]))
        #expect(report.table.rows[0][6] == "unavailable")
        #expect(report.notes.contains("unavailable: planted reason."))
        #expect(report.notes.contains("a/b: its ratio drifted."))
    }
}
