/// Whether a series of counts rises: how far Kendall's S lies from what no trend would give, in standard deviations.
///
/// Robust against noise, without a model of it. H. B. Mann, "Nonparametric tests against trend", Econometrica 13
/// (1945), with the variance for ties of M. G. Kendall, "Rank Correlation Methods" (1975), and the correction for
/// continuity. About standard normal if the counts have no trend; 0 if all are equal. O(n²) for *n* counts.
func trendScore(of counts: some Collection<Int>) -> Double {
    let counts = Array(counts)
    var rises = 0
    for later in counts.indices {
        for earlier in 0..<later { rises += (counts[later] - counts[earlier]).signum() }
    }
    let variance = varianceWithoutTrend(of: counts)
    return variance > 0 && rises != 0 ? Double(rises - rises.signum()) / variance.squareRoot() : 0
}

private func varianceWithoutTrend(of counts: [Int]) -> Double {
    func term(_ n: Int) -> Double { Double(n) * Double(n - 1) * Double(2 * n + 5) }
    let ties = Dictionary(grouping: counts) { $0 }.values
    return (term(counts.count) - ties.reduce(0) { $0 + term($1.count) }) / 18
}

/// The least-squares line through counts taken at equal steps: its slope, and the standard error of that, by what
/// lies beside the line.
func regression(of counts: some Collection<Int>) -> (slope: Double, standardError: Double) {
    let values = counts.map(Double.init)
    let length = Double(values.count)
    let middle = (length - 1) / 2
    let mean = values.reduce(0, +) / length
    var products = 0.0
    var squares = 0.0
    var remains = 0.0
    for (position, value) in values.enumerated() {
        products += (Double(position) - middle) * (value - mean)
        squares += (Double(position) - middle) * (Double(position) - middle)
    }
    let slope = products / squares
    for (position, value) in values.enumerated() {
        let remainder = value - mean - slope * (Double(position) - middle)
        remains += remainder * remainder
    }
    return (slope, (remains / max(1, length - 2) / squares).squareRoot())
}

extension GrowthSlope {
    /// 2.365 and 4.785: the 97.5 % and the 99.9 % quantile of Student's t with 7 degrees of freedom.
    private static let shown = 2.365, sure = 4.785

    /// The slope of 9 counts or more, taken at equal steps.
    ///
    /// By batch means (A. M. Law, W. D. Kelton, "Simulation Modeling and Analysis", 3rd edition (2000), section 9.5.3),
    /// and not by Theil and Sen, whose interval is for independent counts: the mean of the slopes between the means of
    /// nine consecutive blocks, and its interval by Student's t over those eight: what one run leaves behind is
    /// independent of the others, while the counts, which are its sums, are not. Two neighbouring slopes share a block,
    /// and a quarter of their variance: hence 1.2, the root of 1 + 2 · 7/8 · 1/4.
    init(of counts: some Collection<Int>) {
        precondition(counts.count >= 9, "A slope takes 9 counts or more, not '\(counts.count)'.")
        let length = counts.count / 9
        let counts = Array(counts.suffix(9 * length))
        let sums = (0..<9).map { block in counts[block * length..<(block + 1) * length].reduce(0, +) }
        let slopes = zip(sums, sums.dropFirst()).map { Double($1 - $0) / Double(length * length) }
        let mean = slopes.reduce(0, +) / 8
        let variance = slopes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 7
        let reach = Self.shown * 1.2 * (variance / 8).squareRoot()
        self.init(perRun: mean, interval: mean - reach...mean + reach)
    }

    /// Whether the slope is above 0 with 99.9 % confidence.
    var isSurelyAboveZero: Bool { perRun - (interval.upperBound - perRun) * Self.sure / Self.shown > 0 }
}
