import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

@Suite("Leak panel") struct LeakPanelTests {
    private func benchmark(_ id: String, live values: [Double], limits: [Limit] = []) -> BenchmarkResult {
        let benchmark = Benchmark(id, decides: "Nothing.", limits: limits) { Workload {} }
        let metrics = [Metric.exact(SampleRun.live, values)]
        return BenchmarkResult(
            benchmark, metrics: metrics)
    }

    private func panel(_ benchmarks: [BenchmarkResult], leaks: [LeakFindings] = []) -> String {
        LeakPanel.markup(ReportContent(SampleRun.run(benchmarks), baseline: nil, rules: .init(), leaks: leaks)).text
    }

    @Test func `what iterations leave behind is told from what they may, and from nothing`() {
        let panel = panel([
            benchmark("test/live/clean", live: [0, 0, 0]), benchmark("test/live/leaking", live: [2, 2, 2]),
            benchmark("test/live/kept", live: [1, 1, 1], limits: [.liveResources(atMost: 1)]),
            benchmark("test/live/once", live: [1, 0, 0]),
        ])
        #expect(panel.contains("✓ clean</span>: 1 benchmark left nothing alive behind.</p>"))
        #expect(
            panel.contains(
                """
                ✕ leaking</span> <code>test/live/leaking</code> <small>iterations</small>: 2 left alive by an \
                iteration (median of 3), at most 0</li>
                """
            ))
        #expect(panel.contains("within its limit</span> <code>test/live/kept</code>"))
        #expect(panel.contains("? not shown to grow</span> <code>test/live/once</code>"))
        #expect(!panel.contains("<code>test/live/clean</code>"))
    }

    @Test func `a verdict of a search goes before what iterations say, and is a finding of the summary`() {
        let leaking = LeakFindings(
            name: "test/live/planted", outcome: .found, findings: ["map (sink): growing by 1 a run [1 1]"])
        let result = SampleRun.run([benchmark("test/live/planted", live: [0, 0, 0])])
        let document = HTMLReport(result, leaks: [leaking]).document
        #expect(
            document.contains(
                """
                ✕ found</span> <code>test/live/planted</code> <small>search</small>: map (sink): growing by 1 a \
                run [1 1]</li>
                """
            ))
        #expect(
            document.contains("<li><code>test/live/planted</code> leaks: map (sink): growing by 1 a run [1 1]</li>"))
        #expect(!document.contains("left nothing alive behind"))
        #expect(
            document.contains("<p class=verdict>1 benchmark searched for leaks: 1 found (test/live/planted).</p>"))
        #expect(document.contains("<li><b>1</b> <span class=\"badge bad\">✕ leaking</span></li>"))
        let clean = HTMLReport(result, leaks: [LeakFindings(name: "test/live/planted", outcome: .clean, findings: [])])
            .document
        #expect(
            clean.contains("✓ clean</span> <code>test/live/planted</code> <small>search</small></li>")
                && !clean.contains("✕ leaking"))
        #expect(clean.contains("<p class=verdict>1 benchmark searched for leaks: nothing found.</p>"))
    }

    @Test func `a search that has not looked is neither clean nor found, in the list and in the summary`() {
        let unseen = LeakFindings(
            name: "test/live/planted", outcome: .notJudged, findings: ["heap bytes unavailable: planted reason"])
        let document = HTMLReport(SampleRun.run([benchmark("test/live/planted", live: [0, 0, 0])]), leaks: [unseen])
            .document
        #expect(
            document.contains(
                """
                ? not judged</span> <code>test/live/planted</code> <small>search</small>: heap bytes unavailable: \
                planted reason</li>
                """))
        #expect(document.contains("1 benchmark searched for leaks: 1 not judged (test/live/planted).</p>"))
        #expect(!document.contains("clean</span>"))
    }

    @Test func `marks of a run make it leaking`() {
        let marked = benchmark("test/live/marked", live: [1, 1, 1], limits: [.liveResources(atMost: 3)]).marked(
            withLeaks: ["planted mark"])
        #expect(
            panel([marked]).contains(
                "✕ leaking</span> <code>test/live/marked</code> <small>iterations</small>: planted mark</li>"))
        #expect(
            ReportContent(SampleRun.run([marked]), baseline: nil, rules: .init()).status(of: marked).words == "leaking")
    }

    @Test func `where nothing was counted, the reason stands instead of a verdict`() {
        let panel = panel([SampleRun.timed("test/one/plain", 100), SampleRun.timed("test/two/plain", 100)])
        #expect(panel.contains("<p>Not looked at: planted reason.</p>"))
        #expect(!panel.contains("clean</span>"))
        #expect(LeakPanel.markup(ReportContent(SampleRun.run([]), baseline: nil, rules: .init())).isEmpty)
    }
}
