/// How small a difference between two versions a machine lets see, from a workload that was measured against itself.
package struct NoiseFloor: Sendable, Equatable {
    /// The smallest relative change that a comparison of two runs of so many processes each finds in 80 % of cases at 1
    /// % false alarms.
    package let detectable: Double
    /// Where ``detectable`` lies.
    package let interval: ConfidenceInterval
    /// The processes of each run.
    package let processes: Int
    /// The second side compared with the first; unequal sides mean that something beside chance tells them apart.
    package let comparison: ProcessComparison

    /// `nil` for fewer than three processes a side, for a median that is not positive, and for runs of fewer than seven
    /// processes, which show nothing.
    ///
    /// The effect is that of ``DetectableEffect``, from the ratios within each side. Its interval is that of normal
    /// noise with the median absolute deviation of each median from the middle of its own side, of both sides together,
    /// by order statistics (``MedianInterval``), widened to hold the effect. That takes the two middles as known: with
    /// *n* values a side its coverage falls short by a few per cent for *n* below ten.
    /// - Parameters:
    ///   - first: The process medians of one side.
    ///   - second: Those of the other, taken in turns with the first.
    ///   - processes: How many processes each of the two runs has that ``detectable`` speaks of.
    package init?(first: [Double], second: [Double], processes: Int) {
        guard first.count >= 3, second.count >= 3, processes > 0,
            let comparison = ProcessComparison.compare(
                baseline: first, candidate: second, significance: 0.01, margin: 0)
        else { return nil }
        let deviations = [first, second].flatMap { side in
            let middle = Quantiles.median(of: side) ?? 1
            return side.map { ($0 - middle).magnitude / middle }
        }
        guard let range = MedianInterval.estimate(of: deviations),
            let effect = DetectableEffect.relative(ofSides: [first, second], processes: processes),
            let dominance = DetectableEffect.neededDominance(processes: processes)
        else { return nil }
        detectable = effect
        // The logarithm of a ratio deviates √2 times as far as those of its parts.
        let perDeviation = 1.4826 * 2.0.squareRoot() * NormalDistribution.quantile(dominance)
        interval = ConfidenceInterval(
            low: min(effect, range.low * perDeviation), high: max(effect, range.high * perDeviation),
            confidence: range.confidence)
        self.processes = processes
        self.comparison = comparison
    }

    /// Whether the two sides differ, at 1 % false alarms.
    package var sidesDiffer: Bool { comparison.verdict == .slower || comparison.verdict == .faster }

    /// How many processes a run needs to see a change of `effect`: the detectable change falls with the root of their
    /// number.
    package func processes(toSee effect: Double) -> Int {
        let ratio = detectable / effect
        return Int((Double(processes) * ratio * ratio).rounded(.up))
    }
}
