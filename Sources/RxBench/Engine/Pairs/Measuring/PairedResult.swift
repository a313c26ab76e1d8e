import Foundation

/// The comparison of one benchmark on two sides.
package struct PairedResult: Codable, Sendable, Equatable {
    /// The benchmark's stable name.
    package let id: String
    /// The compared quantity.
    package let quantity: PairedQuantity
    /// The number of operations of an iteration.
    package let operations: Int
    /// A sentence with the reason why there is no comparison, or `nil` if there is a comparison.
    package var failure: String?
    /// Whether base does not have the benchmark, which is not a failure.
    package var isMissingInBase: Bool = false
    /// Whether head no longer has the benchmark, so nothing is known about the code that it measured.
    package var isMissingInHead: Bool = false
    /// The verdict, or `nil` without a comparison. One probability of error applies to all benchmarks of the run.
    package var verdict: ComparisonVerdict?
    /// The verdict on the requested bound, with the same probability of error, or `nil` without a bound.
    package var bound: ComparisonVerdict?
    /// The estimated ratio of head's time to base's.
    package var ratio: Double?
    /// The confidence interval of the ratio for this benchmark alone, or `nil` if there are too few data. Its
    /// confidence holds regardless of when the comparison was stopped.
    package var interval: Metric.Interval?
    /// The smallest relative change that this comparison would have detected in 80 % of cases.
    package var detectable: Double?
    /// The median over processes of the time of an iteration, or of the quantile, in nanoseconds.
    package var baseNanoseconds, headNanoseconds: Double?
    /// The number of processes that measured the benchmark.
    package var processes: Int = 0
    /// The number of processes that lie far from the others. They are kept, and the estimate is robust against them.
    package var outliers: Int = 0
    /// The logarithms of the ratio of each process, grouped by layout.
    package var logRatios: [[Double]] = []
    /// The counts of both sides.
    package var exact: [ExactComparison] = []
    /// Whether the time changed while instructions and allocations are equal, so that the only difference may be the
    /// position of the code in memory. It is `nil` if the time did not change, or if the counts cannot decide this.
    package var isLayoutSuspect: Bool?
    /// The levels of the processes, if they fall into several levels.
    package var levels: PairedLevels?
    /// Remarks on unusual properties of the data, such as drift. Each remark is a sentence.
    package var remarks: [String] = []
}

/// The levels that the processes of a comparison fall into, for each side and for the ratio. A side whose times are not
/// multimodal has one level.
package struct PairedLevels: Codable, Sendable, Equatable {
    /// The levels of each side, in nanoseconds of an iteration.
    package let base, head: [Level]
    /// The levels of the ratio of head's time to base's.
    package let ratio: [Level]

    /// Finds the levels of the processes' times and of their ratios. Levels are more than `margin` apart. Returns `nil`
    /// if the ratios have only one level.
    init?(base: [Double], head: [Double], logRatios: [Double], margin: Double) {
        ratio = Modality.levels(of: logRatios.map { exp($0) }, resolution: margin)
        guard ratio.count > 1 else { return nil }
        self.base = Modality.levels(of: base, resolution: margin)
        self.head = Modality.levels(of: head, resolution: margin)
    }
}

/// One exact metric on two sides.
package struct ExactComparison: Codable, Sendable, Equatable {
    /// The metric's name.
    package let name: String
    /// The counts of both sides. If a count varies, the value is the median over the processes of each process's lowest
    /// count.
    package let base, head: Reading<Double>
    /// The difference of the counts, or `nil` if one of them is missing.
    package let difference: ExactDifference?
    /// Whether the count of a side varies by itself between iterations or processes.
    package let varies: Bool
    /// Whether the counts of all processes of one side are above the counts of all processes of the other side.
    let areApart: Bool

    /// The number of processes on each side that decide about varying counts. With ten processes on each side, the
    /// probability that all counts of one side are above all counts of the other side by chance is 1 in 92,378 (Mann,
    /// Whitney, 1947). Hundreds of benchmarks may therefore vary.
    static let varyingProcesses = 10
    /// The relative difference of varying counts that does not matter. Threads that interleave differently allocate
    /// different amounts.
    static let varyingMargin = 0.02

    /// Compares the counts of `base` and `head`, two metrics with the same name. Each comes from a single process.
    init(_ base: Metric, _ head: Metric) { self.init([base], [head]) }

    /// Compares the counts of each process of both sides. All metrics have the same name.
    private init(_ base: [Metric], _ head: [Metric]) {
        name = head[0].name
        let all = base + head
        let isThreaded = all.contains { $0.isThreaded == true }
        varies =
            name == Metric.instructions
            ? isThreaded || !all.allSatisfy(\.isSteady) : isThreaded || all.contains { $0.isStable == false }
        guard varies, all.allSatisfy({ $0.reading.value != nil }) else {
            self.base = base[0].reading
            self.head = head[0].reading
            difference = head[0].difference(from: base[0])
            areApart = false
            return
        }
        let (old, new) = (base.compactMap { $0.values.min() }, head.compactMap { $0.values.min() })
        let before = Quantiles.median(of: old) ?? 0
        let after = Quantiles.median(of: new) ?? 0
        self.base = .value(before)
        self.head = .value(after)
        let isMore = (new.min() ?? 0) > (old.max() ?? 0)
        areApart = isMore || (old.min() ?? 0) > (new.max() ?? 0)
        let isConvincing =
            areApart && min(old.count, new.count) >= Self.varyingProcesses
            && (after - before).magnitude > max(before * Self.varyingMargin, 0.5)
        let isEqual = Set(all.flatMap(\.values)).count == 1
        difference = isConvincing ? (isMore ? .more : .fewer) : isEqual ? .equal : .varies
    }

    /// Compares all metrics that head counts with base's counts. Each argument contains the series of every process of
    /// one side.
    static func all(_ base: [[ExactSeries]], _ head: [[ExactSeries]]) -> [ExactComparison] {
        head[0].map { series in
            func metrics(_ processes: [[ExactSeries]]) -> [Metric] {
                processes.compactMap { $0.first { $0.definition == series.definition }?.metric }
            }
            let before = metrics(base)
            return ExactComparison(
                before.isEmpty
                    ? [.unavailable(series.definition, .exact, because: "this side does not count it")] : before,
                metrics(head))
        }
    }
}

/// A whole comparison of two sides.
package struct PairedMeasurements: Codable, Sendable, Equatable {
    /// One result for each benchmark, in the given order.
    package let results: [PairedResult]
    /// The comparisons of base with itself in other layouts, under the same conditions.
    package let controls: [PairedResult]
    /// The number of layouts of each side.
    package let layouts: Int
    /// The time that the measuring took, in seconds.
    package let seconds: Double
    /// The requested bound on the slowdown, or `nil` if no bound was requested.
    package var noSlowerThan: Double?
    /// The allocator of the processes that measured time, or `nil` if no process measured time.
    package var allocator: String?
    /// Whether both sides have the same machine code, so that nothing was measured.
    package var isIdenticalCode = false
    /// The benchmarks that were not compared because they are unsteady and the user did not select them.
    package var leftOut: [String] = []
    /// Whether each side was a separate program.
    package var arePrograms = false
    /// The files that differ but are taken from head on both sides.
    package var uncompared: [UncomparedFile] = []

    /// Whether the control, in which nothing has changed, was found to be changed. In this case the other results
    /// cannot be trusted either.
    package var isControlChanged: Bool { controls.contains { $0.verdict?.isChange == true } }
}
