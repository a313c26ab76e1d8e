import Foundation
import RxBench

/// The text that Prometheus and its kin scrape or backfill: OpenMetrics 1.0.
///
/// Every metric is a gauge with the label `benchmark`, in base units (seconds, bytes), with the time of the run. Its
/// interval is two more gauges. A figure that is unavailable has no sample; `rxbench_unavailable_info` names it with
/// the reason.
struct OpenMetricsFormat: ExportFormat {
    let name = "openmetrics"
    let readers = "Prometheus and its kin"
    /// `rxbench_failed` is 1 for them.
    let holdsFailures = true

    /// Families of samples and the mark of the end.
    func document(of results: [RunResult]) -> String {
        guard let result = results.first else { return "# EOF\n" }
        let writer = Writer(result)
        return writer.families.map(\.text).joined() + "# EOF\n"
    }

    /// One family of samples: what the format wants to be contiguous.
    struct Family {
        let name: String
        let type: String
        let unit: String
        let help: String
        let samples: [String]

        var text: String {
            guard !samples.isEmpty else { return "" }
            let unitLine = unit.isEmpty ? "" : "# UNIT \(name) \(unit)\n"
            return "# TYPE \(name) \(type)\n\(unitLine)# HELP \(name) \(OpenMetricsFormat.escaped(help))\n"
                + samples.map { $0 + "\n" }.joined()
        }
    }

    /// Backslash, quote and line feed are the three characters that the format escapes.
    static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
            .replacingOccurrences(of: "\n", with: "\\n")
    }
}

private struct Writer {
    private let result: RunResult
    /// Each benchmark once: two samples of one series are an error.
    private let benchmarks: [BenchmarkResult]
    private let timestamp: String

    init(_ result: RunResult) {
        self.result = result
        var seen: Set<String> = []
        benchmarks = result.benchmarks.filter { seen.insert($0.id).inserted }
        timestamp = (try? Date(result.run.date, strategy: .iso8601)).map { " \(Int64($0.timeIntervalSince1970))" } ?? ""
    }

    var families: [OpenMetricsFormat.Family] { [run, failed] + figures + [outcomes, unavailable] }

    private func sample(_ name: String, _ labels: [(String, String)], _ value: String) -> String {
        let pairs = labels.map { "\($0.0)=\"\(OpenMetricsFormat.escaped($0.1))\"" }.joined(separator: ",")
        return "\(name){\(pairs)} \(value)\(timestamp)"
    }

    private var run: OpenMetricsFormat.Family {
        let environment = result.environment
        let readings = [
            ("operating_system", environment.operatingSystem), ("kernel", environment.kernel),
            ("architecture", environment.architecture),
            ("configuration", environment.configuration), ("tracing", environment.isTracing.map { $0 ? "on" : "off" }),
            ("date", .value(result.run.date)), ("processor", environment.processor),
            ("swift_version", environment.swiftVersion),
        ]
        var labels =
            [("machine", environment.machine)]
            + readings.compactMap { name, reading in reading.value.map { (name, $0) } }
        if let commit = result.commit.value { labels += [("commit", commit.sha), ("dirty", "\(commit.isDirty)")] }
        return OpenMetricsFormat.Family(
            name: "rxbench_run", type: "info", unit: "", help: "Where and of what the figures were measured.",
            samples: [sample("rxbench_run_info", labels, "1")])
    }

    private var failed: OpenMetricsFormat.Family {
        OpenMetricsFormat.Family(
            name: "rxbench_failed", type: "gauge", unit: "", help: "1 for a benchmark that could not be measured.",
            samples: benchmarks.map { sample("rxbench_failed", [("benchmark", $0.id)], $0.failure == nil ? "0" : "1") })
    }

    private var outcomes: OpenMetricsFormat.Family {
        let name = "rxbench_race_outcome_rounds"
        let samples = benchmarks.flatMap { benchmark in
            (benchmark.outcomes ?? []).map { outcome in
                let labels = [
                    ("benchmark", benchmark.id), ("outcome", outcome.label),
                    ("expectation", outcome.expectation.rawValue),
                ]
                return sample(name, labels, "\(outcome.count)")
            }
        }
        return OpenMetricsFormat.Family(
            name: name, type: "gauge", unit: "rounds", help: "Rounds of a race that ended so.", samples: samples)
    }

