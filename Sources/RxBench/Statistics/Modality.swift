/// Whether a sample has more than one mode: several levels instead of one with noise.
public enum Modality {
    /// The dip: how far the sample's distribution is from the nearest one with a single mode, 1/(2*n*) to 1/4. 0 for fewer than two values.
    ///
    /// Hartigan, Hartigan, "The Dip Test of Unimodality" (Annals of Statistics 13, 1985), by the definition in section 1: for each place of the mode, the
    /// greatest convex minorant before it and the least concave majorant behind it. O(*n*²); the authors' own algorithm is linear, and
    /// samples here are some hundreds of processes at most.
    public static func dip(of values: [Double]) -> Double {
        guard values.count > 1 else { return 0 }
        let sorted = values.sorted()
        let before = distances(sorted)
        let behind = distances(sorted.reversed().map { -$0 }).reversed()
        let smallest = zip(before, behind).map { max($0, $1) }.min() ?? 0
        return smallest / 2 / Double(values.count)
    }

    /// Whether the dip is larger than in 99 % of samples of a uniform distribution, the least clear of those with one mode.
    ///
    /// √*n* times the dip has nearly the same quantile for every *n* (section 5): 0.486, 0.511, 0.535, 0.512 for 8, 16, 32, 64 values, simulated; the
    /// bound lies above them. `false` for fewer than eight values, which cannot say.
    public static func isMultimodal(_ values: [Double]) -> Bool {
        values.count >= 8 && dip(of: values) * Double(values.count).squareRoot() > bound
    }

    static let bound = 0.55

    /// For each prefix, how far the steps of its distribution rise above the greatest convex minorant of their lower corners, in values.
    private static func distances(_ sorted: [Double]) -> [Double] {
        sorted.indices.map { last in
            var hull: [Int] = []
            for index in 0...last {
                while let end = hull.last, let previous = hull.dropLast().last,
                    slope(sorted, previous, end) >= slope(sorted, previous, index) { hull.removeLast() }
                hull.append(index)
            }
            var largest = 0.0
            for (start, end) in zip(hull, hull.dropFirst()) {
                let slope = slope(sorted, start, end)
                for index in start...end {
                    let level = slope.isFinite ? Double(start) + slope * (sorted[index] - sorted[start]) : Double(start)
                    largest = max(largest, Double(index + 1) - level)
                }
            }
            return max(largest, 1)
        }
    }

    private static func slope(_ sorted: [Double], _ start: Int, _ end: Int) -> Double {
        sorted[end] == sorted[start] ? .infinity : Double(end - start) / (sorted[end] - sorted[start])
    }
}
