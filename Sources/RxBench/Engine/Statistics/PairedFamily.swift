#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Several comparisons of two sides that are made together. The family decides which comparisons have changed, with one
/// probability of error over all comparisons and all looks.
///
/// Each look uses Holm's step-down test (Scandinavian Journal of Statistics 6, 1979) with that look's share of the
/// error. The error that a rejected comparison no longer needs is passed on to the others: Maurer, Bretz, "Multiple
/// Testing in Group Sequential Trials Using Graphical Approaches" (Statistics in Biopharmaceutical Research 5, 2013).
package struct PairedFamily: Sendable {
    /// The state of one comparison.
    package struct Finding: Sendable, Equatable {
        /// The ratio of head to base.
        package let ratio: Double
        /// The confidence interval of the ratio, for this comparison alone. It holds regardless of when the comparison
        /// was stopped. Its ends may be 0 and infinity.
        package let interval: ConfidenceInterval
        /// The smallest relative change that would have been detected in 80 % of such comparisons, or `nil` without a
        /// finite interval.
        package let detectable: Double?
        /// The verdict: changed, with confidence over all comparisons together; the same within the margin; or
        /// inconclusive.
        package let verdict: ComparisonVerdict
        /// The verdict on the family's bound, which is the claim that *head is slower by at most this*; `nil` without a
        /// bound. It is the same if the whole interval lies below the bound, worse if the ratio lies above the bound
        /// with confidence over all comparisons together, and otherwise inconclusive.
        package let bound: ComparisonVerdict?
        /// Whether no more data are needed. With a bound, this means that the bound is decided. Otherwise it means that
        /// the interval is as narrow as requested or, if no precision was requested, that there is a verdict.
        package let isSettled: Bool
    }

    /// The probability of finding a change in any unchanged comparison.
    package let significance: Double
    /// The relative difference below which sides count as the same.
    package let margin: Double
    /// The largest relative distance of an interval's ends from the estimate at which its comparison stops. If it is
    /// `nil`, the comparison continues until there is a verdict.
    package let precision: Double?
    /// The relative slowdown that decides, instead of the margin, when a comparison stops. It is `nil` for no bound.
    package let bound: Double?
    /// The findings so far. The finding of a comparison without data is `nil`.
    package private(set) var findings: [Finding?]
    private var spending = AlphaSpending()
    /// The share of an interval's error that is left for the planned looks.
    private var intervalShare = 1.0
    /// The share of the error that the look at the bound spends. It is the smallest share for which ``fewestForBound``
    /// values have a finite interval.
    private static let boundShare = 0.4
    /// The smallest number of values with which a comparison can be shown to be within the bound, if all of them are
    /// below it.
    package static let fewestForBound = 9

    /// Creates a family of `count` comparisons.
    package init(
        count: Int, significance: Double = 0.01, margin: Double, precision: Double? = nil, bound: Double? = nil
    ) {
        self.significance = significance
        self.margin = margin
        self.precision = precision
        self.bound = bound
        findings = Array(repeating: nil, count: count)
    }

    /// The share of the planned data at the latest look, or 0 before the first look.
    package var lookedAt: Double { spending.fraction }

    /// Whether no comparison needs more data.
    package var isSettled: Bool { findings.allSatisfy { $0?.isSettled ?? false } }

    /// Looks at the data when the share `fraction` of the planned data has been collected. The last look is at 1.
    ///
    /// - Parameter logRatios: For each comparison, independent logarithms of the ratio of head to base, one for each
    ///   layout. Settled comparisons are not looked at again, and a comparison without values has no finding.
    package mutating func look(at fraction: Double, _ logRatios: [[Double]]) {
        precondition(
            logRatios.count == findings.count, "There are data of \(logRatios.count) comparisons for \(findings.count)."
        )
        let share = spending.look(at: fraction)
        let (open, ranks) = unsettled(logRatios)
        let changed = rejections(of: 0, ranks, share: share) { $0.verdict.isChange }
        let far = bound.map { rejections(of: log(1 + $0), ranks, share: share) { $0.bound == .worse } } ?? []
        for (place, index) in open.enumerated() {
            guard let rank = ranks[place] else { continue }
            findings[index] = finding(
                rank, isChanged: changed.contains(place), isFar: far.contains(place), share: intervalShare * share)
        }
    }

    /// Settles the comparisons whose first few values show that they are within the bound. This look is made before the
    /// first planned look.
    ///
    /// The look spends a part of the intervals' error, but no part of the error of finding a change where there is
    /// none. Does nothing without a bound.
    ///
    /// - Precondition: No look was made before.
    package mutating func lookAtBound(_ logRatios: [[Double]]) {
        precondition(
            spending.fraction == 0 && intervalShare == 1, "The look at the bound comes once, before the others.")
        guard bound != nil else { return }
        intervalShare -= Self.boundShare
        let (open, ranks) = unsettled(logRatios)
        for (index, rank) in zip(open, ranks) {
            guard let rank else { continue }
            findings[index] = finding(rank, isChanged: false, isFar: false, share: Self.boundShare)
        }
    }

    private func unsettled(_ logRatios: [[Double]]) -> (places: [Int], ranks: [SignedRank?]) {
        let places = findings.indices.filter { findings[$0]?.isSettled != true }
        return (places, places.map { SignedRank(logRatios[$0]) })
    }

    /// Returns the indices of comparisons whose middle is not `center`, with confidence over all comparisons except
    /// those that were rejected at earlier looks.
    private func rejections(
        of center: Double, _ ranks: [SignedRank?], share: Double, isRejected: (Finding) -> Bool
    ) -> Set<Int> {
        let probabilities = ranks.indices.compactMap { place in
            ranks[place].map { (place: place, value: $0.probability(center: center)) }
        }.sorted { $0.value < $1.value }
        var rejected = Set<Int>()
        var remaining = findings.count { $0.map { !isRejected($0) } ?? true }
        for probability in probabilities {
            guard probability.value <= significance * share / Double(remaining) else { break }
            rejected.insert(probability.place)
            remaining -= 1
        }
        return rejected
    }

    private func finding(_ rank: SignedRank, isChanged: Bool, isFar: Bool, share: Double) -> Finding {
        let level = significance * share
        let logarithms = rank.interval(significance: level)
        let interval = ConfidenceInterval(
            low: exp(logarithms.low), high: exp(logarithms.high), confidence: 1 - significance)
        let isSame = interval.low >= 1 / (1 + margin) && interval.high <= 1 + margin
        let verdict: ComparisonVerdict =
            isSame ? .same : !isChanged ? .inconclusive : rank.estimate > 0 ? .worse : .better
        let reach = max(interval.high / exp(rank.estimate), exp(rank.estimate) / interval.low) - 1
        let side: ComparisonVerdict? = bound.map { bound in
            interval.high <= 1 + bound ? .same : isFar && exp(rank.estimate) > 1 + bound ? .worse : .inconclusive
        }
        let isPrecise = precision.map { reach <= $0 } ?? (verdict != .inconclusive)
        return Finding(
            ratio: exp(rank.estimate), interval: interval, detectable: Self.detectable(logarithms, level),
            verdict: verdict, bound: side, isSettled: side.map { $0 != .inconclusive } ?? isPrecise)
    }

    /// Returns the effect of (*z*₁₋ₐ⸝₂ + *z*₀.₈) standard errors. The standard error is derived from the interval's
    /// width (Lehmann, "Nonparametrics", 1975, section 4.3).
    private static func detectable(_ interval: ConfidenceInterval, _ level: Double) -> Double? {
        guard interval.low.isFinite, interval.high.isFinite else { return nil }
        let quantile = NormalDistribution.quantile(1 - level / 2)
        return exp((interval.high - interval.low) / 2 * (1 + 0.8416 / quantile)) - 1
    }
}

/// Divides a probability of error among several looks at growing data, so that it holds over all looks together.
///
/// Lan, DeMets, "Discrete Sequential Boundaries for Clinical Trials" (Biometrika 70, 1983), with the power family of
/// Kim, DeMets (Biometrika 74, 1987) and exponent 2: early looks spend little. Each look is tested at its own share.
/// The method only needs the shares to add up to the whole (Boole's inequality), so the looks may depend on each other
/// in any way. The cost, compared with boundaries that use the joint distribution, is a wider interval at the last
/// look.
package struct AlphaSpending: Sendable, Equatable {
    /// The share of the data that has been looked at, from 0 to 1.
    package private(set) var fraction = 0.0

    /// Creates a state in which no error is spent.
    package init() {}

    /// Returns the share of the error that a look at the share `fraction` of the data may spend. The last look, at a
    /// share of 1, spends the rest.
    package mutating func look(at fraction: Double) -> Double {
        precondition(
            fraction > self.fraction && fraction <= 1,
            "A look at \(fraction) follows one at \(self.fraction); it must see more, and at most 1.")
        defer { self.fraction = fraction }
        return fraction * fraction - self.fraction * self.fraction
    }
}
