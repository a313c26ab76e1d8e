import Foundation
import RxBench
import RxBenchStatistics

/// The comparison of one benchmark of two sides.
package struct PairedResult: Codable, Sendable, Equatable {
    /// The benchmark's stable name.
    package let id: String
    /// The quantity that is compared.
    package let quantity: PairedQuantity
    /// Operations of an iteration.
    package let operations: Int
    /// Why there is no comparison, in one sentence; `nil` when there is.
    package var failure: String?
    /// Whether base does not have the benchmark, which is no failure.
    package var isMissingInBase: Bool = false
    /// Whether head does not have the benchmark any more: nothing is known of what it measured.
    package var isMissingInHead: Bool = false
    /// The decision, with one probability of error for all benchmarks of the run; `nil` without a comparison.
    package var verdict: ProcessComparison.Verdict?
    /// On which side of the bound that was asked for it lies, with the same probability of error; `nil` without one.
    package var bound: PairedFamily.BoundVerdict?
    /// The estimated ratio of head's time to base's.
    package var ratio: Double?
    /// Where the ratio lies, for this benchmark alone, with the confidence stated, whenever the comparison was stopped.
    /// `nil` when the data cannot say.
    package var interval: Metric.Interval?
    /// The smallest relative change that this comparison would have called one in 80 % of cases.
    package var detectable: Double?
    /// Nanoseconds of an iteration, or of the quantile, the median over processes.
    package var baseNanoseconds, headNanoseconds: Double?
    /// How many processes measured it.
    package var processes: Int = 0
    /// How many of them lie far from the others; they are kept, and the estimate does not mind them.
    package var outliers: Int = 0
    /// The logarithms of the ratio, process by process, for each layout.
    package var logRatios: [[Double]] = []
    /// Counts of both sides.
    package var exact: [ExactComparison] = []
    /// Whether the time changed while instructions and allocations are equal: the code's place in memory may be all
    /// that differs. `nil` when it did not change, or the counts cannot say.
    package var isLayoutSuspect: Bool?
    /// Where the processes lie, when they fall into several levels.
    package var levels: PairedLevels?
    /// Oddities of the data, one sentence each: drift.
    package var remarks: [String] = []
}

/// The levels that the processes of a comparison fall into, on each side and of their ratio; one each where there are
/// no several.
package struct PairedLevels: Codable, Sendable, Equatable {
    /// Nanoseconds of an iteration.
    package let base, head: [Level]
    /// Ratios of head's time to base's.
    package let ratio: [Level]

    /// The levels of processes' times and of the logarithms of their ratios, apart by more than `margin`; `nil` where
    /// the ratios have one.
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
    /// The counts of both sides. Of counts that vary, the median over the processes of the least of each.
    package let base, head: Reading<Double>
    /// How they differ; `nil` when one is not there.
    package let difference: ExactDifference?
    /// Whether a side counts otherwise in another iteration or process, by itself.
    package let varies: Bool
    /// Whether no process of one side counted as little as any of the other.
    let areApart: Bool

    /// How many processes of each side decide about counts that vary: of ten against ten, all of one side lie above all
    /// of the other in 1 of 92,378 cases by chance (Mann, Whitney, 1947), so that hundreds of benchmarks may vary.
    static let varyingProcesses = 10
    /// The relative difference of varying counts that does not matter: threads that meet otherwise allocate otherwise.
    static let varyingMargin = 0.02

    /// The counts of `base` and `head`, two metrics of one name, each of a single process.
    init(_ base: Metric, _ head: Metric) { self.init([base], [head]) }

    /// The counts of each process of both sides; all are metrics of one name.
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

    /// All that head counts, next to base's counts of the same; the series of each process of a side.
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
    /// One for each benchmark, in the order given.
    package let results: [PairedResult]
    /// Base against itself in other layouts, under the same conditions.
    package let controls: [PairedResult]
    /// How many layouts of each side there were.
    package let layouts: Int
    /// How long the measuring took, in seconds.
    package let seconds: Double
    /// The slowdown that decided, as it was asked for; `nil` without one.
    package var noSlowerThan: Double?
    /// The allocator of the processes that measured time; `nil` when there were none.
    package var allocator: String?
    /// Whether both sides are the same machine code, so that nothing was measured.
    package var isIdenticalCode = false
    /// The benchmarks that were not compared, as they are unsteady and nobody selected them.
    package var leftOut: [String] = []
    /// Whether each side was a program of its own.
    package var arePrograms = false
    /// The files that differ and are head's on both sides.
    package var uncompared: [UncomparedFile] = []

    /// Whether the control, where nothing has changed, was called changed: then nothing else can be believed either.
    package var isControlChanged: Bool { controls.contains { $0.verdict == .slower || $0.verdict == .faster } }
}
