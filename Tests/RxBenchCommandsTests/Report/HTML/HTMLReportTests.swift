import Foundation
import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("HTML report") struct HTMLReportTests {
    private let plain = SampleRun.run([
        SampleRun.timed("test/one/plain", 100, allocations: 20, limits: [.allocations(atMost: 2)])
    ])

    private func sections(_ document: String) -> [String] {
        document.components(separatedBy: "<section id=").dropFirst().map { String($0.prefix { $0 != ">" }) }
    }

    private func section(_ name: String, _ document: String) throws -> String {
        let rest = try #require(document.components(separatedBy: "<section id=\(name)>").dropFirst().first)
        return try #require(rest.components(separatedBy: "</section>").first)
    }

    @Test func `equal input gives an equal page, whole and without network`() {
        let document = HTMLReport(plain).document
        #expect(document == HTMLReport(plain).document)
        #expect(document.hasPrefix("<!DOCTYPE html>\n") && document.hasSuffix("</html>\n"))
        #expect(
            !document.contains("http://") && !document.contains("https://") && !document.contains("src=")
                && !document.contains("@import"))
        #expect(document.contains("default-src 'none'"))
        #expect(document.contains("2026-03-15T12:00:00Z"))
    }

    @Test func `a panel without content is left out, and so is the link to it`() {
        let document = HTMLReport(plain).document
        #expect(sections(document) == ["summary", "benchmarks", "limits", "allocations", "leaks", "environment"])
        #expect(!document.contains("href=\"#races\""))
        #expect(sections(HTMLReport(SampleRun.run([])).document) == ["summary", "environment"])
    }

    @Test func `every panel, when there is something to show`() {
        let result = SampleRun.large(40)
        let document = HTMLReport(
            result, baseline: result, trend: SampleRun.trend(of: result),
            leaks: [LeakFindings(name: "x", outcome: .clean, findings: [])]
        )
        .document
        #expect(
            sections(document) == [
                "summary", "changes", "benchmarks", "limits", "ratios", "scaling", "allocations", "leaks", "races",
                "trend", "environment",
            ])
    }

    @Test func `a row shows figures and opens to distribution, samples and limits`() throws {
        let table = try section("benchmarks", HTMLReport(plain).document)
        #expect(
            table.contains("<td data-label=\"time/op\" data-v=\"104\">104 ns <small>±2.9 %</small></td>"), "\(table)")
        #expect(table.contains("<td data-label=\"allocs/op\" data-v=\"2\">2</td>"))
        #expect(table.contains("15 processes, 100 ns to 109 ns"))
        #expect(table.contains("<b>Distribution</b>") && table.contains("<b>Samples in order</b>"))
        #expect(table.contains("<li>allocs/op: 2, at most 2: same</li>"))
        // No process counted live resources: there is no column of 'n/a', and the reason is given once.
        #expect(!table.contains("data-key=\"live\""))
        #expect(
            try section("environment", HTMLReport(plain).document).contains(
                "unavailable: liveResources: planted reason."))
    }

    @Test func `findings name what failed, broke a budget or saw a forbidden outcome; a clean run has none`() throws {
        #expect(!HTMLReport(plain).document.contains("<h2>Findings</h2>"))
        let broken = SampleRun.run([
            BenchmarkResult(
                Benchmark("test/one/failing", decides: "Nothing.") { Workload {} }, failure: "Planted failure."),
            SampleRun.timed("test/one/greedy", 100, allocations: 30, limits: [.allocations(atMost: 2)]),
            BenchmarkResult(
                Benchmark("race/one/planted", decides: "Nothing.") { Workload {} },
                outcomes: [RaceOutcome(label: "lost update", expectation: .forbidden, count: 3)]),
        ])
        let summary = try section("summary", HTMLReport(broken).document)
        #expect(summary.contains("<code>test/one/failing</code> failed: Planted failure.</li>"))
        #expect(summary.contains("<code>test/one/greedy</code> over budget: allocs/op 3, at most 2</li>"))
        #expect(summary.contains("<code>race/one/planted</code> forbidden outcome, in 3 rounds: lost update</li>"))
        #expect(try section("races", HTMLReport(broken).document).contains("100 %"))
    }

    @Test func `a comparison shows ratios, changes and verdicts`() throws {
        let slower = SampleRun.run([
            SampleRun.timed("test/one/plain", 200, allocations: 30, limits: [.allocations(atMost: 3)])
        ])
        let document = HTMLReport(slower, baseline: plain).document
        #expect(try section("changes", document).contains("✕ worse"))
        #expect(try section("benchmarks", document).contains("+100 % <small>worse</small>"))
        #expect(try section("benchmarks", document).contains("medians of the baseline run (15)"))
        #expect(try section("summary", document).contains("allocs/op worse: +1 (+50.0 %)</li>"))
        #expect(try section("allocations", document).contains("+1 (+50.0 %) worse"))
        #expect(try !section("allocations", document).contains("/iteration"))
        let greedy = SampleRun.run([SampleRun.timed("test/one/plain", 100, allocations: 30)])
        #expect(
            try section("benchmarks", HTMLReport(greedy, baseline: plain).document).contains(
                "<small>allocs/op worse, bytes/op worse</small>"))
        let same = HTMLReport(plain, baseline: plain).document
        #expect(try section("benchmarks", same).contains("<small>same</small>"))
        #expect(try section("changes", same).contains("same") && !section("changes", same).contains("worse</span>"))
    }

    @Test func `a decided change stands before an inconclusive one whose ratio is larger`() throws {
        func result(_ wide: Double, _ narrow: Double) -> RunResult {
            let scattered = (0..<7).map { wide * [1, 9][$0 % 2] }
            let benchmark = Benchmark("test/wide/inconclusive", decides: "Nothing.", operations: 10) { Workload {} }
            return SampleRun.run([
                BenchmarkResult(benchmark, metrics: [.sampled(SampleRun.time, scattered)]),
                SampleRun.timed("test/narrow/decided", narrow),
            ])
        }
        let changes = try section("changes", HTMLReport(result(500, 150), baseline: result(100, 100)).document)
        let places = try ["test/narrow/decided", "test/wide/inconclusive"].map {
            try #require(changes.range(of: $0)).lowerBound
        }
        #expect(changes.contains("? inconclusive") && places[0] < places[1])
    }

    @Test func `names, reasons and labels cannot break out of their place`() throws {
        let attack = "</script><script>document.documentElement.dataset.pwned=1</script>\" onload='x' <img src=y>"
        let result = SampleRun.run([
            SampleRun.timed("test/planted/name", 100),
            BenchmarkResult(
                Benchmark("test/planted/other", decides: "planted-decision", tags: ["planted-tag"]) { Workload {} },
                failure: "planted-failure"),
            BenchmarkResult(
                Benchmark("race/planted/race", decides: "Nothing.") { Workload {} },
                metrics: [
                    .sampled(SampleRun.time, [1, 2]),
                    .unavailable(SampleRun.allocations, .exact, because: "planted-reason"),
                ],
                outcomes: [RaceOutcome(label: "planted-label", expectation: .forbidden, count: 1)]),
        ])
        var hostile = result
        for place in [
            "test/planted/name", "planted-decision", "planted-tag", "planted-failure", "race/planted/race",
            "planted-reason", "planted-label", "Linux 1",
            "planted load",
        ] { hostile = try SampleRun.planting(attack + place, for: place, in: hostile) }
        let leaks = [
            LeakFindings(name: attack + "planted-leak", outcome: .found, findings: [attack + "planted-holder"])
        ]
        let trended = HTMLReport(hostile, trend: SampleRun.trend(of: hostile, slowdown: 2), leaks: leaks).document
        #expect(trended.contains("<section id=trend>") && trended.contains("&lt;img src=y&gt;planted-holder"))
        for document in [HTMLReport(hostile).document, HTMLReport(hostile, baseline: hostile).document, trended] {
            #expect(document.components(separatedBy: "<script").count == 2)
            #expect(document.components(separatedBy: "</script").count == 2)
            #expect(!document.contains("<img") && !document.contains("\" onload"))
            #expect(document.contains("&lt;script&gt;document.documentElement"))
            for place in ["planted-decision", "planted-failure", "planted-label", "planted-reason", "planted load"] {
                #expect(document.contains("&lt;img src=y&gt;\(place)"), "\(place)")
            }
        }
        let markdown = MarkdownReport(hostile, baseline: hostile).document
        #expect(!markdown.contains("<script") && !markdown.contains("<img"))
    }

    @Test func `numbers that no clock would give break nothing`() {
        for numbers in [[0.0, 0, 0], [-1, 2, 3], [1e308, 1e308, 1e-308], [.leastNonzeroMagnitude, 1, 1e308]] {
            let benchmark = Benchmark(
                "test/one/odd?size=3", decides: "Nothing.", operations: 10, relativeTo: "test/one/other",
                limits: [.time(atMostNanoseconds: 0.5), .ratio(atMost: 1)]
            ) { Workload {} }
            let metrics: [Metric] = [
                .sampled(SampleRun.time, numbers, samples: [numbers, [], numbers]), .sampled(SampleRun.ratio, numbers),
                .exact(SampleRun.allocations, numbers),
            ]
            let result = SampleRun.run(
                [
                    BenchmarkResult(
                        benchmark, metrics: metrics,
                        latencies: [
                            LatencyBucket(nanoseconds: .max, count: 1), LatencyBucket(nanoseconds: 0, count: 1),
                        ],
                        outcomes: [RaceOutcome(label: "x", expectation: .acceptable, count: 1)])
                ], control: numbers)
            let document = HTMLReport(result, baseline: result).document
            #expect(document.hasSuffix("</html>\n"))
            #expect(!document.contains("\"nan") && !document.contains("Mnan"))
        }
    }
}

