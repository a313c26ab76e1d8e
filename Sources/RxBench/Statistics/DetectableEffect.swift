/// How small a difference a run could have seen.
public enum DetectableEffect {
    /// The smallest relative change that a comparison with an equal run finds in 80 % of cases at 1 % false alarms, or `nil` for fewer than
    /// three processes.
    ///
    /// (z₀.₉₉₅ + z₀.₈) · s · √(2/*n*) · √(π/3), with *s* the relative spread of the process medians, 1.4826 · MAD / median: Lehmann, "Nonparametrics:
    /// Statistical Methods Based on Ranks" (1975), sections 2.3 and 2.4. It knows the spread within this run only; a second run adds its drift.
    public static func relative(ofProcessMedians medians: [Double]) -> Double? {
        guard medians.count >= 3, let median = Quantiles.median(of: medians), median > 0,
            let deviation = Quantiles.medianAbsoluteDeviation(of: medians)
        else { return nil }
        return relative(deviation: deviation / median, processes: medians.count)
    }

    /// The same from a relative median absolute deviation, for runs of `processes` processes each.
    static func relative(deviation: Double, processes: Int) -> Double {
        let normalQuantiles = 2.5758 + 0.8416
        let efficiency = (Double.pi / 3).squareRoot()
        return normalQuantiles * 1.4826 * deviation * (2 / Double(processes)).squareRoot() * efficiency
    }
}
