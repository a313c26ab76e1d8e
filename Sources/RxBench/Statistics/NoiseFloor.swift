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

/// How small a difference a run could have seen.
package enum DetectableEffect {
    /// The smallest relative change that a comparison with an equal run finds in 80 % of cases at 1 % false alarms, or
    /// `nil` for fewer than seven processes, which show no change so surely, and for a median that is not positive.
    ///
    /// A rank-sum test finds a change that makes a process of the second run exceed one of the first with the
    /// probability of ``neededDominance(processes:)``; that is the quantile of the ratios between this run's own
    /// processes. Several levels and outliers count as they are: with a median absolute deviation for their spread, the
    /// effects were found far too rarely where there are two levels. It knows the spread within this run only; a second
    /// run adds its drift. O(*n*² log *n*) for *n* processes, of which 300 evenly spaced ones are taken at most.
    package static func relative(ofProcessMedians medians: [Double]) -> Double? {
        relative(ofSides: [medians], processes: medians.count)
    }

    /// The same for two runs of `processes` processes each that scatter as each of `sides` does about its own middle.
    static func relative(ofSides sides: [[Double]], processes: Int) -> Double? {
        guard let probability = neededDominance(processes: processes),
            sides.allSatisfy({ $0.allSatisfy { $0 > 0 && $0.isFinite } })
        else { return nil }
        let ratios = sides.flatMap { pairs(in: thinned($0.sorted())) }.sorted()
        return Quantiles.quantile(probability, ofSorted: ratios).map { max(0, $0 - 1) }
    }

    /// How probably a process of one run must exceed one of the other for a rank-sum test of `processes` each to show
    /// it in 80 % of cases at 1 % false alarms; `nil` for fewer than seven, of which hardly any order is so rare.
    ///
    /// *p* = ½ + σ (z₀.₉₉₅ + z₀.₈ · 2√(*p*(1 − *p*))), with σ = √((2*n* + 1)/12)/*n* the deviation of the statistic
    /// without a change: Noether, "Sample Size Determination for Some Common Nonparametric Tests" (JASA 82, 1987),
    /// where the deviation with a change is taken for the same. It shrinks as that of a share does; with that the
    /// simulated power is near the 80 % that are asked for (decision 14).
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

    /// The ratio of each value to each other one.
    private static func pairs(in values: [Double]) -> [Double] {
        values.indices.flatMap { upper in values.indices.lazy.filter { $0 != upper }.map { values[upper] / values[$0] }
        }
    }

    private static func thinned(_ sorted: [Double]) -> [Double] {
        let most = 300
        return sorted.count <= most ? sorted : (0..<most).map { sorted[$0 * (sorted.count - 1) / (most - 1)] }
    }
}
