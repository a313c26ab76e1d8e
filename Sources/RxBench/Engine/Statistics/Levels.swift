#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// One of the levels of a sample with several modes.
package struct Level: Codable, Sendable, Equatable {
    /// The median of the values in this level.
    package let value: Double
    /// The share of all values in this level, from 0 to 1.
    package let share: Double
}

extension Modality {
    /// Returns the levels of `values` in ascending order. The result is a single level if the values have one mode, and
    /// empty if there are no values.
    ///
    /// The values are split where the sum of squares within both sides is smallest (Otsu, "A Threshold Selection Method
    /// from Gray-Level Histograms", IEEE Transactions on Systems, Man, and Cybernetics 9, 1979). Each side is split
    /// again while it has several modes. O(*n*²).
    ///
    /// - Parameter resolution: The relative difference below which values belong to the same level. On a quiet machine,
    ///   the times of all processes are a few clock ticks, which are a millionth apart. Without a resolution, each tick
    ///   would be a level.
    package static func levels(of values: [Double], resolution: Double) -> [Level] {
        let sorted = values.sorted()
        // Each value is moved by up to half of the resolution. The offsets are multiples of the golden ratio, which
        // fill an interval evenly for any number of values (Weyl).
        let moved = sorted.enumerated().map { index, value in
            let turn = Double(index) * 0.618_033_988_749_894_9
            return (blurred: value * (1 + resolution * (turn - turn.rounded(.down) - 0.5)), value: value)
        }.sorted { $0.blurred < $1.blurred }
        return parts(moved.map(\.blurred)[...]).compactMap { part in
            Quantiles.quantile(0.5, ofSorted: moved[part.indices].map(\.value).sorted()).map {
                Level(value: $0, share: Double(part.count) / Double(values.count))
            }
        }
    }

    /// The default resolution.
    package static let usualResolution = 0.005

    private static func parts(_ sorted: ArraySlice<Double>) -> [ArraySlice<Double>] {
        guard isMultimodal(Array(sorted)), let split = split(sorted) else { return [sorted] }
        return parts(sorted[..<split]) + parts(sorted[split...])
    }

    /// Returns the index at which the upper of two parts begins, or `nil` if all values are equal.
    private static func split(_ sorted: ArraySlice<Double>) -> Int? {
        let total = sorted.reduce(0, +)
        let count = Double(sorted.count)
        var sum = 0.0
        var best: (between: Double, place: Int)?
        for place in sorted.indices.dropLast() {
            sum += sorted[place]
            guard sorted[place] < sorted[place + 1] else { continue }
            let size = Double(place + 1 - sorted.startIndex)
            let distance = sum / size - (total - sum) / (count - size)
            // This is the sum of squares between the sides.
            let between = size * (count - size) * distance * distance
            if between > best?.between ?? 0 { best = (between, place + 1) }
        }
        return best?.place
    }
}

/// Tests the two sides of a split with Student's t. The split was chosen because it is the clearest.
struct LevelTest {
    /// An upper bound of the probability that a series of independent normal values has a difference that is at least
    /// as clear at any split.
    let probability: Double

    /// Student's t with pooled variance is converted to a normal score with Wallace, "Bounds on Normal Approximations
    /// to Student's and the Chi-Square Distributions" (Annals of Mathematical Statistics 30, 1959). The probability of
    /// the largest score over all splits is from Miller, Siegmund, "Maximally Selected Chi Square Statistics"
    /// (Biometrics 38, 1982), equation 3.
    init(_ values: [Double], split: Int, minimumSegment: Int) {
        let left = values[..<split]
        let right = values[split...]
        let (leftMean, leftSquares) = Self.moments(left)
        let (rightMean, rightSquares) = Self.moments(right)
        let freedom = Double(values.count - 2)
        let variance = (leftSquares + rightSquares) / freedom
        let difference = (rightMean - leftMean).magnitude
        // Rounding errors may leave a small variance even if all values of a side are equal.
        guard variance > 0 else {
            probability = difference > 0 ? 0 : 1
            return
        }
        let t = difference / (variance * (1 / Double(left.count) + 1 / Double(right.count))).squareRoot()
        let score = (8 * freedom + 1) / (8 * freedom + 3) * (freedom * log1p(t * t / freedom)).squareRoot()
        probability = Self.tail(ofLargest: score, trim: Double(minimumSegment) / Double(values.count))
    }

    /// Returns the probability that the largest absolute score over all splits between the shares `trim` and 1 − `trim`
    /// exceeds `score`.
    static func tail(ofLargest score: Double, trim: Double) -> Double {
        guard score > 1 else { return 1 }
        let density = exp(-score * score / 2) / (2 * Double.pi).squareRoot()
        let odds = 2 * log((1 - trim) / trim)
        return min(1, density * ((score - 1 / score) * odds + 4 / score))
    }

    private static func moments(_ values: ArraySlice<Double>) -> (mean: Double, squares: Double) {
        let mean = values.reduce(0, +) / Double(values.count)
        return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) })
    }
}

/// The location of the change in a window with one change of level, and its confidence range. The location has the
/// smallest sum of squares.
struct SplitLocation {
    /// The first value of the new level.
    let index: Int
    /// The possible first values of the new level, with 95 % confidence.
    let indices: ClosedRange<Int>

    /// Finds the splits whose likelihood ratio to the best split, *n* · ln(S/S₀), is at most 7.35: Hansen, "Sample
    /// Splitting and Threshold Estimation" (Econometrica 68, 2000), theorem 2 and table 1. O(*n*).
    init(_ values: ArraySlice<Double>, minimumSegment: Int) {
        // Sums of squares lose fewer digits if the first value is subtracted from all values.
        let origin = values.first ?? 0
        let shifted = values.map { $0 - origin }
        let total = shifted.reduce(0, +)
        let squares = shifted.reduce(0) { $0 + $1 * $1 }
        let count = Double(shifted.count)
        var sum = 0.0
        var residues: [(index: Int, squares: Double)] = []
        for index in stride(from: 1, through: shifted.count - minimumSegment, by: 1) {
            sum += shifted[index - 1]
            guard index >= minimumSegment else { continue }
            let left = sum * sum / Double(index)
            let right = (total - sum) * (total - sum) / (count - Double(index))
            residues.append((index, max(0, squares - left - right)))
        }
        let best = residues.min { $0.squares < $1.squares } ?? (shifted.count / 2, 0)
        let most = best.squares * exp(7.35 / count)
        let allowed = residues.filter { $0.squares <= most }.map(\.index)
        index = best.index
        indices = (allowed.first ?? best.index)...(allowed.last ?? best.index)
    }
}
