/// The smallest difference between two versions that a machine can show, from a workload that was measured against
/// itself.
package struct NoiseFloor: Sendable, Equatable {
    /// The smallest relative change that a comparison of two runs of ``processes`` processes each finds in 80 % of
    /// cases at 1 % false alarms.
    package let detectable: Double
    /// The confidence interval of ``detectable``.
    package let interval: ConfidenceInterval
    /// The number of processes of each run.
    package let processes: Int
    /// The comparison of the second side with the first. Unequal sides mean that they differ for another reason than
    /// chance.
    package let comparison: ProcessComparison

    /// Returns `nil` for fewer than three processes on a side, for a median that is not positive, and for runs of fewer
    /// than seven processes, which cannot show a change.
    ///
    /// The effect is calculated by ``DetectableEffect``, from the ratios within each side. Its interval assumes normal
    /// noise with the median absolute deviation, over both sides, of each median from the middle of its side. The
    /// interval of the deviation is found by order statistics (``MedianInterval``), and the result is widened to hold
    /// the effect. This method takes the two middles as known: with *n* values on a side its coverage is a few per cent
    /// too low for *n* below ten.
    /// - Parameters:
    ///   - first: The process medians of one side.
    ///   - second: The process medians of the other side, measured in turns with the first.
    ///   - processes: The number of processes of each of the two runs that ``detectable`` describes.
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
        // The deviation of the logarithm of a ratio is √2 times the deviation of its parts' logarithms.
        let perDeviation = 1.4826 * 2.0.squareRoot() * NormalDistribution.quantile(dominance)
        interval = ConfidenceInterval(
            low: min(effect, range.low * perDeviation), high: max(effect, range.high * perDeviation),
            confidence: range.confidence)
        self.processes = processes
        self.comparison = comparison
    }

    /// Whether the two sides differ, at 1 % false alarms.
    package var sidesDiffer: Bool { comparison.verdict == .slower || comparison.verdict == .faster }

    /// Returns the number of processes that a run needs to show a change of `effect`. The detectable change falls with
    /// the square root of that number.
    package func processes(toSee effect: Double) -> Int {
        let ratio = detectable / effect
        return Int((Double(processes) * ratio * ratio).rounded(.up))
    }
}

/// Calculates the smallest difference that a run could have shown.
package enum DetectableEffect {
    /// Returns the smallest relative change that a comparison with an equal run finds in 80 % of cases at 1 % false
    /// alarms. Returns `nil` for fewer than seven processes, which cannot show a change with that confidence, and for a
    /// median that is not positive.
    ///
    /// A rank-sum test finds a change that makes a process of the second run exceed one of the first with the
    /// probability of ``neededDominance(processes:)``; the effect is that quantile of the ratios between this run's
    /// processes. Several levels and outliers are used unchanged. With a median absolute deviation as the spread, the
    /// effects were found far too rarely in data with two levels. The effect includes only the spread within this run;
    /// a second run adds its drift. O(*n*² log *n*) for *n* processes, of which at most 300 evenly spaced ones are
    /// used.
    package static func relative(ofProcessMedians medians: [Double]) -> Double? {
        relative(ofSides: [medians], processes: medians.count)
    }

    /// Returns the effect for two runs of `processes` processes each that scatter like each of `sides` about its
    /// middle.
    static func relative(ofSides sides: [[Double]], processes: Int) -> Double? {
        guard let probability = neededDominance(processes: processes),
            sides.allSatisfy({ $0.allSatisfy { $0 > 0 && $0.isFinite } })
        else { return nil }
        let ratios = sides.flatMap { pairs(in: thinned($0.sorted())) }.sorted()
        return Quantiles.quantile(probability, ofSorted: ratios).map { max(0, $0 - 1) }
    }

    /// Returns the probability with which a process of one run must exceed a process of the other, so that a rank-sum
    /// test of `processes` each shows the difference in 80 % of cases at 1 % false alarms. Returns `nil` for fewer than
    /// seven processes, for which hardly any order is rare enough.
    ///
    /// *p* = ½ + σ (z₀.₉₉₅ + z₀.₈ · 2√(*p*(1 − *p*))), with σ = √((2*n* + 1)/12)/*n* the deviation of the statistic
    /// without a change: Noether, "Sample Size Determination for Some Common Nonparametric Tests" (JASA 82, 1987),
    /// where the deviation with a change is assumed to be the same. Here it shrinks like the deviation of a share. With
    /// this correction the simulated power is near the required 80 % (decision 14).
    static func neededDominance(processes: Int) -> Double? {
        guard processes >= 7 else { return nil }
        let count = Double(processes)
        let deviation = ((2 * count + 1) / 12).squareRoot() / count
        var low = 0.5
        var high = 1.0
        for _ in 0..<50 {
            let middle = (low + high) / 2
            let needed = 0.5 + deviation * (2.5758 + 0.8416 * 2 * (middle * (1 - middle)).squareRoot())
            if middle < needed { low = middle } else { high = middle }
        }
        return high
    }

    /// Returns the ratio of each value to each other value.
    private static func pairs(in values: [Double]) -> [Double] {
        values.indices.flatMap { upper in values.indices.lazy.filter { $0 != upper }.map { values[upper] / values[$0] }
        }
    }

    private static func thinned(_ sorted: [Double]) -> [Double] {
        let most = 300
        return sorted.count <= most ? sorted : (0..<most).map { sorted[$0 * (sorted.count - 1) / (most - 1)] }
    }
}
