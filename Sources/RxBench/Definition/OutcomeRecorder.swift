/// The grade that the author of a race gives an outcome.
public enum Expectation: String, Codable, Sendable, CaseIterable {
    /// A correct outcome.
    case acceptable
    /// A correct outcome whose frequency is worth knowing.
    case interesting
    /// A defect. If it occurs once, the run ends with exit code 1.
    case forbidden
}

/// The number of times that an outcome occurred.
public struct RaceOutcome: Codable, Sendable, Equatable {
    /// A short description of the observed result, such as `lost update`.
    public let label: String
    /// The grade of the outcome.
    public let expectation: Expectation
    /// The number of rounds that ended with the outcome.
    public var count: UInt64

    /// Creates an outcome with the given count.
    public init(label: String, expectation: Expectation, count: UInt64) {
        self.label = label
        self.expectation = expectation
        self.count = count
    }
}

/// Counts the graded outcomes of a workload's rounds.
///
/// This class is not thread-safe. Record on one thread, after the racing threads have been joined or have met at a
/// barrier.
public final class OutcomeRecorder {
    private var counts: [Key: UInt64] = [:]

    private struct Key: Hashable {
        let label: String
        let expectation: Expectation
    }

    /// Creates an empty recorder, with which a test can run a workload's iteration.
    public init() {}

    /// Adds `count` rounds that ended with the outcome `label`.
    public func record(_ label: String, _ expectation: Expectation, count: UInt64 = 1) {
        counts[Key(label: label, expectation: expectation), default: 0] += count
    }

    /// All recorded outcomes. Forbidden outcomes come first, and outcomes of the same rank are sorted by label.
    public var outcomes: [RaceOutcome] {
        counts.map { RaceOutcome(label: $0.key.label, expectation: $0.key.expectation, count: $0.value) }.inReportOrder
    }
}

extension [RaceOutcome] {
    /// The outcomes in the order of reports: forbidden outcomes, then interesting ones, then the others. Outcomes of
    /// the same rank are sorted by label.
    package var inReportOrder: [RaceOutcome] {
        func rank(_ outcome: RaceOutcome) -> Int {
            switch outcome.expectation {
            case .forbidden: 0
            case .interesting: 1
            case .acceptable: 2
            }
        }
        return sorted { (rank($0), $0.label) < (rank($1), $1.label) }
    }

    /// Returns the outcomes of both lists. The counts of equal outcomes are added.
    package func merged(with other: [RaceOutcome]) -> [RaceOutcome] {
        let recorder = OutcomeRecorder()
        for outcome in self + other { recorder.record(outcome.label, outcome.expectation, count: outcome.count) }
        return recorder.outcomes
    }
}
