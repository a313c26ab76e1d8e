/// Whether a sample has more than one mode: several levels instead of one with noise.
package enum Modality {
    /// The dip: how far the sample's distribution is from the nearest one with a single mode, 1/(2*n*) to 1/4. 0 for
    /// fewer than two values.
    ///
    /// Hartigan, Hartigan, "The Dip Test of Unimodality" (Annals of Statistics 13, 1985), by the definition in section
    /// 1: for each place of the mode, the greatest convex minorant before it and the least concave majorant behind it.
    /// O(*n*²); the authors' own algorithm is linear, and samples here are some hundreds of processes at most.
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

    /// Whether the dip is larger than in 99 % of samples of a uniform distribution, the least clear of those with one
    /// mode.
    ///
    /// √*n* times the dip has nearly the same quantile for every *n* (section 5): 0.486, 0.511, 0.535, 0.512 for 8, 16,
    /// 32, 64 values, simulated; the bound lies above them. `false` for fewer than eight values, which cannot say.
    package static func isMultimodal(_ values: [Double]) -> Bool {
        values.count >= 8 && dip(of: values) * Double(values.count).squareRoot() > bound
    }

    static let bound = 0.55

    /// A step of the sample's distribution, in values.
    private struct Corner {
        let value: Double
        /// How many values lie below, and how many do not lie above.
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

    /// For each place of the mode, how far the steps before it rise above the greatest convex minorant of their lower
    /// corners. The mode's own step counts for neither side: a distribution with one mode may jump there.
    private static func distances(_ corners: [Corner]) -> [Double] {
        var hull: [Int] = []
        return corners.indices.map { last in
            // The minorant up to here continues the one before: points that the new one undercuts go.
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
