/// Finds the places where the level of a series changes.
///
/// The algorithm is E-divisive: it finds the split with the largest energy distance, and repeats this in both parts as
/// long as a split is significant. Two tests must agree. A permutation test limits the false alarms in one series, for
/// noise of any shape. Student's t test, corrected for the choice of the split, yields probabilities small enough to be
/// compared with a significance that is divided by the number of series.
/// `Documentation/Decisions/0008-change-points.md` has the figures.
package struct ChangePoints: Sendable {
    /// A change of level between `index - 1` and `index`.
    package struct Change: Sendable, Equatable {
        /// The first value of the new level, where the change is clearest.
        package let index: Int
        /// The possible first values of the new level, with 95 % confidence. The range contains `index`.
        package let indices: ClosedRange<Int>
        /// The probability that a series without this change shows a change that is at least as clear, before the
        /// correction for the number of series.
        package let probability: Double
    }

    /// The rules that decide about changes.
    package struct Rules: Sendable, Equatable {
        /// The probability of finding any change in `seriesCount` series without a change.
        package var significance = 0.01
        /// The number of series that are examined together. The significance is divided by it (Bonferroni).
        package var seriesCount = 1
        /// The smallest number of values between changes, at least 2. With 3, a single outlier at an end does not count
        /// as a change.
        package var minimumSegment = 3
        /// The seed of the permutations.
        package var seed: UInt64 = 1

        /// Creates rules with the default values.
        package init() {}
    }

    private let rules: Rules

    /// Creates a detector that follows `rules`.
    package init(_ rules: Rules = Rules()) {
        precondition(rules.minimumSegment >= 2, "A segment has at least two values.")
        precondition(rules.seriesCount >= 1, "There is at least one series.")
        self.rules = rules
    }

    /// The smallest number of values in which a change can be found. With fewer values, too many permutations look as
    /// clear as the observed order.
    package static let fewestValues = 10

    /// Returns the changes in `values`, in order. Equal values and rules give equal changes.
    ///
    /// O(*n* log² *n*) for a series without changes. Each change costs some hundreds to thousands of times as much.
    package func changes(in values: [Double]) -> [Change] {
        guard values.allSatisfy(\.isFinite) else { return [] }
        var found: [(index: Int, probability: Double)] = []
        var windows = [0..<values.count]
        while let window = windows.popLast() {
            guard let change = change(in: Array(values[window])) else { continue }
            let index = window.lowerBound + change.index
            found.append((index, change.probability))
            windows.append(window.lowerBound..<index)
            windows.append(index..<window.upperBound)
        }
        found.sort { $0.index < $1.index }
        let ends = [0] + found.map(\.index) + [values.count]
        return found.enumerated().map { number, change in
            let start = ends[number]
            let location = SplitLocation(values[start..<ends[number + 2]], minimumSegment: rules.minimumSegment)
            return Change(
                index: start + location.index,
                indices: start + location.indices.lowerBound...start + location.indices.upperBound,
                probability: change.probability)
        }
    }

    /// Returns the clearest change in the layer of the longest intervals in which a change is significant.
    private func change(in values: [Double]) -> (index: Int, probability: Double)? {
        let layers = Self.layers(count: values.count)
        for layer in layers {
            // Every layer gets an equal part of the significance, so the test of the whole series loses little power to
            // the many small intervals.
            let share = layers.count * layer.count
            let changes = layer.compactMap { change(in: values[$0], share: share) }
            if let clearest = changes.min(by: { $0.probability < $1.probability }) { return clearest }
        }
        return nil
    }

    private func change(in values: ArraySlice<Double>, share: Int) -> (index: Int, probability: Double)? {
        let start = values.startIndex
        let values = Array(values)
        let scan = EnergyScan(values, minimumSegment: rules.minimumSegment)
        guard let split = scan.best(scan.places), split.statistic > 0 else { return nil }
        let test = LevelTest(values, split: split.index, minimumSegment: rules.minimumSegment)
        let probability = min(1, test.probability * Double(share))
        guard probability * Double(rules.seriesCount) <= rules.significance, isRare(split, scan, share: share) else {
            return nil
        }
        return (start + split.index, probability)
    }

    /// Returns the whole range, then its overlapping halves, quarters and so on. A rise and a fall cancel each other
    /// out in the whole range, but not in a part that contains only one of them.
    ///
    /// Kovács, Bühlmann, Li, Munk, "Seeded Binary Segmentation" (Biometrika 110, 2023), definition 1, with decay ½.
    static func layers(count: Int) -> [[Range<Int>]] {
        var layers: [[Range<Int>]] = []
        var parts = 1
        while count / parts >= fewestValues {
            let length = (count + parts - 1) / parts
            layers.append(
                (0..<2 * parts - 1).map { number in
                    let start = (count - length) * number / max(1, 2 * parts - 2)
                    return start..<start + length
                })
            parts *= 2
        }
        return layers
    }

    /// Returns whether at most one per cent, divided by `share`, of all orders of the values have a split that is at
    /// least as clear.
    ///
    /// Matteson, James (2014), section 2.4. The test stops as soon as an order has such a split: Besag, Clifford,
    /// "Sequential Monte Carlo p-values" (Biometrika 78, 1991).
    private func isRare(_ split: EnergySplit, _ scan: EnergyScan, share: Int) -> Bool {
        var generator = SeededGenerator(seed: rules.seed)
        var places = scan.places
        // Sums that are computed in a different order differ in their last digits.
        let threshold = split.statistic * (1 - 1e-9)
        for _ in 1..<Self.ordersPerShare * share {
            places.shuffle(using: &generator)
            if let rival = scan.best(places), rival.statistic >= threshold { return false }
        }
        return true
    }

    /// The number of permutations, including the observed order, that give a probability of one per cent if no other
    /// permutation has a split that is at least as clear.
    private static let ordersPerShare = 100
}

/// The split of a series into the two parts that differ most clearly, measured by the energy distance between the
/// parts.
///
/// Matteson, James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data" (JASA 109,
/// 2014), equations 5 and 6, in one dimension with exponent α = 1. Every part extends to the end of the window (κ =
/// *n*), as in Daly et al., "The Use of Change Point Detection to Identify Software Performance Regressions in a
/// Continuous Integration System" (ICPE 2020).
struct EnergySplit: Equatable {
    /// The number of values before the split.
    let index: Int
    /// The scaled energy distance of the two parts: *mn*/(*m* + *n*) · Ê.
    let statistic: Double
}

/// Finds the best split of a multiset of values in any order. All permutations share one sorted copy. O(*n* log *n*)
/// for the creation and for each order.
struct EnergyScan {
    private let minimumSegment: Int
    /// The values in ascending order.
    private let sorted: [Double]
    /// The index in `sorted` of each value of the series.
    let places: [Int]
    /// The sum of the distances from each value in `sorted` to all other values.
    private let distances: [Double]
    /// Twice the sum of the distances of all pairs.
    private let total: Double

    init(_ values: [Double], minimumSegment: Int) {
        self.minimumSegment = minimumSegment
        let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
        // Smaller numbers lose fewer digits in the sums, and a shift of all values does not change their distances.
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

    /// Returns the best split of the values in the order given by `places`, or `nil` if there are fewer values than two
    /// segments need.
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

/// The count and the sum of the values up to an index, in two binary indexed trees. Fenwick, "A New Data Structure for
/// Cumulative Frequency Tables" (Software: Practice and Experience 24, 1994).
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

    /// Returns the sum of the distances from `value`, whose index is `place`, to all inserted values.
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
