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
    package var verdict: String?
    /// On which side of the bound that was asked for it lies, with the same probability of error; `nil` without one.
    package var bound: String?
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
    /// The counts of both sides.
    package let base, head: Reading<Double>

    /// How they differ; `nil` when one is not there.
    package let difference: ExactDifference?

    /// The counts of `base` and `head`, two metrics of one name.
    init(_ base: Metric, _ head: Metric) {
        name = head.name
        self.base = base.reading
        self.head = head.reading
        difference = head.difference(from: base)
    }

    /// All that head counts, beside what base does.
    static func all(_ base: [ExactSeries], _ head: [ExactSeries]) -> [ExactComparison] {
        head.map { series in
            let before = base.first { $0.definition == series.definition }?.metric
            return ExactComparison(
                before ?? .unavailable(series.definition, .exact, because: "this side does not count it"), series.metric
            )
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

    /// Whether the control, where nothing has changed, was called changed: then nothing else can be believed either.
    package var isControlChanged: Bool { controls.contains { $0.verdict == "slower" || $0.verdict == "faster" } }
}
