/// Where a series falls most clearly into two parts, by the energy distance between them.
///
/// Matteson, James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data" (JASA 109,
/// 2014), equations 5 and 6, in one dimension with exponent α = 1; every part reaches to the end of the window (κ =
/// *n*), as in Daly et al., "The Use of Change Point Detection to Identify Software Performance Regressions in a
/// Continuous Integration System" (ICPE 2020).
struct EnergySplit: Equatable {
    /// How many values lie before the split.
    let index: Int
    /// The scaled energy distance of the two parts: *mn*/(*m* + *n*) · Ê.
    let statistic: Double
}

/// Finds the best split of one multiset of values in any order, so that permutations share the sorting. O(*n* log *n*)
/// once and for each order.
struct EnergyScan {
    private let minimumSegment: Int
    /// The values, ascending.
    private let sorted: [Double]
    /// For each value of the series, its place in `sorted`.
    let places: [Int]
    /// For each place, the sum of the distances to all other values.
    private let distances: [Double]
    /// Twice the sum of all pairs' distances.
    private let total: Double

    init(_ values: [Double], minimumSegment: Int) {
        self.minimumSegment = minimumSegment
        let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
        // Small numbers lose fewer digits in the sums; a shift changes no distance.
        let origin = values.isEmpty ? 0 : values[order[order.count / 2]]
        sorted = order.map { values[$0] - origin }
        var places = [Int](repeating: 0, count: values.count)
        for (place, index) in order.enumerated() { places[index] = place }
        self.places = places
        let sum = sorted.reduce(0, +)
        var below = 0.0
        var distances: [Double] = []
        distances.reserveCapacity(sorted.count)
        for (place, value) in sorted.enumerated() {
            distances.append(value * Double(2 * place + 1 - sorted.count) + sum - 2 * below - value)
            below += value
        }
        self.distances = distances
        total = distances.reduce(0, +)
    }

    /// The best split of the values in the order that `places` gives, or `nil` for fewer values than two segments need.
    func best(_ places: [Int]) -> EnergySplit? {
        let count = places.count
        guard count >= 2 * minimumSegment, minimumSegment >= 2 else { return nil }
        var earlier = PrefixSums(count: count)
        var within = 0.0  // the pairs left of the split
        var reach = 0.0  // the distances from values left of the split to all others
        var best: EnergySplit?
        for (index, place) in places.enumerated() {
            within += earlier.distance(from: sorted[place], at: place)
            earlier.insert(sorted[place], at: place)
            reach += distances[place]
            let left = Double(index + 1)
            let right = Double(count - index - 1)
            guard index + 1 >= minimumSegment, count - index - 1 >= minimumSegment else { continue }
            let across = reach - 2 * within
            let beyond = total / 2 - within - across
            let energy =
                2 * across / (left * right) - 2 * within / (left * (left - 1)) - 2 * beyond / (right * (right - 1))
            let statistic = left * right / (left + right) * energy
            if statistic > best?.statistic ?? -.infinity { best = EnergySplit(index: index + 1, statistic: statistic) }
        }
        return best
    }
}

/// Counts and sums of the values up to a place: two binary indexed trees. Fenwick, "A New Data Structure for Cumulative
/// Frequency Tables" (Software: Practice and Experience 24, 1994).
private struct PrefixSums {
    private var nodes: [(count: Double, sum: Double)]
    private var count = 0.0
    private var sum = 0.0

    init(count: Int) { nodes = Array(repeating: (0, 0), count: count + 1) }

    mutating func insert(_ value: Double, at place: Int) {
        count += 1
        sum += value
        var node = place + 1
        while node < nodes.count {
            nodes[node].count += 1
            nodes[node].sum += value
            node += node & -node
        }
    }

    /// The sum of the distances from `value`, which belongs at `place`, to all inserted values.
    func distance(from value: Double, at place: Int) -> Double {
        var lower = (count: 0.0, sum: 0.0)
        var node = place + 1
        while node > 0 {
            lower.count += nodes[node].count
            lower.sum += nodes[node].sum
            node -= node & -node
        }
        return value * (2 * lower.count - count) + sum - 2 * lower.sum
    }
}
