import Foundation
import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("Comparison of two sides") struct PairedReportTests {
    private func counts(_ name: String, _ base: Double?, _ head: Double?) -> ExactComparison {
        let definition = MetricDefinition(name: name, unit: "count/iteration")
        func metric(_ value: Double?) -> Metric {
            value.map { .exact(definition, [$0, $0]) } ?? .unavailable(definition, .exact, because: "planted reason")
        }
        return ExactComparison(metric(base), metric(head))
    }

    private func result(
        _ id: String = "a/b", _ verdict: ComparisonVerdict? = .same, ratio: Double = 1, suspect: Bool? = nil,
        failure: String? = nil, missing: Bool = false,
        isGone: Bool = false, quantity: PairedQuantity = .time, operations: Int = 1,
        bound: ComparisonVerdict? = nil,
        levels: PairedLevels? = nil, exact: [ExactComparison] = [], remarks: [String] = []
    ) -> PairedResult {
        PairedResult(
            id: id, quantity: quantity, operations: operations, failure: failure, isMissingInBase: missing,
            isMissingInHead: isGone, verdict: verdict,
            bound: bound, ratio: verdict == nil ? nil : ratio,
            interval: verdict == nil ? nil : Metric.Interval(low: ratio - 0.002, high: ratio + 0.002, confidence: 0.99),
            detectable: 0.003, baseNanoseconds: 100, headNanoseconds: 100 * ratio, processes: 16, outliers: 0,
            logRatios: [[0], [0]], exact: exact,
            isLayoutSuspect: suspect, levels: levels, remarks: remarks)
    }

    private func report(_ results: PairedResult..., control: ComparisonVerdict = .same) -> PairedReport {
        PairedReport(
            PairedMeasurements(results: results, controls: [result("c/d", control)], layouts: 16, seconds: 1),
            base: "old", head: "new")
    }

    @Test func `what is slower is a regression, and what is the same is none`() {
        #expect(report(result("a/b", .worse, ratio: 1.01)).conclusion == .regression)
        #expect(report(result()).conclusion == .fine)
        #expect(report(result("a/b", .better, ratio: 0.9)).conclusion == .fine)
        // Without another bound, a bound of 5 % decides where no change was shown.
        #expect(report(result("a/b", .inconclusive, ratio: 1.06)).conclusion == .inconclusive)
        #expect(report(result("a/b", .inconclusive, ratio: 1.04)).conclusion == .fine)
    }

    @Test func `the headline is a sentence with the benchmark first, and counts benchmarks`() {
        let slower = PairedResult(
            id: "store/increment", quantity: .time, operations: 10, verdict: .worse, ratio: 1.48,
            interval: Metric.Interval(low: 1.43, high: 1.53, confidence: 0.99), detectable: 0.01,
            baseNanoseconds: 100, headNanoseconds: 148,
            exact: [counts(Metric.allocations, 20, 30), counts(Metric.allocatedBytes, 640, 960)])
        let others = (0..<5).map { result("store/\($0)") } + [result("store/0", quantity: .latencyP99)]
        let report = PairedReport(
            PairedMeasurements(results: [slower] + others, controls: [], layouts: 16, seconds: 1), base: "old",
            head: "new")
        #expect(
            report.verdict
                == "store/increment is 48 % slower (43–53 %) and makes 1 more allocation; 5 others within 5 %.")
        #expect(report.conclusion == .regression)
        #expect(self.report(result("a/b", .better, ratio: 0.9)).verdict == "a/b is 10 % faster (9.8–10 %).")
        #expect(self.report(result(), result("a/c")).verdict == "2 benchmarks within 5 %.")
        let open = self.report(result(), result("a/c", .inconclusive, ratio: 1.2))
        #expect(open.verdict == "1 inconclusive (a/c may be up to 20 % slower); 1 other within 5 %.")
    }

    @Test func `of many benchmarks that are slower, the headline names those that changed most`() {
        let several = report(
            result("a/1", .worse, ratio: 1.1), result("a/2", .worse, ratio: 1.6), result("a/3", .worse, ratio: 1.2),
            result("a/4", .worse, ratio: 1.3))
        #expect(
            several.verdict == """
                a/2 is 60 % slower (60–60 %); a/4 is 30 % slower (30–30 %); a/3 is 20 % slower (20–20 %); 1 more of \
                that kind.
                """)
    }

    @Test func `what the comparison could see is said`() {
        #expect(
            report(result(), result("a/c", .inconclusive, ratio: 1.01)).notes[0]
                == """
                sees: a change of 0.30 % in half of the benchmarks, of 0.30 % in all (80 % power); none is slower by \
                more than 1.2 %.
                """)
        // A failed benchmark was not measured, and a control that differs from itself makes bounds untrustworthy, too.
        #expect(report(result(), control: .worse).reach == nil)
    }

    @Test func `files that decide and are head's on both sides let nothing be judged`() {
        func report(_ kind: UncomparedFile.Kind) -> PairedReport {
            var measurements = PairedMeasurements(
                results: [result("a/b", .worse, ratio: 8)], controls: [], layouts: 16, seconds: 1)
            measurements.uncompared = [UncomparedFile(path: "Benchmarks/Package.swift", kind: kind)]
            return PairedReport(measurements, base: "old", head: "new")
        }
        for kind in [UncomparedFile.Kind.buildDescription, .code] {
            #expect(report(kind).conclusion == .notJudged)
            #expect(report(kind).verdict == "1 not judged.")
            #expect(report(kind).table.rows[0].last == "not judged")
            #expect(report(kind).markdown.hasPrefix("Not judged: 'Benchmarks/Package.swift' "))
        }
        #expect(report(.resource).conclusion == .notJudged)
        #expect(report(.resource).preamble[0].hasPrefix("Not judged: the resource 'Benchmarks/Package.swift' differs"))
        // Benchmarks have to be head's on both sides, and are named all the same.
        #expect(report(.benchmark).conclusion == .regression)
        #expect(report(.benchmark).preamble == ["Not compared: 'Benchmarks/Package.swift', new's on both sides."])
    }

    @Test func `a bound that was asked for decides alone`() {
        func report(_ results: PairedResult...) -> PairedReport {
            PairedReport(
                PairedMeasurements(results: results, controls: [], layouts: 16, seconds: 1, noSlowerThan: 0.05),
                base: "old", head: "new")
        }
        let within = result("a/b", .worse, ratio: 1.02, bound: .same)
        #expect(report(within).conclusion == .fine)
        #expect(report(within).verdict == "1 benchmark within 5 %.")
        #expect(report(within).table.text.contains("slower, within 5 %"))
        #expect(report(within, result("a/c", .worse, ratio: 1.07, bound: .worse)).conclusion == .regression)
        #expect(
            report(within, result("a/c", .inconclusive, ratio: 1.05, bound: .inconclusive)).conclusion == .inconclusive)
    }

    @Test func `figures are those of an operation, and latencies as they are`() {
        let counts = [counts(Metric.allocations, 3_000, 4_000), counts(Metric.netAllocations, 0, 2)]
        let row = report(result(operations: 1_000, exact: counts)).table.rows[0]
        #expect(Array(row[1...2]) == ["0.100 ns", "0.100 ns"])
        #expect(Array(row[6...7]) == ["3 → 4 (+33.3 %)", "0 → 2"])
        #expect(report(result(quantity: .latencyP50, operations: 1_000)).table.rows[0][1] == "100 ns")
    }

    @Test func `a table of counts that changed fits eighty columns, and its sides`() {
        let counts = [
            counts(Metric.allocations, 477_000, 1_263_000), counts(Metric.allocatedBytes, 47_800_000, 179_000_000),
        ]
        let slower = result("stencil/render", .worse, ratio: 2.15, operations: 1_000, exact: counts)
        let report = PairedReport(
            PairedMeasurements(results: [slower], controls: [], layouts: 16, seconds: 1), base: "main (3fd16010)",
            head: "slow (f6c24cdb)")
        #expect(report.table.width > 120)
        for columns in [80, 100, 120] {
            let lines = report.table(fitting: columns).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
            #expect(lines[1].contains("+115 %") && lines[1].contains("slower"), "\(lines)")
        }
        #expect(report.table(fitting: 120).contains("  +165 %"))
        #expect(report.table(fitting: nil).contains("477 → 1263 (+165 %)"))
    }

    @Test func `a row that counts fewer says so, and is not called the same`() {
        let fewer = report(result("a/b", exact: [counts(Metric.allocations, 5, 4)]), result("a/c"))
        #expect(fewer.table.rows.map(\.last) == ["fewer allocations", "same"])
        #expect(fewer.verdict == "a/b makes 1 fewer allocation; 1 other within 5 %.")
        let faster = report(result("a/b", .better, ratio: 0.9, exact: [counts(Metric.allocations, 5, 4)]))
        #expect(faster.table.rows[0].last == "faster, fewer allocations")
        #expect(faster.verdict == "a/b is 10 % faster (9.8–10 %) and makes 1 fewer allocation.")
    }

    @Test func `what failed and what head lacks have rows, among those that decide the exit code`() {
        let report = report(
            result("a/same"), result("a/slower", .worse, ratio: 1.2), result("a/gone", nil, isGone: true),
            result("a/failed", nil, failure: "Planted."))
        #expect(report.table.rows.map { $0[0] } == ["a/slower", "a/failed", "a/gone", "a/same"])
        #expect(report.table.rows.map(\.last) == ["slower", "failed", "not in new", "same"])
        #expect(report.table.rows.allSatisfy { $0.count == report.table.rows[0].count })
    }

    @Test func `a comment is headed by the verdict, and long tables are folded`() {
        let short = report(result("a/b", .worse, ratio: 1.5)).markdown
        #expect(short.hasPrefix("### a/b is 50 % slower (50–50 %)."))
        #expect(short.contains("\n\n| benchmark | old | new |"))
        #expect(!short.contains("<details>"))
        let many = PairedReport(
            PairedMeasurements(
                results: (0...20).map { result("a/\($0)") }, controls: [result("c/d")], layouts: 16, seconds: 1),
            base: "old", head: "new"
        ).markdown
        #expect(many.contains("<details><summary>21 benchmarks, changed ones first</summary>\n\n| benchmark |"))
    }

    @Test func `quantiles have rows of their own`() {
        let report = report(result(quantity: .latencyP50), result("a/b", .worse, ratio: 1.5, quantity: .latencyP99))
        #expect(report.table.rows.map { $0[0] } == ["a/b p99", "a/b p50"])
        #expect(report.conclusion == .regression)
    }

    @Test func `what was left out is said`() {
        var measurements = PairedMeasurements(results: [result()], controls: [], layouts: 16, seconds: 1)
        #expect(!PairedReport(measurements, base: "old", head: "new").notes.contains { $0.hasPrefix("left out") })
        measurements.leftOut = ["a/crowd?threads=2", "a/crowd?threads=8"]
        #expect(
            PairedReport(measurements, base: "old", head: "new").notes.contains(
                """
                left out: 2 benchmarks whose unchanged code differs from process to process; 'tag:unsteady' selects \
                them.
                """))
    }

    @Test func `identical machine code is said, and is the same`() {
        var measurements = PairedMeasurements(results: [result()], controls: [], layouts: 0, seconds: 0)
        measurements.isIdenticalCode = true
        let report = PairedReport(measurements, base: "old", head: "new")
        #expect(report.verdict == "1 benchmark with identical machine code.")
        #expect(report.conclusion == .fine)
    }

    @Test func `what is slower and suspected of its layout is inconclusive, unless something else is slower`() {
        let suspect = result("a/suspect", .worse, ratio: 1.02, suspect: true)
        #expect(report(suspect, result()).conclusion == .inconclusive)
        #expect(
            report(suspect, result()).verdict == """
                a/suspect is 2.0 % slower (1.8–2.2 %), perhaps by its place in memory alone; 1 other within 5 %.
                """)
        #expect(report(suspect, result("a/work", .worse, ratio: 1.1, suspect: false)).conclusion == .regression)
        // Where instructions were not counted, only the interval over link orders is available.
        #expect(report(result("a/b", .worse, ratio: 1.02)).conclusion == .regression)
        #expect(report(suspect).table.text.contains("slower, layout-suspect"))
    }

    @Test func `a benchmark that base lacks is said for it alone`() {
        // Its counts have no other side, which needs no note.
        let report = report(result(), result("a/new", nil, missing: true, exact: [counts(Metric.allocations, nil, 4)]))
        #expect(!report.notes.contains { $0.hasPrefix("unavailable") })
        #expect(report.conclusion == .fine)
        #expect(report.notes.contains("not in old: a/new."))
        #expect(report.verdict == "1 new, without figures of old (a/new); 1 other within 5 %.")
        #expect(report.table.rows.count == 1)
        #expect(self.report(result("a/new", nil, missing: true)).conclusion == .notJudged)
    }

    @Test func `one added allocation is a regression even where times are the same or the control is not`() {
        let more = result("a/b", exact: [counts(Metric.allocations, 4, 5)])
        #expect(report(more).conclusion == .regression)
        #expect(report(more, control: .worse).conclusion == .regression)
        #expect(report(more).verdict == "a/b makes 1 more allocation.")
        #expect(report(result("a/b", exact: [counts(Metric.allocations, 5, 4)])).conclusion == .fine)
        #expect(report(result("a/b", exact: [counts(Metric.allocations, nil, 4)])).conclusion == .fine)
    }

    @Test func `counts that vary by themselves are no regression, and carry a tilde`() {
        let definition = MetricDefinition(name: Metric.allocations, unit: "count/iteration")
        let racing = ExactComparison(
            .exact(definition, [3601, 3601], isThreaded: true), .exact(definition, [3602, 3602], isThreaded: true))
        #expect(report(result("a/race", exact: [racing])).conclusion == .fine)
        #expect(report(result("a/race", exact: [racing])).table.rows[0][6].hasPrefix("~3601 → ~3602"))
    }

    @Test func `a control that differs from itself lets nothing be concluded`() {
        let report = report(result("a/b", .worse, ratio: 1.3), control: .better)
        #expect(report.conclusion == .notJudged)
        #expect(report.preamble[0].hasPrefix("Not judged: no times, as old differs from itself in other link orders"))
        #expect(report.table.rows[0].last == "time not judged")
    }

    @Test func `what failed is said, and outweighs what is inconclusive but not what is slower`() {
        let failed = result("a/failed", nil, failure: "An iteration threw an error.")
        #expect(report(failed, result("a/b", .inconclusive, ratio: 2)).conclusion == .failed)
        #expect(report(failed, result("a/b", .worse, ratio: 1.2)).conclusion == .regression)
        #expect(report(failed).notes.contains("failed: a/failed: An iteration threw an error."))
    }

    @Test
    func `what decides the exit code comes first, the largest change on top, with the digits that small changes need`()
    {
        let report = report(
            result("a/same"), result("a/little", .worse, ratio: 1.0052), result("a/faster", .better, ratio: 0.5),
            result("a/much", .worse, ratio: 1.25))
        #expect(report.table.rows.map { $0[0] } == ["a/much", "a/little", "a/faster", "a/same"])
        #expect(report.table.rows[1][3] == "+0.52 %")
        #expect(report.table.rows[1][4] == "[+0.32 % +0.72 %]")
    }

    @Test func `counts that could not be read are unavailable with their reason, and oddities are said`() {
        let report = report(
            result("a/b", exact: [counts(Metric.allocations, nil, nil)], remarks: ["its ratio drifted."]))
        #expect(report.table.rows[0][6] == "unavailable")
        #expect(report.notes.contains("unavailable: planted reason."))
        #expect(report.notes.contains("a/b: its ratio drifted."))
    }

    @Test func `more bytes are a regression with a column of their own, and equal ones have none`() {
        let more = report(
            result(
                "a/b", .better, ratio: 0.974,
                exact: [counts(Metric.allocations, 2, 2), counts(Metric.allocatedBytes, 96, 160)]))
        #expect(more.conclusion == .regression)
        #expect(more.verdict == "a/b allocates 64 B more.")
        #expect(
            more.table.text == """
                benchmark     old      new   change      99 % interval     sees  allocs/op                bytes/op  \
                verdict
                a/b        100 ns  97.4 ns  −2.60 %  [−2.80 % −2.40 %]  +0.30 %          2  96 B → 160 B (+66.7 %)  \
                faster, more bytes
                """)
        let same = report(
            result("a/b", exact: [counts(Metric.allocations, 2, 2), counts(Metric.allocatedBytes, 96, 96)]))
        #expect(same.conclusion == .fine)
        #expect(!same.table.text.contains("bytes/op"))
    }

    @Test func `what is left behind is a regression with a column of its own, though less is allocated`() {
        let leak = report(
            result("a/b", exact: [counts(Metric.allocations, 12, 6), counts(Metric.netAllocations, 0, 3)]))
        #expect(leak.conclusion == .regression)
        #expect(leak.verdict == "a/b leaves 3 more allocations behind.")
        #expect(leak.table.text.contains("  net allocs  "))
        #expect(leak.table.rows[0].last == "more allocations left behind, fewer allocations")
        let clean = report(
            result("a/b", exact: [counts(Metric.allocations, 12, 6), counts(Metric.netAllocations, 0, 0)]))
        #expect(clean.conclusion == .fine)
        #expect(!clean.table.text.contains("net allocs"))
    }

    @Test func `a time that changed says whose number it is and how to ask, and no other row does`() {
        func notes(_ results: PairedResult..., arePrograms: Bool = false) -> [String] {
            var measurements = PairedMeasurements(
                results: results, controls: [], layouts: 16, seconds: 60, noSlowerThan: nil)
            measurements.arePrograms = arePrograms
            return PairedReport(measurements, base: "old", head: "new").notes.filter { $0.hasPrefix("whose number: ") }
        }
        let changed = notes(result("a/b", .worse, ratio: 1.15), result("a/same"))
        #expect(changed.count == 1)
        #expect(changed.first?.hasSuffix(" '--programs' measures a/b as two programs in turns.") == true)
        #expect(notes(result("a/same")).isEmpty)
        #expect(notes(result("a/b", .worse, ratio: 1.15), arePrograms: true).isEmpty)
    }

    @Test func `both sides and the change agree`() {
        let odd = PairedResult(
            id: "a/b", quantity: .time, operations: 1, failure: nil, isMissingInBase: false, isMissingInHead: false,
            verdict: .worse,
            bound: nil, ratio: 1.273, interval: nil, detectable: nil,
            baseNanoseconds: 1_060_000, headNanoseconds: 732_000, processes: 16, outliers: 0, logRatios: [], exact: [],
            isLayoutSuspect: nil, levels: nil, remarks: [])
        #expect(Array(report(odd).table.rows[0][1...3]) == ["1.06 ms", "1.35 ms", "+27.3 %"])
    }

    @Test func `a benchmark that head lacks leaves the comparison open`() {
        let gone = report(result(), result("a/gone", nil, isGone: true))
        #expect(gone.conclusion == .notJudged)
        #expect(gone.preamble[0].hasPrefix("Not judged: a/gone, not in new."))
        #expect(gone.verdict == "1 not judged, as new lacks it (a/gone); 1 other within 5 %.")
        #expect(gone.notes.contains("not in new: a/gone."))
    }

    @Test func `a count that base has and head lacks leaves the comparison open`() {
        let lost = report(result("a/b", exact: [counts(Metric.allocations, 4, nil)]))
        #expect(lost.conclusion == .notJudged)
        #expect(lost.verdict == "1 not judged, as new lacks a count of old's (a/b).")
    }

    @Test func `a control that differs hides neither failures nor counts`() {
        let failed = report(result(), result("a/failed", nil, failure: "Planted."), control: .worse)
        #expect(failed.conclusion == .failed)
        #expect(failed.verdict == "1 failed (a/failed); 1 not judged.")
        let more = report(result("a/b", exact: [counts(Metric.allocations, 4, 5)]), control: .worse)
        #expect(more.verdict == "a/b makes 1 more allocation.")
        #expect(more.conclusion == .regression)
    }

    @Test func `counts that vary and counts that nobody made are told apart`() {
        let definition = MetricDefinition(name: Metric.allocations, unit: "count/iteration")
        let varying = ExactComparison(.exact(definition, [5, 7]), .exact(definition, [6, 8]))
        let vary = report(result("a/b", .worse, ratio: 1.1, exact: [varying, counts(Metric.instructions, 900, 900)]))
            .notes
        #expect(vary.contains { $0.hasPrefix("layout: a/b: counts vary by themselves, ") })
        #expect(!vary.contains { $0.contains("not counted") })
        let uncounted = report(result("a/b", .worse, ratio: 1.1, exact: [varying])).notes
        #expect(uncounted.contains { $0.hasPrefix("layout: a/b: instructions were not counted, ") })
    }

    @Test func `levels and their shares are said of each side, and nothing is claimed of why`() {
        var collection = PairedCollection(id: "a/b", layouts: 16)
        for process in 0..<32 {
            let head = process % 2 == 0 ? 100.0 : 140 + Double(process) / 100
            let base = 100 + Double(process) / 100
            let figure = PairFigure(.time, base: base, head: head * base / 100)
            collection.add(PairReply(series: PairSeries(figures: [figure], quadruples: 3)), layout: process / 2)
        }
        let report = report(collection.result(nil, margin: 0.005))
        #expect(report.notes.contains("several levels: a/b: base 100 ns (100 %); head 100 ns (50 %), 140 ns (50 %)."))
        #expect(!report.notes.contains { $0.contains("the interval covers them") || $0.contains("by where") })
        var single = PairedCollection(id: "a/b", layouts: 16)
        for process in 0..<32 {
            let head = 100 + Double(process % 8) / 10
            let figure = PairFigure(.time, base: 100, head: head)
            single.add(PairReply(series: PairSeries(figures: [figure], quadruples: 3)), layout: process / 2)
        }
        #expect(!self.report(single.result(nil, margin: 0.005)).notes.contains { $0.hasPrefix("several levels") })
    }
}
