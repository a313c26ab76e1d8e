import RxBenchEngine

/// The table of all benchmarks. It can be filtered and sorted, and a row opens to show the benchmark's details.
struct BenchmarkPanel {
    private let content: ReportContent
    private let columns: [Column]

    /// A column of the table: its title, the name by which links sort it, and a closure that makes the cell of a
    /// benchmark.
    private struct Column {
        let title: String
        let key: String
        let cell: (BenchmarkResult) -> Cell
    }

    /// The content of a cell, and the number by which the cell is sorted. Cells whose number is `nil` are sorted last.
    private struct Cell {
        let markup: Markup
        let value: Double?
    }

    init(_ content: ReportContent) {
        self.content = content
        let spread = Strip(scale: .spread)
        var columns = [
            Column(title: "time/op", key: "time", cell: Self.time),
            Column(title: "processes", key: "spread") { Self.processes($0, spread) },
        ]
        if content.result.benchmarks.contains(where: { content.times($0.id) != nil }) {
            columns.append(Column(title: "history", key: "history") { Self.history(content.times($0.id)) })
        }
        if content.comparison != nil {
            columns.append(Column(title: "change", key: "change") { Self.change(content.changes($0.id)) })
        }
        if content.has(Metric.ratioToBaseline) {
            columns.append(Column(title: "vs baseline", key: "ratio", cell: Self.ratio))
        }
        if content.has(Metric.allocations) {
            columns.append(
                Column(title: "allocs/op", key: "allocations") {
                    Self.perOperation($0, Metric.allocations, Figures.count)
                })
        }
        if content.has(Metric.allocatedBytes) {
            columns.append(
                Column(title: "bytes/op", key: "bytes") { Self.perOperation($0, Metric.allocatedBytes, Figures.bytes) })
        }
        if content.has(Metric.instructions) {
            columns.append(
                Column(title: "instr/op", key: "instructions") {
                    Self.perOperation($0, Metric.instructions, Figures.threeDigits)
                })
        }
        if content.result.benchmarks.contains(where: {
            $0.metric(Metric.netAllocations)?.values.contains { $0 != 0 } ?? false
        }) {
            columns.append(Column(title: "net allocs", key: "net") { Self.total($0, Metric.netAllocations) })
        }
        if content.has(Metric.liveResources) {
            columns.append(Column(title: "live", key: "live") { Self.total($0, Metric.liveResources) })
        }
        columns.append(
            Column(title: "verdict", key: "verdict") {
                let status = content.status(of: $0)
                return Cell(markup: status.badge, value: Double(status.rank))
            })
        self.columns = columns
    }

    var markup: Markup {
        guard !content.result.benchmarks.isEmpty else { return .empty }
        let heads = columns.map { "<th data-key=\"\($0.key)\"><button type=button>\($0.title)</button></th>" as Markup }
            .joined
        let choices = columns.map { "<option value=\"\($0.key)\">\($0.title)</option>" as Markup }.joined
        let bodies = content.result.benchmarks.enumerated().map { body($0.element, $0.offset) }.joined
        let count = content.result.benchmarks.count
        return """
            <section id=benchmarks><h2>Benchmarks</h2><p class=tools>\
            <label>Filter <input id=filter type=search placeholder="part of an ID, a tag, a verdict"></label> \
            <label>Sort <select id=sort><option value="">as defined</option><option value=name>benchmark</option>\
            \(choices)</select></label> \
            <label><input id=descending type=checkbox> descending</label> <output id=count>\(count) of \(count)\
            </output></p>\
            <p class=hint>A row opens to show its samples. In 'processes' a dot is the median of one process, the band \
            the interval of their median, \
            all relative to that median, from 0.8 to 2 times; dots beyond stand on the edge. 'history' has the times \
            of stored results from their least to \
            their most.</p>\
            <div class=wide><table id=table><thead><tr><th data-key=name><button type=button>benchmark</button></th>\
            \(heads)</tr></thead>\
            \(bodies)</table></div></section>
            """
    }

    private func body(_ benchmark: BenchmarkResult, _ index: Int) -> Markup {
        let cells = columns.map { column -> Markup in
            let cell = column.cell(benchmark)
            let value: Markup = cell.value.map { " data-v=\"\(Self.sortable($0))\"" } ?? .empty
            return "<td data-label=\"\(column.title)\"\(value)>\(cell.markup)</td>"
        }.joined
        let words = (benchmark.tags.map { "tag:\($0)" } + [content.status(of: benchmark).words]).joined(separator: " ")
        return """
            <tbody data-id="\(benchmark.id)" data-words="\(words)"><tr><th scope=row><button aria-expanded=false>\
            \(benchmark.id)</button></th>\
            \(cells)</tr><tr class=details hidden><td colspan=\(columns.count + 1)>\
            \(BenchmarkDetails(benchmark: benchmark, content: content).markup)</td></tr></tbody>
            """
    }

