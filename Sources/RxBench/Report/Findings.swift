import Foundation
import RxBench

/// The finding of a comparison on one benchmark. The table, the sentence, the chips and the exit code all follow from
/// it.
package struct Finding: Sendable, Equatable, Encodable {
    /// The benchmark's ID.
    package let id: String
    /// The outcome for the benchmark.
    package let outcome: Outcome

    /// The outcome of a comparison for one benchmark.
    package enum Outcome: Sendable, Equatable {
        /// It failed.
        case failed
        /// It takes longer or counts more.
        case worse([Change])
        /// It takes less or counts less, and nothing is worse.
        case better([Change])
        /// The comparison has not looked at it.
        case notJudged(Reason)
        /// The comparison has looked at it, and has no verdict yet.
        case inconclusive(Doubt)
        /// Nothing that matters differs.
        case same
        /// Base does not have it.
        case added
    }

    /// A change of one figure.
    package enum Change: Sendable, Equatable {
        /// The time, or the quantile of the latencies with the given name, by a ratio.
        case time(ratio: Double, interval: Metric.Interval?, quantile: String?)
        /// A count of an iteration, which performs so many operations.
        case count(metric: String, unit: String, operations: Int, before: Double, after: Double)
    }

    /// Why a comparison has not looked.
    package enum Reason: Sendable, Hashable {
        /// Files that decide about the figures are head's on both sides.
        case sharedFiles
        /// The control, where nothing has changed, was called changed.
        case control
        /// The machine was not the same during both runs.
        case machine
        /// Head does not have the benchmark.
        case missing
        /// The filter of one of the two runs left the benchmark out.
        case filtered
        /// Base has a count that head cannot say.
        case lostCount
        /// No figure that may decide was read in both runs.
        case noFigure
    }

    /// The reason why a comparison has no verdict yet.
    package enum Doubt: Sendable, Equatable {
        /// The interval is too wide; its upper end, if it has one.
        case interval(high: Double?)
        /// The time changed while allocations and instructions are equal.
        case layout(Change)
        /// A count was taken too rarely.
        case count
    }
}

extension Finding {
    private enum CodingKeys: CodingKey { case id, outcome }

    /// Encodes the ID and the outcome in a word.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(outcome.word, forKey: .outcome)
    }
}

extension Finding.Outcome {
    /// The outcome in a word or two, for JSON and pages.
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
    /// The distance of the ratio from 1, as a logarithm: a count that was 0 before has the largest distance.
    private var size: Double {
        switch self {
        case .time(let ratio, _, _): abs(log(ratio))
        case .count(_, _, _, let before, let after):
            before > 0 && after > 0 ? abs(log(after / before)) : .infinity
        }
    }

    /// The size of the largest of `changes`.
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
    /// The comparison has not looked at everything.
    case notJudged

    /// The conclusion of all findings together, the gravest first.
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

/// The findings of a comparison in one sentence: the worse benchmarks first, each before its figures.
struct Headline {
    let findings: [Finding]
    /// The words for unchanged benchmarks, after their number: `within 5 %`.
    let sameness: String
    let base, head: String

    /// So many benchmarks are named for each outcome.
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

    /// A clause for each benchmark with changes, or for those that changed most and the number of the others.
    private func named(_ changes: (Finding.Outcome) -> [Finding.Change]?) -> [String] {
        var changed = findings.compactMap { finding in changes(finding.outcome).map { (finding.id, $0) } }
        if changed.count > Self.mostNamed {
            // The sort is stable: equal changes stay in the order of measurement.
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

    /// The first of `ids`, and a sign where there are more.
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
            // These concern all, and the line before the sentence has explained them.
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

    /// Changes as predicates: `is 48 % slower (43–53 %)`, `makes 1 more allocation`.
    static func words(_ changes: [Finding.Change]) -> [String] {
        // Another number of blocks is another number of bytes.
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

    /// A share in per cent, with the digits that it needs.
    static func percent(_ share: Double) -> String {
        let percent = share * 100
        let decimals = percent.magnitude < 0.995 ? 2 : percent.magnitude < 9.95 ? 1 : 0
        return Figures.fixed(percent, decimals: decimals).replacing("-", with: "−")
    }
}
