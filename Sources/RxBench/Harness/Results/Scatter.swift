import RxBenchStatistics

/// How the processes of a sampled metric differ from each other, and so how small a change they could have shown.
///
/// ```swift
/// let scatter = Scatter(ofProcessMedians: [10, 11, 10, 12, 11, 10, 11, 12, 50])
/// print(scatter.outliers ?? 0, scatter.oddities)  // 1 []
/// ```
public struct Scatter: Codable, Sendable, Equatable {
    /// A shape of which a median and its interval do not tell enough.
    public enum Oddity: String, Codable, Sendable, CaseIterable {
        /// The processes fall into more than one level.
        case severalLevels
        /// The figure rose or fell from process to process.
        case drift
    }

    /// The smallest relative change that a comparison with an equal run finds in 80 % of cases at 1 % false alarms (the
    /// minimum detectable effect); drift between runs is not counted. `nil` for fewer than seven processes.
    public let detectable: Double?
    /// How many processes lie far from the others. They are kept: the figure and its interval count them. `nil` for
    /// fewer than four processes.
    public let outliers: Int?
    /// What the figure does not tell; empty for fewer than eight processes, which cannot say.
    public let oddities: [Oddity]

    /// The scatter of `values`, one for each process in the order of measurement. O(*n*²).
    public init(ofProcessMedians values: [Double]) {
        detectable = DetectableEffect.relative(ofProcessMedians: values).flatMap { $0.isFinite ? $0 : nil }
        outliers = values.count < 4 ? nil : Outliers.count(in: values)
        let severalLevels: [Oddity] = Modality.isMultimodal(values) ? [.severalLevels] : []
        // A thousandth: a suite has hundreds of series.
        oddities = severalLevels + (Drift.probability(of: values) < 0.001 ? [.drift] : [])
    }
}

extension Metric {
    /// How the processes of a sampled metric differ; `nil` for an exact metric and for one that could not be read.
    /// O(*n*²) in processes.
    public var scatter: Scatter? { kind == .sampled && !values.isEmpty ? Scatter(ofProcessMedians: values) : nil }
}
