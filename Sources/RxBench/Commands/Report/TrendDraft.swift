import RxBench
import RxBenchEngine

/// A group of series before their changes are searched for. The number of series determines how clear a change must be.
struct GroupDraft {
    struct SeriesDraft {
        let id, metric: String
        let unit: MetricUnit
        let operations: Int
        let isExact: Bool
        let figures: [Double?]
        let note: String?
    }

    let key: GroupKey
    let points: [Trend.Point]
    let control: [Double?]
    let series: [SeriesDraft]

    /// The exact metrics that are left out. Deallocations follow allocations, so they add no information.
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
        // Begins with the newest result, because its order and its numbers of operations are used.
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

    /// Returns a description of where a count differs although the code is the same, or `nil` if it does not differ.
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

    /// Returns the group with its changes. `sampledSeries` determines how clear a change must be.
    func group(rules: Trend.Rules, sampledSeries: Int) -> Trend.Group {
        let finder = ChangeFinder(points: points, control: control, rules: rules, sampledSeries: sampledSeries)
        return Trend.Group(
            machine: key.machine, configuration: key.configuration, isTracing: key.isTracing,
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
    /// Returns whether both results were measured on the same commit without uncommitted changes.
    func isSameCode(as other: Trend.Point) -> Bool {
        commit != nil && commit == other.commit && !isDirty && !other.isDirty
    }
}

/// Finds the changes of series, and conditions other than the code that may have caused them.
struct ChangeFinder {
    private let points: [Trend.Point]
    private let rules: Trend.Rules
    private let detector: ChangePoints
    /// The changes of the control loop.
    private var controlChanges: [Trend.Change] = []

    /// The number of results on either side of a change from which an interval is estimated. It is limited because the
    /// number of pairs is the product of both numbers.
    private static let neighbours = 50

    init(points: [Trend.Point], control: [Double?], rules: Trend.Rules, sampledSeries: Int) {
        self.points = points
        self.rules = rules
        var detection = ChangePoints.Rules()
        detection.significance = rules.significance
        detection.seriesCount = max(1, sampledSeries)
        detection.seed = rules.seed
        detector = ChangePoints(detection)
        // A change of the control loop explains changes of other series. Missing a change of the control loop is worse
        // than finding one too many, so the control loop is tested without a correction for the number of series.
        detection.seriesCount = 1
        controlChanges = Self.sampled(control, ChangePoints(detection)) { _, _ in [] }
    }

    func changes(in series: GroupDraft.SeriesDraft) -> [Trend.Change] {
        if series.isExact { return exact(series.figures) }
        let isTime = series.metric == Metric.time
        return Self.sampled(series.figures, detector) { reservations(lastBefore: $0, firstAfter: $1, isTime: isTime) }
            .filter { ($0.ratio.map { max($0, 1 / $0) - 1 } ?? .infinity) >= rules.margin }
    }

    private func exact(_ figures: [Double?]) -> [Trend.Change] {
        let known = figures.indices.compactMap { index in figures[index].map { (index: index, value: $0) } }
        return zip(known, known.dropFirst()).filter { $0.value != $1.value }.map { old, new in
            Trend.Change(
                lastBefore: old.index, firstAfter: new.index, before: old.value, after: new.value, ratio: nil,
                interval: nil,
                probability: nil,
                reservations: reservations(lastBefore: old.index, firstAfter: new.index, isTime: false))
        }
    }

    private static func sampled(
        _ figures: [Double?], _ detector: ChangePoints, reservations: (Int, Int) -> [String]
    ) -> [Trend.Change] {
        let known = figures.indices.compactMap { index in figures[index].map { (index: index, value: $0) } }
        let values = known.map(\.value)
        let changes = detector.changes(in: values)
        let ends = [0] + changes.map(\.index) + [values.count]
        return changes.enumerated().compactMap { number, change in
            let left = values[ends[number]..<change.index]
            let right = values[change.index..<ends[number + 2]]
            guard let before = Quantiles.median(of: Array(left)), let after = Quantiles.median(of: Array(right)) else {
                return nil
            }
            let comparison = ProcessComparison.compare(
                baseline: Array(left.suffix(neighbours)), candidate: Array(right.prefix(neighbours)),
                significance: 0.01, margin: 0)
            let lastBefore = known[change.indices.lowerBound - 1].index
            let firstAfter = known[change.indices.upperBound].index
            return Trend.Change(
                lastBefore: lastBefore, firstAfter: firstAfter, before: before, after: after, ratio: comparison?.ratio,
                interval: comparison.map {
                    Metric.Interval(low: $0.interval.low, high: $0.interval.high, confidence: $0.interval.confidence)
                },
                probability: change.probability, reservations: reservations(lastBefore, firstAfter))
        }
    }

    private func reservations(lastBefore: Int, firstAfter: Int, isTime: Bool) -> [String] {
        let old = points[lastBefore]
        let new = points[firstAfter]
        var reasons: [String] = []
        if old.isSameCode(as: new) { reasons.append("both results are of one commit, so that it is not the code's") }
        if let before = old.swiftVersion, let after = new.swiftVersion, before != after {
            reasons.append("the compiler changed from '\(before)' to '\(after)'")
        }
        if isTime, old.allocator != new.allocator {
            reasons.append("the allocator changed from \(old.allocator) to \(new.allocator)")
        }
        if isTime,
            let shared = controlChanges.first(where: { $0.lastBefore < firstAfter && lastBefore < $0.firstAfter }),
            let ratio = shared.ratio
        {
            reasons.append(
                "the control loop moved by \(Figures.change(ratio: ratio)) there, so that it may be the machine's")
        }
        return reasons
    }
}
