/// Tests whether a sample has more than one mode: several levels instead of a single level with noise.
package enum Modality {
    /// Returns the dip: the distance of the sample's distribution from the nearest distribution with a single mode. The
    /// dip is between 1/(2*n*) and 1/4. Returns 0 for fewer than two values.
    ///
    /// Hartigan, Hartigan, "The Dip Test of Unimodality" (Annals of Statistics 13, 1985), using the definition in
    /// section 1: for each location of the mode, the greatest convex minorant before it and the least concave majorant
    /// after it. O(*n*²). The authors' own algorithm takes linear time, but samples here have at most some hundreds of
    /// processes.
    package static func dip(of values: [Double]) -> Double {
        guard values.count > 1 else { return 0 }
        let corners = corners(values.sorted())
        let before = distances(corners)
        let mirrored = corners.reversed().map {
            Corner(value: -$0.value, lower: Double(values.count) - $0.upper, upper: Double(values.count) - $0.lower)
        }
        let behind = distances(mirrored).reversed()
        let smallest = zip(before, behind).map { max($0, $1) }.min() ?? 0
        return max(smallest, 1) / 2 / Double(values.count)
    }

    /// Returns whether the dip is larger than in 99 % of samples of a uniform distribution, which is the least clear
    /// distribution with one mode.
    ///
    /// √*n* times the dip has nearly the same quantile for every *n* (section 5). The simulated quantiles are 0.486,
    /// 0.511, 0.535 and 0.512 for 8, 16, 32 and 64 values. The bound is above all of them. Returns `false` for fewer
    /// than eight values, which are not enough for a decision.
    package static func isMultimodal(_ values: [Double]) -> Bool {
        values.count >= 8 && dip(of: values) * Double(values.count).squareRoot() > bound
    }

    static let bound = 0.55

    /// A step of the sample's distribution function, counted in values.
    private struct Corner {
        let value: Double
        /// The number of values that are less than this value, and the number of values that are not greater.
        let lower: Double
        var upper: Double
    }

    private static func corners(_ sorted: [Double]) -> [Corner] {
        var corners: [Corner] = []
        for (index, value) in sorted.enumerated() {
            if let last = corners.indices.last, corners[last].value == value {
                corners[last].upper = Double(index + 1)
            } else {
                corners.append(Corner(value: value, lower: Double(index), upper: Double(index + 1)))
            }
        }
        return corners
    }

    /// Returns the greatest distance, for each location of the mode, of the earlier steps above the greatest convex
    /// minorant of their lower corners. The step at the mode counts for neither side, because a distribution with one
    /// mode may jump there.
    private static func distances(_ corners: [Corner]) -> [Double] {
        var hull: [Int] = []
        return corners.indices.map { last in
            // The minorant up to here continues the previous minorant. Points that are now above it are removed.
            while let end = hull.last, let previous = hull.dropLast().last,
                slope(corners, previous, end) >= slope(corners, previous, last)
            { hull.removeLast() }
            hull.append(last)
            var largest = 0.0
            for (start, end) in zip(hull, hull.dropFirst()) {
                let slope = slope(corners, start, end)
                for index in start..<end {
                    let level = corners[start].lower + slope * (corners[index].value - corners[start].value)
                    largest = max(largest, corners[index].upper - level)
                }
            }
            return largest
        }
    }

    private static func slope(_ corners: [Corner], _ start: Int, _ end: Int) -> Double {
        (corners[end].lower - corners[start].lower) / (corners[end].value - corners[start].value)
    }
}
