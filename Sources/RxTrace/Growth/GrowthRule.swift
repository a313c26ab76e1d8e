/// Tells a leak from noise, from what is made once, and from a cache with a bound.
///
/// Runs are compared with each other, never with zero. As long as the counts may rise, and have not clearly stopped,
/// the number of runs is doubled; after `maximumRuns` they have to rise beyond doubt to be called a leak. So a cache
/// capped at *c* is told apart as long as it is full before two thirds of them. How often the rule is right, over
/// shapes and seeds, is in `GrowthRuleTests` and in `Documentation/Decisions/0017-growth.md`.
struct GrowthRule {
    /// How many runs come first and do not count.
    var warmUpRuns = 3
    /// How many runs are looked at first.
    var firstRuns = 20
    /// How many runs there are at most, warm-up apart.
    var maximumRuns = 160

    /// What to do after the runs so far.
    enum Step: Equatable {
        /// The runs so far may show a leak, or a cache that is not full: run on until there are so many, warm-up
        /// included.
        case runUntil(Int)
        case decided(GrowthVerdict)
    }

    /// - Parameters:
    ///   - counts: the count after each run, warm-up included; at least `warmUpRuns + firstRuns`, or that doubled
    ///     several times.
    ///   - baseline: the count before the first run.
    func step(after counts: [Int], baseline: Int) -> Step {
        let relevant = counts.dropFirst(warmUpRuns)
        guard relevant.count >= firstRuns else { return .runUntil(warmUpRuns + firstRuns) }
        guard mayGoOn(relevant) else { return .decided(settled(Array(relevant), baseline: baseline)) }
        if relevant.count < maximumRuns { return .runUntil(warmUpRuns + min(relevant.count * 2, maximumRuns)) }
        if let slope = growth(of: relevant) { return .decided(.growing(slope)) }
        let settled = settled(Array(relevant), baseline: baseline)
        if case .bounded(let bound) = settled { return .decided(.unsteady(by: bound)) }
        return .decided(settled)
    }

    /// The slope of 16 counts or more, if they rise beyond doubt and to the end.
    func growth(of counts: ArraySlice<Int>) -> GrowthSlope? {
        let slope = GrowthSlope(of: counts)
        if isProgression(counts) { return slope }
        // 3.1: a one-sided level of 0.001, as that of the slope.
        return trendScore(of: counts) > 3.1 && slope.isSurelyAboveZero && !hasStopped(counts, slope) ? slope : nil
    }

    /// Whether the counts may rise on and on.
    private func mayGoOn(_ counts: ArraySlice<Int>) -> Bool {
        if isProgression(counts) { return true }
        let slope = GrowthSlope(of: counts)
        // 1.28: a one-sided level of 0.1. Counts that only look as if they rose cost runs, a leak that is left off
        // here is lost.
        return trendScore(of: counts) > 1.28 && slope.perRun > 0 && !hasStopped(counts, slope)
    }

    /// Whether each run adds the same, without any noise.
    private func isProgression(_ counts: ArraySlice<Int>) -> Bool {
        let steps = zip(counts.dropFirst(), counts).map { $0 - $1 }
        return steps[0] > 0 && steps.allSatisfy { $0 == steps[0] }
    }

    /// Whether the recent slope, with three standard errors for noise, is no fair part of the whole one: less than a
    /// quarter.
    private func hasStopped(_ counts: ArraySlice<Int>, _ slope: GrowthSlope) -> Bool {
        let isFirstLook = counts.count < firstRuns * 2
        let recent = regression(of: counts.suffix(isFirstLook ? counts.count / 2 : counts.count / 3))
        return recent.slope + 3 * recent.standardError < slope.perRun / 4
    }

    /// The verdict on counts that do not rise any more.
    private func settled(_ counts: [Int], baseline: Int) -> GrowthVerdict {
        let end = counts.suffix(counts.count / 2).sorted()
        let level = end[end.count / 2] - baseline
        if level <= 0 || end[0] <= baseline { return .clean }
        return counts.allSatisfy { $0 == counts[0] } ? .lazy(kept: level) : .bounded(by: end.last! - baseline)
    }
}
