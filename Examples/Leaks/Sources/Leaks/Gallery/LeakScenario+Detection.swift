import Rx
import RxTrace

extension LeakScenario {
    /// Repeats the round trip and looks for growth.
    nonisolated(nonsending) public func detectGrowth() async -> GrowthReport {
        switch body {
        case .synchronous(let body): RxTrace.detectGrowth(named: name, maximumRuns: maximumRuns, body)
        case .asynchronous(let body): await RxTrace.detectGrowth(named: name, maximumRuns: maximumRuns, body)
        }
    }

    /// Compares a report of this round trip with its expectation.
    public func finding(in report: GrowthReport) -> LeakFinding { LeakFinding(report, expected: expected) }
}

/// The comparison of a round trip's report with its expectation.
public struct LeakFinding: Sendable {
    /// Whether the report's verdict is the expected verdict.
    public let isVerdictRight: Bool
    /// The expected names that are missing from the report.
    public let missingNames: [String]
    /// Whether the report is as certain of the leak's holder as expected. It may be more certain, because each scenario
    /// is a real leak.
    public let isGradeRight: Bool

    /// Whether the report meets all expectations.
    public var isRight: Bool { isVerdictRight && missingNames.isEmpty && isGradeRight }

    init(_ report: GrowthReport, expected: LeakScenario.Expectation) {
        switch (expected, report.verdict) {
        case (.leak(let grade, let names), .growing):
            isVerdictRight = true
            let best = report.groups.filter(\.verdict.isGrowing).map { group in
                let text = Self.text(of: group)
                return (
                    missing: names.filter { !text.contains($0) }, isGradeRight: grade.allows(group.retention?.grade)
                )
            }.min { ($0.missing.count, $0.isGradeRight ? 0 : 1) < ($1.missing.count, $1.isGradeRight ? 0 : 1) }
            missingNames = best?.missing ?? names
            isGradeRight = best?.isGradeRight ?? false
        case (.waiting(let names), .pending):
            let text = report.waiting.map(\.details).joined(separator: "\n")
            (isVerdictRight, missingNames, isGradeRight) = (true, names.filter { !text.contains($0) }, true)
        case (.leak(_, let names), _), (.waiting(let names), _):
            (isVerdictRight, missingNames, isGradeRight) = (false, names, false)
        case (.clean, .clean?), (.clean, .lazy?), (.bounded, .bounded?), (.bounded, .unsteady?), (.bounded, .lazy?),
            (.bounded, .clean?):
            (isVerdictRight, missingNames, isGradeRight) = (true, [], true)
        default:
            (isVerdictRight, missingNames, isGradeRight) = (false, [], true)
        }
    }

    /// The text that a user reads about a group: its type, the user's innermost call that made it, and its holder.
    private static func text(of group: GrowthGroup) -> String {
        let maker = group.creationStack?.framesOfYours.first.map(\.description) ?? ""
        return ["\(group.metric)", maker, group.retention.map(\.description) ?? ""].joined(separator: "\n")
    }
}

extension LeakScenario.Grade {
    /// Whether a grade is at least as certain as this one.
    func allows(_ grade: RetentionGrade?) -> Bool {
        switch (self, grade) {
        case (_, .proven?), (.likely, .likely?): true
        case (_, nil), (.proven, .likely?): false
        }
    }
}
