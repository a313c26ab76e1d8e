import Foundation
import RxBench
import RxBenchEngine

/// The finding of a comparison on one benchmark. The table, the verdict, the badges and the exit code are all derived
/// from it.
package struct Finding: Sendable, Equatable, Encodable {
    /// The benchmark's ID.
    package let id: String
    /// The outcome for the benchmark.
    package let outcome: Outcome

    /// The outcome of a comparison for one benchmark.
    package enum Outcome: Sendable, Equatable {
        /// The benchmark failed.
        case failed
        /// The benchmark takes longer or counts more.
        case worse([Change])
        /// The benchmark takes less time or counts less, and nothing is worse.
        case better([Change])
        /// The comparison did not judge the benchmark.
        case notJudged(Reason)
        /// The comparison judged the benchmark, but has no verdict yet.
        case inconclusive(Doubt)
        /// No difference that matters was found.
        case same
        /// Base does not have the benchmark.
        case added
    }

    /// A change of one figure.
    package enum Change: Sendable, Equatable {
        /// The ratio of the time, or of the quantile of the latencies with the given name.
        case time(ratio: Double, interval: Metric.Interval?, quantile: String?)
        /// A count of an iteration that performs the given number of operations.
        case count(metric: String, unit: MetricUnit, operations: Int, before: Double, after: Double)
    }

    /// The reasons why a comparison did not judge a benchmark.
    package enum Reason: Sendable, Hashable {
        /// Files that affect the figures are head's on both sides.
        case sharedFiles
        /// The control, in which nothing has changed, was found to be changed.
        case control
        /// The state of the machine differed between the two runs.
        case machine
        /// Head does not have the benchmark.
        case missing
        /// The filter of one of the two runs left the benchmark out.
        case filtered
        /// Base has a count that head does not report.
        case lostCount
        /// No figure that could decide was read in both runs.
        case noFigure
    }

    /// The reason why a comparison has no verdict yet.
    package enum Doubt: Sendable, Equatable {
        /// The interval is too wide. The value is its upper end, if it has one.
        case interval(high: Double?)
        /// The time changed although allocations and instructions are equal.
        case layout(Change)
        /// A count was taken too few times.
        case count
    }
}

extension Finding {
    private enum CodingKeys: CodingKey { case id, outcome }

    /// Encodes the ID and the word for the outcome.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(outcome.word, forKey: .outcome)
    }
}

extension Finding.Outcome {
    /// The outcome in a word or two, for JSON and reports.
    package var word: String {
        switch self {
        case .failed: "failed"
        case .worse: "worse"
        case .better: "better"
        case .notJudged: "not judged"
        case .inconclusive: "inconclusive"
        case .same: "same"
        case .added: "new"
        }
    }
}

extension Finding.Change {
    /// The distance of the ratio from 1, as a logarithm. A count that was 0 before has the largest distance.
    private var size: Double {
        switch self {
        case .time(let ratio, _, _): abs(log(ratio))
        case .count(_, _, _, let before, let after):
            before > 0 && after > 0 ? abs(log(after / before)) : .infinity
        }
    }

    /// Returns the size of the largest of `changes`.
    fileprivate static func largest(_ changes: [Self]) -> Double { changes.map(\.size).max() ?? 0 }
}

/// The conclusion of a comparison.
package enum Conclusion: Sendable, Equatable {
    /// Nothing is worse.
    case fine
    /// A benchmark is worse.
    case regression
    /// A benchmark failed.
    case failed
    /// The comparison has no verdict yet.
    case inconclusive
    /// The comparison did not judge all benchmarks.
    case notJudged

    /// Creates the conclusion from all findings together. The most serious finding decides.
    package init(_ findings: [Finding]) {
        func has(_ isWanted: (Finding.Outcome) -> Bool) -> Bool { findings.contains { isWanted($0.outcome) } }
        if has({ if case .worse = $0 { true } else { false } }) {
            self = .regression
        } else if has({ $0 == .failed }) {
            self = .failed
        } else if has({ if case .notJudged = $0 { true } else { false } }) || !has({ $0 != .added }) {
            self = .notJudged
        } else {
            self = has { if case .inconclusive = $0 { true } else { false } } ? .inconclusive : .fine
        }
    }
}

/// The findings of a comparison in one sentence. The benchmarks that became worse come first, and each ID precedes its
/// figures.
struct Headline {
    let findings: [Finding]
    /// The words for unchanged benchmarks, which follow their number: `within 5 %`.
    let sameness: String
    let base, head: String

    /// The largest number of benchmarks that are named for each outcome.
    private static let mostNamed = 3

    var sentence: String {
        var clauses = named { if case .worse(let changes) = $0 { changes } else { nil } }
        clauses += listed("failed") { $0 == .failed }
        clauses += unjudged
        clauses += layoutSuspects
        clauses += named { if case .better(let changes) = $0 { changes } else { nil } }
        clauses += open
        clauses += listed("new, without figures of \(base)") { $0 == .added }
        let same = findings.count { $0.outcome == .same }
        if same > 0 {
            let noun = clauses.isEmpty ? "benchmark" : "other"
            clauses.append("\(Figures.counted(same, noun)) \(sameness)")
        }
        return clauses.isEmpty ? "Nothing was compared." : clauses.joined(separator: "; ") + "."
    }

    /// Returns a clause for each changed benchmark. If there are too many, returns clauses for the largest changes and
    /// the number of the other benchmarks.
    private func named(_ changes: (Finding.Outcome) -> [Finding.Change]?) -> [String] {
        var changed = findings.compactMap { finding in changes(finding.outcome).map { (finding.id, $0) } }
        if changed.count > Self.mostNamed {
            // The sort is stable, so equal changes stay in the order of measurement.
            changed.sort { Finding.Change.largest($0.1) > Finding.Change.largest($1.1) }
        }
        let rest = changed.count - Self.mostNamed
        return changed.prefix(Self.mostNamed).map { id, changes in
            "\(id) \(Self.words(changes).joined(separator: " and "))"
        } + (rest > 0 ? ["\(rest) more of that kind"] : [])
    }

