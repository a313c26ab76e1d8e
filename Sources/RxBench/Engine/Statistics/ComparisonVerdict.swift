/// The verdict of a comparison of two commits or two runs, and of a figure with its limit.
package enum ComparisonVerdict: String, Codable, Sendable, CaseIterable {
    /// The figure is lower.
    case better
    /// The figure is higher.
    case worse
    /// There is no difference that matters.
    case same
    /// There are figures, but they do not suffice for a decision.
    case inconclusive
    /// A figure is missing, or must not be compared.
    case notJudged = "not judged"

    /// Whether the figure was found to have changed.
    package var isChange: Bool { self == .better || self == .worse }
}
