import Rx
import RxTrace

extension LeakScenario {
    /// Repeats the round trip and looks for growth.
    ///
    /// - Parameters:
    ///   - runs: how many runs are looked at first; 16 or more.
    ///   - maximumRuns: how many there are at most, while counts rise.
    nonisolated(nonsending) public func detectGrowth(runs: Int = 20, maximumRuns: Int = 40) async -> GrowthReport {
        switch body {
        case .synchronous(let body): RxTrace.detectGrowth(named: name, runs: runs, maximumRuns: maximumRuns, body)
        case .asynchronous(let body): await RxTrace.detectGrowth(named: name, runs: runs, maximumRuns: maximumRuns, body)
        }
    }

    /// Compares a report of this round trip with what is known of it.
    public func finding(in report: GrowthReport) -> LeakFinding { LeakFinding(report, expected: expected) }
}

/// How a report of a round trip compares with what is known of it.
public struct LeakFinding: Sendable {
    /// Whether it leaks or not, as it should.
    public let isVerdictRight: Bool
    /// The names that the report should mention and does not.
    public let missingNames: [String]
    /// Whether the report is as sure as it may be, and no surer.
    public let isGradeRight: Bool

    /// Whether all is as it should be.
    public var isRight: Bool { isVerdictRight && missingNames.isEmpty && isGradeRight }

    init(_ report: GrowthReport, expected: LeakScenario.Expectation) {
        switch (expected, report.verdict) {
        case (.leak(_, let names), .growing):
            isVerdictRight = true
            let text = Self.text(of: report)
            missingNames = names.filter { !text.contains($0) }
            isGradeRight = true
        case (.leak(_, let names), _):
            (isVerdictRight, missingNames, isGradeRight) = (false, names, false)
        case (.clean, .clean?), (.clean, .lazy?), (.bounded, .bounded?), (.bounded, .lazy?), (.bounded, .clean?):
            (isVerdictRight, missingNames, isGradeRight) = (true, [], true)
        default:
            (isVerdictRight, missingNames, isGradeRight) = (false, [], true)
        }
    }

    private static func text(of report: GrowthReport) -> String {
        report.groups.filter(\.verdict.isGrowing).map(\.description).joined(separator: "\n")
    }
}
