/// Distinguishes a leak from noise, from objects that are made once, and from a cache with a limit.
///
/// Runs are compared with each other, never with zero. While the counts may rise, and have not clearly stopped, the
/// number of runs is doubled. After `maximumRuns` they must certainly rise to be called a leak. A cache with a limit
/// is therefore recognised if it is full before two thirds of these runs. Counts that certainly rise more slowly than
/// at first may belong to a cache that is not full, and are only *rising*. `GrowthRuleTests` and
/// `Documentation/Decisions/0017-growth.md` show how often the rule is right, over shapes and seeds.
///
/// Bytes can also grow in steps: a collection that grows in place allocates only when it doubles. Its bytes rise in
/// each octave of the runs, from the *n*/2-th to the *n*-th. The bytes of a cache with a limit do not.
struct GrowthRule {
    /// The number of runs that come first and do not count.
    var warmUpRuns = 3
    /// The number of runs, after the warm-up, before the first decision.
    var firstRuns = 20
    /// The maximum number of runs, without the warm-up.
    var maximumRuns = 160

    /// The next step after the runs so far.
    enum Step: Equatable {
        /// The runs so far may show a leak, or a cache that is not full. Continue until there is this number of runs,
        /// including the warm-up.
        case runUntil(Int)
        case decided(GrowthVerdict)
    }

    /// - Parameters:
    ///   - counts: the count after each run, including the warm-up.
    ///   - baseline: the count before the first run.
    ///   - growsInSteps: whether the counts are bytes, which a collection allocates in steps.
    func step(after counts: [Int], baseline: Int, growsInSteps: Bool = false) -> Step {
        let relevant = counts.dropFirst(warmUpRuns)
        guard relevant.count >= firstRuns else { return .runUntil(warmUpRuns + firstRuns) }
        if relevant.allSatisfy({ $0 == relevant.first }) {
            return .decided(settled(Array(relevant), baseline: baseline))
        }
        guard mayGoOn(relevant) || growsInSteps && mayStepOn(counts) else {
            return .decided(settled(Array(relevant), baseline: baseline))
        }
        if relevant.count < maximumRuns { return .runUntil(warmUpRuns + min(relevant.count * 2, maximumRuns)) }
        if let slope = growth(of: relevant) ?? (growsInSteps ? steppedGrowth(of: counts) : nil) {
            let rise = relevant.max()! - baseline
            return .decided(slowsDown(relevant) ? .rising(by: rise) : .growing(slope))
        }
        // The counts still rise, so compare them with the end of the warm-up if the first runs released memory of
        // earlier code.
        let settled = settled(Array(relevant), baseline: min(baseline, counts[warmUpRuns - 1]))
        if case .bounded(let bound) = settled {
            return .decided(roseForGood(counts) ? .rising(by: bound) : .unsteady(by: bound))
        }
        return .decided(settled)
    }

    /// The next step after the counts of a series. If some changes were left out of the series, it grows only if the
    /// series with these changes may grow, too.
    func step(after series: GrowthTable.Series, growsInSteps: Bool) -> Step {
        let step = step(after: series.counts, baseline: 0, growsInSteps: growsInSteps)
        guard case .decided(.growing) = step, let all = series.countsOfAllRuns,
            case .decided(let other) = self.step(after: all, baseline: 0, growsInSteps: growsInSteps), !other.mayGrow
        else { return step }
        return .decided(.rising(by: series.counts.max() ?? 0))
    }

    /// The slope of 16 counts or more, if they certainly rise, and have not stopped; otherwise `nil`.
    func growth(of counts: ArraySlice<Int>) -> GrowthSlope? {
        let slope = GrowthSlope(of: counts)
        if isProgression(counts) || risesThroughout(counts) { return slope }
        // 3.1: a one-sided level of 0.001, the same as the level of the slope.
        return trendScore(of: counts) > 3.1 && slope.isSurelyAboveZero && !hasStopped(counts, slope) ? slope : nil
    }

    /// Whether the counts may continue to rise.
    private func mayGoOn(_ counts: ArraySlice<Int>) -> Bool {
        if isProgression(counts) || risesThroughout(counts) { return true }
        let slope = GrowthSlope(of: counts)
        // A falling count belongs to objects from before the runs, and may hide a rising one.
        if trendScore(of: counts) < -3.1 { return true }
        // 1.28: a one-sided level of 0.1. Counts that only seem to rise cost further runs, while a leak that is
        // dismissed here is never found.
        return trendScore(of: counts) > 1.28 && slope.perRun > 0 && !hasStopped(counts, slope)
    }

    // MARK: Steps

    /// The level after the first *n* runs: the median of the last three of their counts.
    private func level(of counts: [Int], after n: Int) -> Int {
        let window = counts.prefix(n).suffix(3).sorted()
        return window[window.count / 2]
    }

