/// The smallest difference between two versions that can be detected on a machine. It is derived from a workload that
/// was measured against itself.
package struct NoiseFloor: Sendable, Equatable {
    /// The smallest relative change that a comparison of two runs detects in 80 % of cases, at 1 % false alarms. Each
    /// run has ``processes`` processes.
    package let detectable: Double
    /// The confidence interval of ``detectable``.
    package let interval: ConfidenceInterval
    /// The number of processes of each run.
    package let processes: Int
    /// The comparison of the second side with the first. If the sides differ, they differ for a reason other than
    /// chance.
    package let comparison: ProcessComparison

    /// Creates the noise floor of two sides. Returns `nil` if a side has fewer than three processes, if a median is not
    /// positive, or if the runs have fewer than seven processes, which cannot show a change.
    ///
    /// The effect is calculated by ``DetectableEffect`` from the ratios within each side. Its interval assumes normal
    /// noise. The noise is measured by the median absolute deviation, over both sides, of each median from the middle
    /// of its side. The interval of the deviation is found with order statistics (``MedianInterval``), and the result
    /// is widened so that it contains the effect. This method treats the two middles as known: with *n* values on a
    /// side, its coverage is a few per cent too low for *n* below ten.
    /// - Parameters:
    ///   - first: The process medians of one side.
    ///   - second: The process medians of the other side. They were measured in turns with the first side.
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
    package var sidesDiffer: Bool { comparison.verdict.isChange }

    /// Returns the number of processes that a run needs to detect a change of `effect`. The detectable change is
    /// inversely proportional to the square root of that number.
    package func processes(toSee effect: Double) -> Int {
        let ratio = detectable / effect
        return Int((Double(processes) * ratio * ratio).rounded(.up))
    }
}

/// Calculates the smallest difference that a run could have detected.
package enum DetectableEffect {
    /// Returns the smallest relative change that a comparison with an equal run detects in 80 % of cases, at 1 % false
    /// alarms. Returns `nil` if there are fewer than seven processes, which cannot show a change with that confidence,
    /// or if a median is not positive.
    ///
    /// A rank-sum test detects a change if a process of the second run exceeds a process of the first run with the
    /// probability that ``neededDominance(processes:)`` returns. The effect is the quantile of the ratios between this
    /// run's processes at that probability. Data with several levels or outliers are used unchanged. If the median
    /// absolute deviation were used as the spread, effects in data with two levels would be detected far too rarely.
    /// The effect includes only the spread within this run; a second run adds its drift. O(*n*² log *n*) for *n*
    /// processes. At most 300 evenly spaced processes are used.
    package static func relative(ofProcessMedians medians: [Double]) -> Double? {
        relative(ofSides: [medians], processes: medians.count)
    }

    /// Returns the effect for two runs of `processes` processes each. The processes are assumed to scatter around the
    /// middle of their run in the same way as each of `sides`.
    static func relative(ofSides sides: [[Double]], processes: Int) -> Double? {
        guard let probability = neededDominance(processes: processes),
            sides.allSatisfy({ $0.allSatisfy { $0 > 0 && $0.isFinite } })
        else { return nil }
        let ratios = sides.flatMap { pairs(in: thinned($0.sorted())) }.sorted()
        return Quantiles.quantile(probability, ofSorted: ratios).map { max(0, $0 - 1) }
    }

    /// Returns the probability with which a process of one run must exceed a process of the other run, so that a
    /// rank-sum test with `processes` processes on each side detects the difference in 80 % of cases at 1 % false
    /// alarms. Returns `nil` for fewer than seven processes, for which hardly any order is rare enough.
    ///
    /// *p* = ½ + σ (z₀.₉₉₅ + z₀.₈ · 2√(*p*(1 − *p*))), where σ = √((2*n* + 1)/12)/*n* is the deviation of the statistic
    /// without a change: Noether, "Sample Size Determination for Some Common Nonparametric Tests" (JASA 82, 1987).
    /// Noether assumes the same deviation with a change. Here it shrinks like the deviation of a share. With this
    /// correction the simulated power is close to the required 80 % (decision 14).
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
