import Foundation
import RxBench
import Testing

@testable import RxBenchReport

@Suite("Export to OpenMetrics") struct OpenMetricsFormatTests {
    private let lines = OpenMetricsFormat().document(of: [ExportSamples.result()]).split(
        separator: "\n", omittingEmptySubsequences: false
    ).map(
        String.init)
    private let id = #"benchmark="operator/merge/sync?sources=8&kind=hot""#

    private func family(_ name: String) -> [String] { lines.filter { $0.hasPrefix("\(name){") } }

    @Test func `times are seconds, bytes are bytes, and each sample has the time of the run`() {
        #expect(family("rxbench_time_seconds") == ["rxbench_time_seconds{\(id)} 2.1e-08 1773576000"])
        #expect(
            family("rxbench_time_interval_low_seconds") == ["rxbench_time_interval_low_seconds{\(id)} 2e-08 1773576000"]
        )
        #expect(
            family("rxbench_time_interval_high_seconds") == [
                "rxbench_time_interval_high_seconds{\(id)} 2.2e-08 1773576000"
            ])
        // Three processes show no change surely, nine do.
        #expect(family("rxbench_time_detectable_ratio") == [])
        #expect(
            OpenMetricsFormat().document(of: [ExportSamples.result([ExportSamples.steady])]).contains(
                "\nrxbench_time_detectable_ratio{"))
        #expect(family("rxbench_latency_p99_seconds") == ["rxbench_latency_p99_seconds{\(id)} 1e-06 1773576000"])
        #expect(family("rxbench_allocated_bytes") == ["rxbench_allocated_bytes{\(id)} 144.0 1773576000"])
        #expect(family("rxbench_peak_resident_bytes").count == 1)
        #expect(family("rxbench_allocations") == ["rxbench_allocations{\(id)} 4.0 1773576000"])
        #expect(lines.contains("# UNIT rxbench_time_seconds seconds"))
        #expect(lines.contains("# TYPE rxbench_time_seconds gauge"))
    }

    @Test func `an unavailable figure has no sample but a reason, which is escaped`() {
        #expect(family("rxbench_live_resources") == [])
        #expect(
            family("rxbench_unavailable_info") == [
                #"rxbench_unavailable_info{\#(id),metric="liveResources","#
                    + #"reason="planted \"reason\",\nwith a \\"} 1 1773576000"#
            ])
    }

    @Test func `labels are escaped, and failures are 1`() {
        #expect(
            family("rxbench_race_outcome_rounds").first
                == #"rxbench_race_outcome_rounds{\#(id),outcome="saw \"a, b\"\nthen \\","#
                + #"expectation="interesting"} 3 1773576000"#
        )
        #expect(family("rxbench_failed").last == #"rxbench_failed{benchmark="operator/failed"} 1 1773576000"#)
    }

    @Test func `families are declared once and contiguous, series appear once, and the end is marked`() {
        let odd = BenchmarkResult(
            ExportSamples.benchmark("test/odd"),
            metrics: ["myCount", "my-count", "my_count"].map {
                .exact(MetricDefinition(name: $0, unit: "count/iteration"), [1])
            })
        let text = OpenMetricsFormat().document(of: [
            ExportSamples.result([ExportSamples.measured, ExportSamples.measured, odd])
        ])
        #expect(text.hasSuffix("\n# EOF\n"))
        var current = ""
        var seen: Set<Substring> = []
        for line in text.split(separator: "\n") where line != "# EOF" {
            if line.hasPrefix("# TYPE ") {
                #expect(seen.insert(line.split(separator: " ")[2]).inserted)
                current = String(line.split(separator: " ")[2])
            } else if !line.hasPrefix("#") {
                let name = line.prefix { $0 != "{" }
                #expect(name == current || name == current + "_info")
                #expect(seen.insert(line.prefix { $0 != "}" }).inserted, "\(line)")
            }
        }
        #expect(
            seen.contains("rxbench_my_count") && seen.contains("rxbench_my_count_")
                && seen.contains("rxbench_my_count__"))
    }

    @Test func `a date that is none leaves the time out`() {
        let result = ExportSamples.result()
        let run = RunInformation(date: "yesterday", arguments: [], seed: 1, processes: 3, durationSeconds: 5)
        let undated = RunResult(
            run: run, environment: result.environment, commit: result.commit, control: result.control,
            benchmarks: result.benchmarks)
        #expect(OpenMetricsFormat().document(of: [undated]).contains("rxbench_failed{\(id)} 0\n"))
    }
}
