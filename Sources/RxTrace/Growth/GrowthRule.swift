/// Tells a leak from noise, from what is made once, and from a cache with a bound.
///
/// Runs are compared with each other, never with zero. A rise has to be significant over all runs that count and still go on in
/// the second half; then the number of runs is doubled, and the rise has to go on in the last quarter, until
/// `maximumRuns` leave no doubt: a cache capped at *c* is told apart as long as it is full before three quarters of them.
/// How often the rule is right is in `GrowthRuleTests`, over 400 series of each shape.
struct GrowthRule {
    /// How many runs come first and do not count.
    var warmUpRuns = 3
    /// How many runs are looked at first.
    var firstRuns = 20
    /// How many runs there are at most, warm-up apart.
    var maximumRuns = 160

    /// What to do after the runs so far.
    enum Step: Equatable {
        /// The runs so far may show a leak, or a cache that is not full: run on until there are so many, warm-up included.
        case runUntil(Int)
        case decided(GrowthVerdict)
    }

    /// - Parameters:
    ///   - counts: the count after each run, warm-up included; at least `warmUpRuns + firstRuns`, or that doubled several times.
    ///   - baseline: the count before the first run.
    func step(after counts: [Int], baseline: Int) -> Step {
        let relevant = counts.dropFirst(warmUpRuns)
        guard relevant.count >= firstRuns else { return .runUntil(warmUpRuns + firstRuns) }
        guard isRising(relevant) else { return .decided(settled(Array(relevant), baseline: baseline)) }
        if relevant.count < maximumRuns { return .runUntil(warmUpRuns + min(relevant.count * 2, maximumRuns)) }
        return .decided(.growing(GrowthSlope(of: relevant)))
    }

    /// Whether the runs so far, warm-up included, may show a leak.
    func isRising(after counts: [Int]) -> Bool {
        let relevant = counts.dropFirst(warmUpRuns)
        return relevant.count >= firstRuns && isRising(relevant)
    }

    func isRising(_ counts: ArraySlice<Int>) -> Bool {
        if isProgression(counts) { return true }
        let isFirstLook = counts.count < firstRuns * 2
        let recent = counts.suffix(isFirstLook ? counts.count / 2 : counts.count / 4)
        // 3.1 and 1.7: one-sided levels of 0.001 over all and 0.05 at the end.
        return trendScore(of: counts) > 3.1 && trendScore(of: recent) > 1.7 && recent.min()! > counts.prefix(counts.count / 2).min()!
    }

    /// Whether each run adds the same, without any noise.
    private func isProgression(_ counts: ArraySlice<Int>) -> Bool {
        let steps = zip(counts.dropFirst(), counts).map { $0 - $1 }
        return steps[0] > 0 && steps.allSatisfy { $0 == steps[0] }
    }

    /// The verdict on counts that do not rise any more.
    private func settled(_ counts: [Int], baseline: Int) -> GrowthVerdict {
        let end = counts.suffix(counts.count / 2).sorted()
        let level = end[end.count / 2] - baseline
        if level <= 0 || end[0] <= baseline { return .clean }
        return counts.allSatisfy { $0 == counts[0] } ? .lazy(kept: level) : .bounded(by: end.last! - baseline)
    }
}