    /// Whether the counts rose within the last two octaves, or are lower than at the end of the warm-up. The latter
    /// counts only up to 40 runs after the warm-up: memory that is released then was allocated before the runs, and may
    /// hide a rise.
    private func mayStepOn(_ counts: [Int]) -> Bool {
        if counts.count <= warmUpRuns + 2 * firstRuns, counts[counts.count - 1] < counts[warmUpRuns - 1] { return true }
        return isRising(counts)
    }

    private func isRising(_ counts: [Int]) -> Bool {
        level(of: counts, after: counts.count) > level(of: counts, after: max(warmUpRuns, counts.count / 4))
            && trendScore(of: counts.dropFirst(warmUpRuns)) > 1.28
    }

    /// Returns the slope of counts that rise in each of the last three octaves, by at least half of the rise in the
    /// previous octave, and by more than their scatter.
    ///
    /// All runs count, including the warm-up: a table with one more entry per run then doubles once in each octave,
    /// wherever that octave begins.
    private func steppedGrowth(of counts: [Int]) -> GrowthSlope? {
        let ends = (0...3).map { counts.count >> $0 }
        guard ends[3] > warmUpRuns else { return nil }
        let levels = ends.map { level(of: counts, after: $0) }
        let rises = zip(levels, levels.dropFirst()).map { $0 - $1 }
        let recent = counts.suffix(counts.count / 8)
        let changes = zip(recent.dropFirst(), recent).map { abs($0 - $1) }.sorted()
        let scatter = changes[changes.count / 2]
        guard rises.allSatisfy({ $0 > 6 * scatter && $0 > 0 }), rises[0] * 2 >= rises[1], rises[1] * 2 >= rises[2]
        else { return nil }
        // A table of *n* entries has room for n to 2n, so the slope of its bytes may differ from the slope of its
        // entries by this factor.
        let perRun = Double(levels[0] - levels[3]) / Double(ends[0] - ends[3])
        return GrowthSlope(perRun: perRun, interval: perRun / 2...perRun * 2)
    }

    /// Whether the counts rose in each of the last two octaves and did not fall back, and rose in the last one by no
    /// less than in the previous one. Every count of an octave's last quarter must be above all counts before the
    /// octave.
    private func roseForGood(_ counts: [Int]) -> Bool {
        func rise(to end: Int) -> Int {
            let before = counts[warmUpRuns..<max(warmUpRuns + 1, end / 2)].max()!
            return counts[(end - max(end / 8, 1))..<end].min()! - before
        }
        // Fewer runs in an octave are not enough, because counts that settle within them rise too.
        guard counts.count >= 160 else { return false }
        let rises = (last: rise(to: counts.count), before: rise(to: counts.count / 2))
        return rises.before > 0 && rises.last >= rises.before
    }

    /// Whether each run adds the same amount, without any noise.
    private func isProgression(_ counts: ArraySlice<Int>) -> Bool {
        let steps = zip(counts.dropFirst(), counts).map { $0 - $1 }
        return steps[0] > 0 && steps.allSatisfy { $0 == steps[0] }
    }

    /// Whether no run lowers the count, and at least two of three runs raise it, also in the second half.
    ///
    /// The slope of such counts may be uncertain: the step of an array that doubles can be a hundred times as large as
    /// the other steps.
    private func risesThroughout(_ counts: ArraySlice<Int>) -> Bool {
        let steps = zip(counts.dropFirst(), counts).map { $0 - $1 }
        func rises(_ steps: ArraySlice<Int>) -> Bool { steps.count { $0 > 0 } * 3 >= steps.count * 2 }
        return steps.allSatisfy { $0 >= 0 } && rises(steps[...]) && rises(steps.suffix(steps.count / 2))
    }

    /// Whether the recent slope, plus three standard errors for noise, is less than a quarter of the whole slope; or
    /// whether the last sixth of 160 counts or more is constant.
    private func hasStopped(_ counts: ArraySlice<Int>, _ slope: GrowthSlope) -> Bool {
        // A leak that occurs with probability 1/4 in each run does not occur in 26 runs in 1 of 2,000 cases.
        if counts.count >= firstRuns * 8, counts.suffix(counts.count / 6).allSatisfy({ $0 == counts.last }) {
            return true
        }
        let isFirstLook = counts.count < firstRuns * 2
        let recent = regression(of: counts.suffix(isFirstLook ? counts.count / 2 : counts.count / 3))
        return recent.slope + 3 * recent.standardError < slope.perRun / 4
    }

