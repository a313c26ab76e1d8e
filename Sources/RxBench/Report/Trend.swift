import RxBench

/// The history of stored results: for each group of comparable ones, every metric over commits, with the places where
/// it changed.
package struct Trend: Sendable, Equatable, Encodable {
    /// The rules of the decision.
    package struct Rules: Sendable, Equatable, Encodable {
        /// The probability of finding any change in the sampled metrics of a history without one.
        package var significance: Double
        /// The relative change of a sampled metric that is not worth showing.
        package var margin: Double
        /// Fixes the permutations.
        package var seed: UInt64

        /// Rules with their defaults.
        package init(significance: Double = 0.01, margin: Double = 0, seed: UInt64 = 1) {
            self.significance = significance
            self.margin = margin
            self.seed = seed
        }
    }

    /// Results that may be compared with each other.
    package struct Group: Sendable, Equatable, Encodable {
        /// The machine's stable name.
        package let machine: String
        /// `release` or `debug`.
        package let configuration: String
        /// Whether the measured code counted its resources.
        package let isTracing: Bool
        /// The version of the results' format.
        package let schemaVersion: Int
        /// The results, in the order of their commits.
        package let points: [Point]
        /// One for each benchmark and metric, in the order of the newest result.
        package let series: [Series]
    }

    /// One result.
    package struct Point: Sendable, Equatable, Encodable {
        /// When the run began, ISO 8601 in UTC.
        package let date: String
        /// The full hash of the commit; `nil` for a run outside of a repository.
        package let commit: String?
        /// Whether the code differed from the commit.
        package let isDirty: Bool
        /// Whether the commit is in the history of the one checked out.
        package let isInHistory: Bool
        /// The compiler that built the tool; `nil` where that is not known.
        package let swiftVersion: String?
        /// The allocator of the processes that measured time, without its version.
        package let allocator: String
    }

    /// One metric of one benchmark.
    package struct Series: Sendable, Equatable, Encodable {
        /// The benchmark.
        package let id: String
        /// The metric.
        package let metric: String
        /// The unit that figures are stored in, which need not be the one that reports show.
        package let unit: String
        /// How many operations an iteration of the benchmark performs.
        package let operations: Int
        /// Whether changes were found by equality; otherwise statistically.
        package let isExact: Bool
        /// For each point of the group the figure, or `nil` where there is none to compare.
        package let figures: [Double?]
        /// Where the level changed, oldest first.
        package let changes: [Change]
        /// Notes on the series.
        package let note: String?
    }

    /// A change of level.
    package struct Change: Sendable, Equatable, Encodable {
        /// The last point that certainly has the old level.
        package let lastBefore: Int
        /// The first point that certainly has the new level; everything between may be either.
        package let firstAfter: Int
        /// The old level: the figure, or its median since the change before.
        package let before: Double
        /// The new level.
        package let after: Double
        /// The estimated ratio of a sampled metric.
        package let ratio: Double?
        /// Where that ratio lies.
        package let interval: Metric.Interval?
        /// How probable as clear a change is without a cause, before correction for the number of series; `nil` for a
        /// change by equality.
        package let probability: Double?
        /// Conditions beside the code that may have changed here, as sentences without full stops.
        package let reservations: [String]
    }

    /// The groups; the one with the newest result last.
    package let groups: [Group]
    /// The rules that were applied.
    package let rules: Rules
    /// How many sampled series were looked at, in all groups: the significance is divided by it.
    package let sampledSeries: Int
    /// Why results are not in the order of commits, or `nil` when they are.
    package let orderNote: String?

    /// The history of `results`, which are in the order of their dates.
    ///
    /// O(*r* · *b*) in results and benchmarks, and what ``RxBenchStatistics/ChangePoints`` takes for each series.
    /// - Parameters:
    ///   - history: The order of commits; without it, results are in the order of time.
    ///   - filters: Which benchmarks; all without any.
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

/// The conditions that results must share to be compared, as in ``ResultComparison/obstacles(_:_:)``.
struct GroupKey: Hashable {
    let machine: String
    let configuration: String
    let isTracing: Bool
    let schemaVersion: Int

    init(_ result: ResultSummary) {
        machine = result.machine
        configuration = result.configuration
        isTracing = result.isTracing
        schemaVersion = result.schemaVersion
    }
}

/// Sorts results by their commits' places in the history.
struct ResultOrder {
    private let history: CommitHistory?
    /// Why some or all results are in the order of time.
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

    /// By commit, at one commit the clean code first, then by time. Sorting is stable, so that equal dates keep their
    /// order.
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
