import RxBench
import RxBenchEngine

/// The history of stored results. Results that are comparable form a group. For each group, the trend contains every
/// metric over the commits and the places where the metric changed.
package struct Trend: Sendable, Equatable, Encodable {
    /// The rules that decide about changes.
    package struct Rules: Sendable, Equatable, Encodable {
        /// The probability of finding any change in the sampled metrics of a history that contains no change.
        package var significance: Double
        /// The relative change of a sampled metric below which it is not worth showing.
        package var margin: Double
        /// The seed of the permutations.
        package var seed: UInt64

        /// Creates rules, by default with the standard values.
        package init(significance: Double = 0.01, margin: Double = 0, seed: UInt64 = 1) {
            self.significance = significance
            self.margin = margin
            self.seed = seed
        }
    }

    /// A group of results that are comparable with each other.
    package struct Group: Sendable, Equatable, Encodable {
        /// The machine's stable name.
        package let machine: String
        /// `release` or `debug`.
        package let configuration: String
        /// Whether the measured code counted its resources.
        package let isTracing: Bool
        /// The results, in the order of their commits.
        package let points: [Point]
        /// The series, one for each benchmark and metric, in the order of the newest result.
        package let series: [Series]
    }

    /// One stored result.
    package struct Point: Sendable, Equatable, Encodable {
        /// The time at which the run began, in ISO 8601 format in UTC.
        package let date: String
        /// The full hash of the commit, or `nil` if the run took place outside a repository.
        package let commit: String?
        /// Whether the code differed from the commit.
        package let isDirty: Bool
        /// Whether the commit is in the history of the checked-out commit.
        package let isInHistory: Bool
        /// The compiler that built the tool, or `nil` if it is unknown.
        package let swiftVersion: String?
        /// The allocator of the processes that measured time, without its version.
        package let allocator: String
    }

    /// The history of one metric of one benchmark.
    package struct Series: Sendable, Equatable, Encodable {
        /// The benchmark.
        package let id: String
        /// The metric.
        package let metric: String
        /// The unit of the stored figures. Reports may show a different unit.
        package let unit: MetricUnit
        /// The number of operations that an iteration of the benchmark performs.
        package let operations: Int
        /// Whether changes were found by comparing for equality. Otherwise they were found statistically.
        package let isExact: Bool
        /// The figure at each point of the group, or `nil` if the point has no comparable figure.
        package let figures: [Double?]
        /// The changes of level, with the oldest first.
        package let changes: [Change]
        /// Notes on the series.
        package let note: String?
    }

    /// A change of level.
    package struct Change: Sendable, Equatable, Encodable {
        /// The last point that certainly has the old level.
        package let lastBefore: Int
        /// The first point that certainly has the new level. Points between the two may have either level.
        package let firstAfter: Int
        /// The old level: the figure, or the median of the figures since the previous change.
        package let before: Double
        /// The new level.
        package let after: Double
        /// The estimated ratio of a sampled metric.
        package let ratio: Double?
        /// The confidence interval of ``ratio``.
        package let interval: Metric.Interval?
        /// The probability that a change this clear is found without a cause, before the correction for the number of
        /// series. It is `nil` for a change that was found by comparing for equality.
        package let probability: Double?
        /// Conditions other than the code that may have changed here, as sentences without full stops.
        package let reservations: [String]
    }

    /// The groups, ordered so that the group with the newest result is last.
    package let groups: [Group]
    /// The rules that were applied.
    package let rules: Rules
    /// The number of sampled series in all groups. The significance is divided by this number.
    package let sampledSeries: Int
    /// The reason why results are not in the order of commits, or `nil` if they are.
    package let orderNote: String?

    /// Creates the trend of `results`, which must be sorted by date.
    ///
    /// O(*r* · *b*) for *r* results with *b* benchmarks, plus the time of ``ChangePoints`` for each
    /// series.
    /// - Parameters:
    ///   - history: The order of the commits. If it is unavailable, results are in the order of time.
    ///   - filters: The filters that select benchmarks. Without filters, all benchmarks are selected.
    package init(
        _ results: [ResultSummary], history: Reading<CommitHistory>, filters: [BenchmarkFilter] = [],
        rules: Rules = Rules()
    ) {
        var keys: [GroupKey] = []
        var members: [GroupKey: [ResultSummary]] = [:]
        for result in results { members[GroupKey(result), default: []].append(result) }
        for result in results.reversed() where !keys.contains(GroupKey(result)) { keys.insert(GroupKey(result), at: 0) }
        let order = ResultOrder(results, history: history)
        let drafts = keys.map { key in GroupDraft(key, order.sorted(members[key] ?? []), order: order, filters: filters)
        }
        let sampledSeries = drafts.reduce(0) { $0 + $1.series.count { !$0.isExact } }
        self.rules = rules
        self.sampledSeries = sampledSeries
        orderNote = order.note
        groups = drafts.map { $0.group(rules: rules, sampledSeries: sampledSeries) }
    }
}

/// The conditions that two results must share to be comparable, as in ``ResultComparison/obstacles(_:_:)``.
struct GroupKey: Hashable {
    let machine: String
    let configuration: String
    let isTracing: Bool

    init(_ result: ResultSummary) {
        machine = result.machine
        configuration = result.configuration
        isTracing = result.isTracing
    }
}

/// Sorts results by the positions of their commits in the history.
struct ResultOrder {
    private let history: CommitHistory?
    /// A sentence that says why some or all results are in the order of time, or `nil`.
    let note: String?

    init(_ results: [ResultSummary], history: Reading<CommitHistory>) {
        switch history {
        case .unavailable(let reason):
            self.history = nil
            note = "The results are in the order of time: \(reason)."
        case .value(let history):
            let strangers = results.count { $0.commit.value.map { history.position(of: $0.sha) == nil } ?? true }
            let isForeign = strangers == results.count
            self.history = isForeign ? nil : history
            note =
                strangers == 0
                ? nil
                : isForeign
                    ? """
                    The results are in the order of time: no commit of these results is among the first parents of the \
                    one checked out here.
                    """
                    : "\(strangers) of \(Figures.counted(results.count, "result")) "
                        + (strangers == 1 ? "comes last: its commit is" : "come last: their commits are")
                        + " not among the first parents of the one checked out here."
        }
    }

    func isInHistory(_ result: ResultSummary) -> Bool { place(result) != nil }

    /// Returns the results in the order of their commits. Results of the same commit are ordered with clean code first,
    /// and then by time. The sort is stable, so results with equal dates keep their order.
    func sorted(_ results: [ResultSummary]) -> [ResultSummary] {
        results.enumerated().sorted { left, right in
            let first = place(left.element) ?? .max
            let second = place(right.element) ?? .max
            if first != second { return first < second }
            let dirt = first == .max ? (0, 0) : (Self.dirt(left.element), Self.dirt(right.element))
            return (dirt.0, left.element.date, left.offset) < (dirt.1, right.element.date, right.offset)
        }.map(\.element)
    }

    private func place(_ result: ResultSummary) -> Int? {
        result.commit.value.flatMap { history?.position(of: $0.sha) }
    }

    private static func dirt(_ result: ResultSummary) -> Int { result.commit.value?.isDirty == true ? 1 : 0 }
}