    private func listed(_ words: String, _ isWanted: (Finding.Outcome) -> Bool) -> [String] {
        let ids = findings.filter { isWanted($0.outcome) }.map(\.id)
        return ids.isEmpty ? [] : ["\(ids.count) \(words) (\(Self.list(ids)))"]
    }

    /// Returns the first of `ids`, followed by an ellipsis if there are more.
    static func list(_ ids: [String]) -> String {
        ids.prefix(mostNamed).joined(separator: ", ") + (ids.count > mostNamed ? ", …" : "")
    }

    private var unjudged: [String] {
        var ids: [(reason: Finding.Reason, ids: [String])] = []
        for finding in findings {
            guard case .notJudged(let reason) = finding.outcome else { continue }
            if let place = ids.firstIndex(where: { $0.reason == reason }) {
                ids[place].ids.append(finding.id)
            } else {
                ids.append((reason, [finding.id]))
            }
        }
        return ids.map { reason, ids in
            switch reason {
            // These reasons apply to all benchmarks, and a line before this sentence has explained them.
            case .sharedFiles, .control, .machine: "\(ids.count) not judged"
            case .missing:
                "\(ids.count) not judged, as \(head) lacks \(ids.count == 1 ? "it" : "them") (\(Self.list(ids)))"
            case .filtered: "\(ids.count) not judged, as one run's filter left \(ids.count == 1 ? "it" : "them") out"
            case .lostCount: "\(ids.count) not judged, as \(head) lacks a count of \(base)'s (\(Self.list(ids)))"
            case .noFigure: "\(ids.count) not judged, without a figure of both runs (\(Self.list(ids)))"
            }
        }
    }

    private var layoutSuspects: [String] {
        findings.compactMap { finding in
            guard case .inconclusive(.layout(let change)) = finding.outcome else { return nil }
            return "\(finding.id) \(Self.words([change])[0]), perhaps by its place in memory alone"
        }
    }

    private var open: [String] {
        let open = findings.compactMap { finding -> (id: String, high: Double?)? in
            switch finding.outcome {
            case .inconclusive(.interval(let high)): (finding.id, high)
            case .inconclusive(.count): (finding.id, nil)
            default: nil
            }
        }
        guard !open.isEmpty else { return [] }
        guard let worst = open.filter({ $0.high != nil }).max(by: { ($0.high ?? 0) < ($1.high ?? 0) }),
            let high = worst.high, high > 1
        else { return ["\(open.count) inconclusive (\(Self.list(open.map(\.id))))"] }
        return ["\(open.count) inconclusive (\(worst.id) may be up to \(Self.percent(high - 1)) % slower)"]
    }

    /// Returns changes as predicates: `is 48 % slower (43–53 %)`, `makes 1 more allocation`.
    static func words(_ changes: [Finding.Change]) -> [String] {
        // If the number of allocations changed, the number of bytes changed as a consequence and is not mentioned.
        let hasBlocks = changes.contains { change in
            if case .count(Metric.allocations, _, _, _, _) = change { true } else { false }
        }
        return changes.compactMap { change in
            switch change {
            case .time(let ratio, let interval, let quantile): words(ratio, interval, quantile)
            case .count(Metric.allocatedBytes, _, _, _, _) where hasBlocks: nil
            case .count(let metric, let unit, let operations, let before, let after):
                words(metric, ShownMetric(metric, unit: unit, operations: operations), before, after)
            }
        }
    }

    private static func words(_ ratio: Double, _ interval: Metric.Interval?, _ quantile: String?) -> String {
        let isSlower = ratio > 1
        let sign = isSlower ? 1.0 : -1.0
        let place = quantile.map { " at \($0)" } ?? ""
        var range = ""
        if let interval {
            let ends = [(interval.low - 1) * sign, (interval.high - 1) * sign].sorted()
            range =
                ends[0] < 0
                ? " (\(percent(ends[0])) to \(percent(ends[1])) %)" : " (\(percent(ends[0]))–\(percent(ends[1])) %)"
        }
        return "is \(percent((ratio - 1).magnitude)) % \(isSlower ? "slower" : "faster")\(place)\(range)"
    }

    private static func words(_ metric: String, _ shown: ShownMetric, _ before: Double, _ after: Double) -> String {
        let figure = shown.text((after - before).magnitude)
        let more = after > before ? "more" : "fewer"
        func things(_ one: String) -> String { figure == "1" ? one : one + "s" }
        return switch metric {
        case Metric.allocations: "makes \(figure) \(more) \(things("allocation"))"
        case Metric.allocatedBytes: "allocates \(figure) \(after > before ? "more" : "less")"
        case Metric.netAllocations: "leaves \(figure) \(more) \(things("allocation")) behind"
        case Metric.liveResources: "leaves \(figure) \(more) live \(things("resource")) behind"
        case Metric.instructions: "executes \(figure) \(more) instructions"
        default: "makes \(figure) \(more) \(figure == "1" ? String(metric.dropLast()) : metric)"
        }
    }

    /// Returns a share in per cent, with as many digits as it needs.
    static func percent(_ share: Double) -> String {
        let percent = share * 100
        let decimals = percent.magnitude < 0.995 ? 2 : percent.magnitude < 9.95 ? 1 : 0
        return Figures.fixed(percent, decimals: decimals).replacing("-", with: "−")
    }
}
