import Foundation
import RxBenchStatistics

/// What is known of one benchmark on two sides.
public struct PairedResult: Codable, Sendable, Equatable {
    /// The benchmark's stable name.
    public let id: String
    /// What the figures are of.
    public let quantity: PairedQuantity
    /// Operations of an iteration.
    public let operations: Int
    /// Why there is no comparison, in one sentence; `nil` when there is.
    public let failure: String?
    /// Whether base does not have the benchmark, which is no failure.
    public let isMissingInBase: Bool
    /// Whether head does not have the benchmark any more: nothing is known of what it measured.
    public let isMissingInHead: Bool
    /// What was decided, with one probability of error for all benchmarks of the run; `nil` without a comparison.
    public let verdict: String?
    /// On which side of the bound that was asked for it lies, with the same probability of error; `nil` without one.
    public let bound: String?
    /// The estimated ratio of head's time to base's.
    public let ratio: Double?
    /// Where the ratio lies, for this benchmark alone, with the confidence stated, whenever the comparison was stopped.
    /// `nil` when the data cannot say.
    public let interval: Metric.Interval?
    /// The smallest relative change that this comparison would have called one in 80 % of cases.
    public let detectable: Double?
    /// Nanoseconds of an iteration, or of the quantile, the median over processes.
    public let baseNanoseconds, headNanoseconds: Double?
    /// How many processes measured it.
    public let processes: Int
    /// How many of them lie far from the others; they are kept, and the estimate does not mind them.
    public let outliers: Int
    /// The logarithms of the ratio, process by process, for each layout.
    public let logRatios: [[Double]]
    /// Counts of both sides.
    public let exact: [ExactComparison]
    /// Whether the time changed while instructions and allocations are equal: the code's place in memory may be all
    /// that differs. `nil` when it did not change, or the counts cannot say.
    public let isLayoutSuspect: Bool?
    /// Where the processes lie, when they fall into several levels.
    public let levels: PairedLevels?
    /// What is odd about the data, one sentence each: drift.
    public let remarks: [String]
}

/// The levels that the processes of a comparison fall into, on each side and of their ratio; one each where there are
/// no several.
public struct PairedLevels: Codable, Sendable, Equatable {
    /// Nanoseconds of an iteration.
    public let base, head: [Level]
    /// Ratios of head's time to base's.
    public let ratio: [Level]

    /// The levels of processes' times and of the logarithms of their ratios; `nil` where these have one mode.
    init?(base: [Double], head: [Double], logRatios: [Double]) {
        guard Modality.isMultimodal(logRatios) else { return nil }
        self.base = Modality.levels(of: base)
        self.head = Modality.levels(of: head)
        ratio = Modality.levels(of: logRatios.map { exp($0) })
    }
}

/// One exact metric on two sides.
public struct ExactComparison: Codable, Sendable, Equatable {
    /// The metric's name.
    public let name: String
    /// What was counted.
    public let base, head: Reading<Double>

    /// How they differ; `nil` when one is not there.
    public let difference: ExactDifference?

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
public struct PairedMeasurements: Codable, Sendable, Equatable {
    /// One for each benchmark, in the order given.
    public let results: [PairedResult]
    /// Base against itself in other layouts, under the same conditions.
    public let controls: [PairedResult]
    /// How many layouts of each side there were.
    public let layouts: Int
    /// How long the measuring took, in seconds.
    public let seconds: Double
    /// The slowdown that decided, as it was asked for; `nil` without one.
    public var noSlowerThan: Double?
    /// What served the processes that measured time; `nil` when there were none.
    public var allocator: String?
    /// Whether both sides are the same machine code, so that nothing was measured.
    public var isIdenticalCode = false

    /// Whether the control, where nothing has changed, was called changed: then nothing else can be believed either.
    public var isControlChanged: Bool { controls.contains { $0.verdict == "slower" || $0.verdict == "faster" } }
}
