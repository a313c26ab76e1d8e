/// Counts values that are far from the others.
package enum Outliers {
    /// Returns the number of values outside the quartiles by more than one and a half times the distance between the
    /// quartiles: Tukey, "Exploratory Data Analysis" (1977), section 2D. Returns 0 for fewer than four values. O(*n*
    /// log *n*).
    package static func count(in values: [Double]) -> Int {
        let sorted = values.sorted()
        guard values.count >= 4, let low = Quantiles.quantile(0.25, ofSorted: sorted),
            let high = Quantiles.quantile(0.75, ofSorted: sorted)
        else { return 0 }
        let reach = 1.5 * (high - low)
        return sorted.count { $0 < low - reach || $0 > high + reach }
    }
}