    private static func sortable(_ value: Double) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(Float(value))"
    }

    private static func time(_ benchmark: BenchmarkResult) -> Cell {
        guard let metric = benchmark.metric(Metric.time), let value = metric.reading.value else {
            return missing(benchmark, Metric.time)
        }
        return Cell(
            markup: "\(Figures.time(nanoseconds: value)) \(spread(metric))",
            value: value)
    }

    private static func processes(_ benchmark: BenchmarkResult, _ strip: Strip) -> Cell {
        guard let metric = benchmark.metric(Metric.time), let median = metric.reading.value, median > 0,
            metric.values.count > 1
        else {
            return Cell(markup: .empty, value: nil)
        }
        let low = metric.values.min() ?? median
        let high = metric.values.max() ?? median
        let interval = metric.interval.map { (low: $0.low / median, high: $0.high / median) }
        let description =
            """
            \(Figures.counted(metric.values.count, "process", "processes")), \(Figures.time(nanoseconds: low)) to \
            \(Figures.time(nanoseconds: high))
            """
        return Cell(
            markup: strip.markup(
                points: metric.values.map { $0 / median }, interval: interval, middle: nil, description),
            value: (high - low) / median)
    }

    /// Returns a cell with the times of stored results in the order of commits. It is sorted by the ratio of the newest
    /// time to the oldest.
    private static func history(_ series: Trend.Series?) -> Cell {
        guard let series, let first = series.figures.compactMap(\.self).first,
            let last = series.figures.compactMap(\.self).last, first > 0
        else {
            return Cell(markup: .empty, value: nil)
        }
        let count = series.figures.count { $0 != nil }
        let description = "\(Figures.counted(count, "result")), \(Figures.counted(series.changes.count, "change"))"
        return Cell(markup: Spark.markup(series, description), value: last / first)
    }

    private static func change(_ rows: [ResultComparison.Row]) -> Cell {
        if let time = rows.first(where: { $0.metric == Metric.time }), let ratio = time.ratio {
            // If counts changed, the cell shows them instead of 'same'.
            let counts = rows.filter { $0.ratio == nil && $0.verdict.isChange }
                .map { "\(ShownMetric.title($0.metric)) \($0.verdict.rawValue)" }
            let words =
                time.verdict == .same && !counts.isEmpty ? counts.joined(separator: ", ") : time.verdict.rawValue
            return Cell(markup: "\(Figures.change(ratio: ratio)) <small>\(words)</small>", value: ratio)
        }
        return Cell(markup: "\(rows.first?.verdict.rawValue ?? "")", value: nil)
    }

    private static func ratio(_ benchmark: BenchmarkResult) -> Cell {
        guard let metric = benchmark.metric(Metric.ratioToBaseline), let value = metric.reading.value else {
            return benchmark.baseline == nil
                ? Cell(markup: .empty, value: nil) : missing(benchmark, Metric.ratioToBaseline)
        }
        return Cell(
            markup: "\(Figures.threeDigits(value)) × \(spread(metric))",
            value: value)
    }

    /// Returns the width of the interval in words, marked if the figure must not be used on its own.
    private static func spread(_ metric: Metric) -> Markup {
        let words = RunReport.spread(of: metric)
        return metric.scatter?.oddities.isEmpty == false
            ? "<small class=open>? \(words)</small>" : "<small>\(words)</small>"
    }

    private static func perOperation(_ benchmark: BenchmarkResult, _ name: String, _ format: (Double) -> String) -> Cell
    {
        guard let figure = ReportContent.perOperation(benchmark, name) else { return missing(benchmark, name) }
        return Cell(markup: "\(figure.isStable ? "" : "~")\(format(figure.value))", value: figure.value)
    }

    /// Returns a cell with the number of objects that an iteration leaves behind.
    private static func total(_ benchmark: BenchmarkResult, _ name: String) -> Cell {
        guard let value = benchmark.metric(name)?.reading.value else { return missing(benchmark, name) }
        return Cell(markup: "\(Figures.count(value))", value: value)
    }

    /// Returns a cell for a figure that is not available, with the reason as its tooltip.
    private static func missing(_ benchmark: BenchmarkResult, _ name: String) -> Cell {
        guard case .unavailable(let reason)? = benchmark.metric(name)?.reading else {
            return Cell(markup: "<span class=missing>n/a</span>", value: nil)
        }
        return Cell(markup: "<span class=missing title=\"\(reason)\">n/a</span>", value: nil)
    }
}
