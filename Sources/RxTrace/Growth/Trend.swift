/// Whether a series of counts rises: how far Kendall's S lies from what no trend would give, in standard deviations.
///
/// Robust against noise, without a model of it. H. B. Mann, "Nonparametric tests against trend", Econometrica 13 (1945), with the
/// variance for ties of M. G. Kendall, "Rank Correlation Methods" (1975), and the correction for continuity. About standard normal
/// if the counts have no trend; 0 if all are equal. O(n²) for *n* counts.
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

extension GrowthSlope {
    /// The slope of counts taken at equal steps, at least `2 * blocks`.
    ///
    /// By batch means (A. M. Law, W. D. Kelton, "Simulation Modeling and Analysis", 3rd edition (2000), section 9.5.3), and not by Theil
    /// and Sen, whose interval is for independent counts: the mean of the slopes of consecutive blocks, and its interval by Student's t over the blocks: what one run leaves behind is
    /// independent of the others, while the counts, which are its sums, are not.
    init(of counts: some Collection<Int>, blocks: Int = 8) {
        let counts = Array(counts)
        precondition(blocks == 8 && counts.count >= 2 * blocks, "A slope takes 16 counts or more, not '\(counts.count)'.")
        let bounds = (0...blocks).map { $0 * (counts.count - 1) / blocks }
        let slopes = zip(bounds, bounds.dropFirst()).map { Double(counts[$1] - counts[$0]) / Double($1 - $0) }
        let mean = slopes.reduce(0, +) / Double(blocks)
        let variance = slopes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(blocks - 1)
        // 2.365: the 97.5 % quantile of Student's t with 7 degrees of freedom.
        let reach = 2.365 * (variance / Double(blocks)).squareRoot()
        self.init(perRun: mean, interval: mean - reach...mean + reach)
    }
}