@Suite("Cost against size") struct ScalingTests {
    @Test func `benchmarks that differ in one number make a series with its exponent`() throws {
        let result = SampleRun.run([
            SampleRun.timed("test/grow/linear?size=1&kind=a", 10),
            SampleRun.timed("test/grow/linear?size=10&kind=a", 100),
            SampleRun.timed("test/grow/linear?size=100&kind=a", 1000),
            SampleRun.timed("test/grow/linear?size=1&kind=b", 50),
            SampleRun.timed("test/grow/linear?size=10&kind=b", 50), SampleRun.timed("test/grow/single?size=4", 1),
            SampleRun.timed("test/grow/words?kind=a", 1), SampleRun.timed("test/grow/words?kind=b", 1),
        ])
        let families = ScalingPanel.families(result.benchmarks)
        let family = try #require(families.first)
        #expect(families.count == 1)
        #expect(family.path == "test/grow/linear" && family.parameter == "size")
        #expect(family.series.map(\.name) == ["kind=a", "kind=b"])
        #expect(family.series.map { Figures.fixed($0.exponent ?? -1, decimals: 3) } == ["1.000", "0.000"])
        #expect(HTMLReport(result).document.contains("kind=a: size^1.00"))
    }
}

@Suite("A report of 1,000 benchmarks", .serialized) struct LargeReportTests {
    @Test func `is at most 5 MB, and prints how long it took`() {
        let result = SampleRun.large(1_000)
        let clock = ContinuousClock()
        var sizes: [Int] = []
        let alone = clock.measure { sizes.append(HTMLReport(result).document.utf8.count) }
        let compared = clock.measure { sizes.append(HTMLReport(result, baseline: result).document.utf8.count) }
        print("1,000 benchmarks: \(sizes[0]) bytes in \(alone); with a baseline \(sizes[1]) bytes in \(compared)")
        let trend = SampleRun.trend(of: result, slowdown: 1.2)
        let trended = HTMLReport(result, trend: trend).document.utf8.count
        print("with a history of \(trend.groups[0].points.count) results: \(trended) bytes")
        #expect(sizes[0] <= 5_000_000)
        #expect(trended <= 5_000_000)
        // A comparison adds the curves, intervals and verdicts of a second run.
        #expect(sizes[1] <= 6_500_000)
    }
}
