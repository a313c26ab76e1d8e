import RxBench
import RxBenchStatistics

/// A group before its changes are sought: how many series there are decides how clear a change must be.
struct GroupDraft {
    struct SeriesDraft {
        let id, metric, unit: String
        let operations: Int
        let isExact: Bool
        let figures: [Double?]
        let note: String?
    }

    let key: GroupKey
    let points: [Trend.Point]
    let control: [Double?]
    let series: [SeriesDraft]

    /// Deallocations follow allocations, so that they say nothing new.
    private static let idleExactNames = [Metric.deallocations]

    init(_ key: GroupKey, _ results: [ResultSummary], order: ResultOrder, filters: [BenchmarkFilter]) {
        self.key = key
        points = results.map { result in
            Trend.Point(
                date: result.date, commit: result.commit.value?.sha, isDirty: result.commit.value?.isDirty ?? false,
                isInHistory: order.isInHistory(result), swiftVersion: result.swiftVersion.value,
                allocator: RunInformation.allocatorName(result.allocator))
        }
        control = results.map(\.control.value)
        series = Self.drafts(results, points, filters)
    }

    private struct SeriesKey: Hashable { let id, metric: String }

    private static func drafts(
        _ results: [ResultSummary], _ points: [Trend.Point], _ filters: [BenchmarkFilter]
    ) -> [SeriesDraft] {
        var keys: [SeriesKey] = []
        var columns: [SeriesKey: [(figure: ResultSummary.Figure, operations: Int)?]] = [:]
        // The newest result first: its order and its number of operations are those that matter.
        for (point, result) in results.enumerated().reversed() {
            for benchmark in result.benchmarks where benchmark.failure == nil {
                guard filters.isEmpty || filters.contains(where: { $0.selects(id: benchmark.id, tags: benchmark.tags) })
                else { continue }
                for figure in benchmark.metrics where isOfInterest(figure) {
                    let key = SeriesKey(id: benchmark.id, metric: figure.name)
                    if columns[key] == nil { keys.append(key) }
                    columns[key, default: Array(repeating: nil, count: results.count)][point] = (
                        figure, benchmark.operations
                    )
                }
            }
        }
        return keys.compactMap { key in columns[key].flatMap { draft(key.id, key.metric, $0, points) } }
    }

    private static func isOfInterest(_ figure: ResultSummary.Figure) -> Bool {
        guard figure.reading.value != nil else { return false }
        return figure.kind == .sampled
            ? MetricComparer.sampledNames.contains(figure.name) : !idleExactNames.contains(figure.name)
    }

    private static func draft(
        _ id: String, _ metric: String, _ column: [(figure: ResultSummary.Figure, operations: Int)?],
        _ points: [Trend.Point]
    ) -> SeriesDraft? {
        guard let newest = column.last(where: { $0 != nil }) ?? nil else { return nil }
        let isComparable = column.map {
            $0.map { $0.operations == newest.operations && $0.figure.unit == newest.figure.unit } ?? false
        }
        let figures = zip(column, isComparable).map { $1 ? $0?.figure.reading.value : nil }
        let strangers = zip(column, isComparable).count { $0 != nil && !$1 }
        var notes: [String] = []
        if strangers > 0 {
            let verb = strangers == 1 ? "is" : "are"
            notes.append(
                """
                \(Figures.counted(strangers, "result")) with another number of operations or another unit \(verb) \
                left out
                """
            )
        }
        var isExact = newest.figure.kind == .exact
        if isExact, let reason = variation(column, figures, points) {
            isExact = false
            notes.append("judged as a sampled metric, because the count differs \(reason)")
        }
        return SeriesDraft(
            id: id, metric: metric, unit: newest.figure.unit, operations: newest.operations, isExact: isExact,
            figures: figures,
            note: notes.isEmpty ? nil : notes.joined(separator: "; "))
    }

    /// Where a count differs although the code is the same, or `nil` when it does not.
    private static func variation(
        _ column: [(figure: ResultSummary.Figure, operations: Int)?], _ figures: [Double?], _ points: [Trend.Point]
    ) -> String? {
        if zip(column, figures).contains(where: { $1 != nil && $0?.figure.isStable != true }) {
            return "between iterations"
        }
        for index in points.indices.dropFirst() where points[index].isSameCode(as: points[index - 1]) {
            if let old = figures[index - 1], let new = figures[index], old != new {
                return "between runs of one commit"
            }
        }
        return nil
    }

    /// The group with its changes, each as clear as `sampledSeries` demand.
    func group(rules: Trend.Rules, sampledSeries: Int) -> Trend.Group {
        let finder = ChangeFinder(points: points, control: control, rules: rules, sampledSeries: sampledSeries)
        return Trend.Group(
            machine: key.machine, configuration: key.configuration, isTracing: key.isTracing, origin: key.origin,
            schemaVersion: key.schemaVersion,
            points: points,
            series: series.map { draft in
                Trend.Series(
                    id: draft.id, metric: draft.metric, unit: draft.unit, operations: draft.operations,
                    isExact: draft.isExact, figures: draft.figures,
                    changes: finder.changes(in: draft), note: draft.note)
            })
    }
}

extension Trend.Point {
    /// Whether both results are of one commit without further changes.
    func isSameCode(as other: Trend.Point) -> Bool {
        commit != nil && commit == other.commit && !isDirty && !other.isDirty
    }
}