    /// Whether the second half of the runs certainly adds less than the first half, at most two thirds: B. L. Welch,
    /// "The generalization of Student's problem when several different population variances are involved", Biometrika
    /// 34 (1947). A half in which each run adds the same does not slow down.
    private func slowsDown(_ counts: ArraySlice<Int>) -> Bool {
        let steps = zip(counts.dropFirst(), counts).map { Double($0 - $1) }
        func moments(_ steps: ArraySlice<Double>) -> (mean: Double, error: Double) {
            let mean = steps.reduce(0, +) / Double(steps.count)
            let squares = steps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
            return (mean, squares / Double(steps.count - 1) / Double(steps.count))
        }
        let (first, last) = (moments(steps[..<(steps.count / 2)]), moments(steps[(steps.count / 2)...]))
        // 3.1: a one-sided level of 0.001, as for the slope.
        return last.error > 0 && last.mean * 3 <= first.mean * 2
            && first.mean - last.mean > 3.1 * (first.error + last.error).squareRoot()
    }

    /// The verdict on counts that no longer rise.
    private func settled(_ counts: [Int], baseline: Int) -> GrowthVerdict {
        let end = counts.suffix(counts.count / 2).sorted()
        let level = end[end.count / 2] - baseline
        if level <= 0 || end[0] <= baseline { return .clean }
        return counts.allSatisfy { $0 == counts[0] } ? .lazy(kept: level) : .bounded(by: end.last! - baseline)
    }
}

/// Returns Kendall's S of a series of counts, in standard deviations of a series without a trend.
///
/// Robust against noise, without a model of it. H. B. Mann, "Nonparametric tests against trend", Econometrica 13
/// (1945), with the variance for ties of M. G. Kendall, "Rank Correlation Methods" (1975), and the correction for
/// continuity. The result is about standard normal if the counts have no trend, and 0 if all counts are equal. If there
/// are more than 320 counts, every *k*-th count is used, with the smallest *k* that leaves at most 320. O(n²) for up to
/// 320 counts, O(n) for more.
func trendScore(of counts: some Collection<Int>) -> Double {
    let counts = thinned(Array(counts))
    var rises = 0
    for later in counts.indices {
        for earlier in 0..<later { rises += (counts[later] - counts[earlier]).signum() }
    }
    let variance = untrendedVariance(of: counts)
    return variance > 0 && rises != 0 ? Double(rises - rises.signum()) / variance.squareRoot() : 0
}

private func thinned(_ counts: [Int]) -> [Int] {
    let step = (counts.count + 319) / 320
    return step <= 1 ? counts : stride(from: counts.count - 1, through: 0, by: -step).reversed().map { counts[$0] }
}

private func untrendedVariance(of counts: [Int]) -> Double {
    func term(_ n: Int) -> Double { Double(n) * Double(n - 1) * Double(2 * n + 5) }
    let ties = Dictionary(grouping: counts) { $0 }.values
    return (term(counts.count) - ties.reduce(0) { $0 + term($1.count) }) / 18
}

/// Returns the slope of the least-squares line through counts taken at equal steps, and its standard error, from the
/// residuals.
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

    /// Estimates the slope of 9 counts or more, taken at equal steps.
    ///
    /// By batch means (A. M. Law, W. D. Kelton, "Simulation Modeling and Analysis", 3rd edition (2000), section 9.5.3):
    /// the mean of the slopes between the means of nine consecutive blocks, with an interval by Student's t over those
    /// eight slopes. The method of Theil and Sen is not used, because its interval is for independent counts. The
    /// numbers of objects that the runs leave behind are independent of each other, but the counts, which are the sums
    /// of these numbers, are not. Two neighbouring slopes share a block, and a quarter of their variance. Therefore the
    /// interval has a factor of 1.2, the root of 1 + 2 · 7/8 · 1/4.
    init(of counts: some Collection<Int>) {
        precondition(counts.count >= 9, "A slope takes 9 counts or more, not '\(counts.count)'.")
        let length = counts.count / 9
        let counts = Array(counts.suffix(9 * length))
        // Differences from the first count, as Double: a count of nanoseconds is large, and the sum of such counts
        // larger still.
        let rises = counts.map { Double($0 &- counts[0]) }
        let sums = (0..<9).map { block in rises[block * length..<(block + 1) * length].reduce(0, +) }
        let slopes = zip(sums, sums.dropFirst()).map { ($1 - $0) / Double(length * length) }
        let mean = slopes.reduce(0, +) / 8
        let variance = slopes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 7
        let reach = Self.shown * 1.2 * (variance / 8).squareRoot()
        self.init(perRun: mean, interval: mean - reach...mean + reach)
    }

    /// Whether the slope is above 0 with 99.9 % confidence.
    var isSurelyAboveZero: Bool { perRun - (interval.upperBound - perRun) * Self.sure / Self.shown > 0 }
}