    private var unavailable: OpenMetricsFormat.Family {
        let samples = benchmarks.flatMap { benchmark in
            uniqueMetrics(of: benchmark).compactMap { metric -> String? in
                guard case .unavailable(let reason) = metric.reading else { return nil }
                return sample(
                    "rxbench_unavailable_info",
                    [("benchmark", benchmark.id), ("metric", metric.name), ("reason", reason)], "1")
            }
        }
        return OpenMetricsFormat.Family(
            name: "rxbench_unavailable", type: "info", unit: "", help: "Figures that could not be read, and why.",
            samples: samples)
    }

    private func uniqueMetrics(of benchmark: BenchmarkResult) -> [Metric] {
        var seen: Set<String> = []
        return benchmark.metrics.filter { seen.insert($0.name).inserted }
    }

    /// The families of all metrics, in the order in which the result first has them.
    private var figures: [OpenMetricsFormat.Family] {
        var taken: Set<String> = [
            "rxbench_run", "rxbench_failed", "rxbench_race_outcome_rounds", "rxbench_unavailable",
        ]
        var definitions: [MetricDefinition] = []
        for metric in benchmarks.flatMap(\.metrics) {
            let definition = MetricDefinition(name: metric.name, unit: metric.unit)
            if !definitions.contains(definition) { definitions.append(definition) }
        }
        return definitions.flatMap { definition in
            let (unit, divisor) = Self.baseUnit(definition.unit)
            var stem = Self.stem(definition.name)
            // Names may differ only in what a family's name cannot hold.
            func names() -> [String] {
                ["", "_interval_low", "_interval_high"].map { Self.familyName(stem + $0, unit) } + [
                    "rxbench_\(stem)_detectable_ratio"
                ]
            }
            while !taken.isDisjoint(with: names()) { stem += "_" }
            taken.formUnion(names())
            return [
                family(definition, stem, unit, "\(definition.name), stored in \(definition.unit).") {
                    $0.reading.value.map { $0 / divisor }
                },
                family(definition, stem + "_interval_low", unit, "The lower end of its interval.") {
                    $0.interval.map { $0.low / divisor }
                },
                family(definition, stem + "_interval_high", unit, "The upper end of its interval.") {
                    $0.interval.map { $0.high / divisor }
                },
                family(
                    definition, stem + "_detectable", "ratio",
                    "The smallest relative change that an equal run would have shown."
                ) { metric in
                    metric.name == Metric.time ? ExportedFigure.detectableEffect(of: metric) : nil
                },
            ]
        }
    }

    private func family(
        _ definition: MetricDefinition, _ stem: String, _ unit: String, _ help: String, _ value: (Metric) -> Double?
    ) -> OpenMetricsFormat.Family {
        let name = Self.familyName(stem, unit)
        let samples = benchmarks.compactMap { benchmark -> String? in
            guard let metric = benchmark.metric(definition.name), metric.unit == definition.unit,
                let value = value(metric)
            else { return nil }
            return sample(name, [("benchmark", benchmark.id)], "\(value)")
        }
        return OpenMetricsFormat.Family(name: name, type: "gauge", unit: unit, help: help, samples: samples)
    }

    /// A unit is the end of a family's name.
    private static func familyName(_ stem: String, _ unit: String) -> String {
        unit.isEmpty ? "rxbench_\(stem)" : "rxbench_\(stem.replacingSuffix("_\(unit)", ""))_\(unit)"
    }

    /// The base unit of a stored one, and what a figure is divided by; no unit for counts and for units that the format
    /// has no name for.
    private static func baseUnit(_ unit: String) -> (name: String, divisor: Double) {
        switch unit.split(separator: "/").first {
        case "ns": ("seconds", 1e9)
        case "bytes": ("bytes", 1)
        default: ("", 1)
        }
    }

    /// A name in camel case as part of a family's name: `ratioToBaseline` is `ratio_to_baseline`.
    private static func stem(_ name: String) -> String {
        let words = name.camelCaseWords.joined(separator: "_")
        return words.unicodeScalars.map { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)) ? String(scalar) : "_"
        }.joined()
    }
}
