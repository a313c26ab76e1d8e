import RxBench
import RxBenchStatistics

/// Finds the changes of series, and what other than the code may have caused them.
struct ChangeFinder {
    private let points: [Trend.Point]
    private let rules: Trend.Rules
    private let detector: ChangePoints
    /// The changes of the control loop.
    private var controlChanges: [Trend.Change] = []

    /// How many results on either side an interval is estimated from: the number of pairs grows with their product.
    private static let neighbours = 50

    init(points: [Trend.Point], control: [Double?], rules: Trend.Rules, sampledSeries: Int) {
        self.points = points
        self.rules = rules
        var detection = ChangePoints.Rules()
        detection.significance = rules.significance
        detection.seriesCount = max(1, sampledSeries)
        detection.seed = rules.seed
        detector = ChangePoints(detection)
        // The control excuses changes; missing one of its own is worse than seeing one too many, so that it is looked
        // at alone.
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
