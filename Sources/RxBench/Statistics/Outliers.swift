/// Values that lie far from the others.
package enum Outliers {
    /// How many values lie more than one and a half times the distance between the quartiles outside of them: Tukey,
    /// "Exploratory Data Analysis" (1977), section 2D. 0 for fewer than four values. O(*n* log *n*).
    package static func count(in values: [Double]) -> Int {
        let sorted = values.sorted()
        guard values.count >= 4, let low = Quantiles.quantile(0.25, ofSorted: sorted),
            let high = Quantiles.quantile(0.75, ofSorted: sorted)
        else { return 0 }
        let reach = 1.5 * (high - low)
        return sorted.count { $0 < low - reach || $0 > high + reach }
    }
}
