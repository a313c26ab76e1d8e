import RxBenchEngine

/// The details of one benchmark: its purpose, its distribution, its samples in order, and its limits.
struct BenchmarkDetails {
    let benchmark: BenchmarkResult
    let content: ReportContent

    var markup: Markup {
        let tags = benchmark.tags.map { "<code class=tag>tag:\($0)</code> " as Markup }.joined
        let failure: Markup = benchmark.failure.map { "<p>Failed: \($0)</p>" } ?? .empty
        let charts = [distribution, timeline, latencies].filter { !$0.isEmpty }.joined
        return """
            <p>\(benchmark.decides) <small>\
            \(Figures.counted(benchmark.operations, "operation")) an iteration.</small> \(tags)</p>\(failure)\
            <div class=charts>\(charts)</div>\(limits)\(changes)\(unavailable)
            """
    }

    /// The distribution functions of the process medians and the samples, and of the medians in the earlier run.
    private var distribution: Markup {
        guard let metric = benchmark.metric(Metric.time), metric.values.count > 1 else { return .empty }
        let samples = (metric.samples ?? []).flatMap { $0 }
        let earlier = content.earlier(benchmark.id)?.metric(Metric.time)?.values ?? []
        guard let horizontal = Axis.time(metric.values + samples + earlier, "time per operation") else { return .empty }
        let chart = Chart(horizontal: horizontal, vertical: .share)
        var curves = metric.interval.map { chart.band($0.low, $0.high) } ?? .empty
        var keys: Markup = "<span><i class=k1></i>process medians (\(metric.values.count))</span>"
        if !samples.isEmpty {
            curves += chart.distribution(samples.map { ($0, 1) }, "a2")
            keys += " <span><i class=k2></i>samples (\(samples.count))</span>"
        }
        if !earlier.isEmpty {
            curves += chart.distribution(earlier.map { ($0, 1) }, "a3")
            keys += " <span><i class=k3></i>medians of the baseline run (\(earlier.count))</span>"
        }
        curves += chart.distribution(metric.values.map { ($0, 1) }, "a1")
        if let interval = metric.interval {
            keys +=
                """
                 <span><i class=kb></i>\(Figures.threeDigits(interval.confidence * 100)) % interval of the \
                median</span>
                """
        }
        let scatter = metric.scatter
        if let detectable = scatter?.detectable { keys += "; MDE \(Figures.threeDigits(detectable * 100)) %" }
        if let outliers = scatter?.outliers, outliers > 0 { keys += ", \(Figures.counted(outliers, "outlier")) kept" }
        for oddity in scatter?.oddities ?? [] {
            keys += " \(ReportContent.Status(RunReport.words(oddity), .open).badge)"
        }
        return .figure("Distribution", chart.markup("distribution", curves), keys)
    }

    /// The samples in the order of measurement, and the median of each process.
    private var timeline: Markup {
        guard let metric = benchmark.metric(Metric.time), let samples = metric.samples?.filter({ !$0.isEmpty }) else {
            return .empty
        }
        let all = samples.flatMap { $0 }
        guard all.count > 2, let vertical = Axis.time(all + metric.values, "time per operation"),
            let scale = Scale(covering: [0, Double(all.count - 1)])
        else { return .empty }
        var starts: [Double] = []
        var start = 0
        for group in samples {
            starts.append(Double(start))
            start += group.count
        }
        // Three or four numbers are enough, because a large page has thousands of axes.
        let labelled = starts.enumerated().filter { $0.offset.isMultiple(of: (starts.count + 3) / 4) }.map(\.element)
        let numbers = Dictionary(uniqueKeysWithValues: starts.enumerated().map { ($1, $0 + 1) })
        let horizontal = Axis(
            scale: scale, title: "process, in order", label: { "\(numbers[$0] ?? 0)" }, ticks: labelled)
        let chart = Chart(horizontal: horizontal, vertical: vertical)
        var curves = chart.series(samples, "a2")
        var keys: Markup = "<i class=k2></i>samples"
        if samples.count == metric.values.count {
            curves += chart.levels(metric.values, widths: samples.map(\.count), "a1")
            keys += " <i class=k1></i>median of each process"
        }
        return .figure("Samples in order", chart.markup("samples", curves), keys)
    }

    /// The distribution of the recorded durations, with its percentiles.
    private var latencies: Markup {
        guard let buckets = benchmark.latencies, !buckets.isEmpty,
            let horizontal = Axis.time(buckets.map { max(1, Double($0.nanoseconds)) }, "latency", isLogarithmic: true)
        else { return .empty }
        let chart = Chart(horizontal: horizontal, vertical: .share)
        let curve = chart.distribution(buckets.map { (max(1, Double($0.nanoseconds)), Double($0.count)) }, "a1")
        let titles = ["p50", "p90", "p99", "p99.9", "max"]
        let figures = zip(titles, LatencyDistribution.reported).compactMap { title, reported in
            benchmark.metric(reported.name)?.reading.value.map { "\(title) \(Figures.time(nanoseconds: $0))" }
        }
        let count = buckets.reduce(0.0) { $0 + Double($1.count) }
        return .figure(
            "Latencies", chart.markup("Distribution of recorded latencies", curve),
            "\(figures.joined(separator: " · ")) · \(Figures.count(count)) recorded")
    }

    private var limits: Markup {
        let rows = benchmark.shownChecks.map { check -> Markup in
            let figures = "\(RunReport.measured(check)), at most \(RunReport.maximum(check))"
            return "<li>\(RunReport.name(check.quantity)): \(figures): \(check.verdict.rawValue)</li>"
        }
        return rows.isEmpty ? .empty : "<h3>Limits</h3><ul>\(rows.joined)</ul>"
    }

    private var changes: Markup {
        let rows = content.changes(benchmark.id).filter {
            !$0.isEqualCount && ($0.before != nil || $0.after != nil || $0.metric.isEmpty)
        }.map { row -> Markup in
            let interval =
                row.interval.map { " [\(Figures.change(ratio: $0.low)) \(Figures.change(ratio: $0.high))]" } ?? ""
            let note = row.note.map { " \($0)" } ?? ""
            let name = row.metric.isEmpty ? "whole benchmark" : ShownMetric.title(row.metric)
            return "<li>\(name): \(ComparisonReport.change(row))\(interval) \(ComparisonReport.words(row)).\(note)</li>"
        }
        return rows.isEmpty ? .empty : "<h3>Against the baseline run</h3><ul>\(rows.joined)</ul>"
    }

    /// The metrics that could not be read for this benchmark alone. Metrics that are missing for all benchmarks of the
    /// run are listed once, next to the environment.
    private var unavailable: Markup {
        let items = benchmark.metrics.compactMap { metric -> Markup? in
            guard case .unavailable(let reason) = metric.reading, content.has(metric.name) else { return nil }
            return "<li>\(metric.name) unavailable: \(reason).</li>"
        }
        return items.isEmpty ? .empty : "<ul>\(items.joined)</ul>"
    }
}
