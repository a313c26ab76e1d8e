#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Student's t between the two sides of a split that was chosen because it is the clearest.
struct LevelTest {
    /// The probability that a series of independent normal values shows a difference as clear at any split; an upper
    /// bound.
    let probability: Double

    /// Student's t with pooled variance becomes a normal score by Wallace, "Bounds on Normal Approximations to
    /// Student's and the Chi-Square Distributions" (Annals of Mathematical Statistics 30, 1959), and its largest over
    /// all splits has the probability of Miller, Siegmund, "Maximally Selected Chi Square Statistics" (Biometrics 38,
    /// 1982), equation 3.
    init(_ values: [Double], split: Int, minimumSegment: Int) {
        let left = values[..<split]
        let right = values[split...]
        let (leftMean, leftSquares) = Self.moments(left)
        let (rightMean, rightSquares) = Self.moments(right)
        let freedom = Double(values.count - 2)
        let variance = (leftSquares + rightSquares) / freedom
        let difference = (rightMean - leftMean).magnitude
        // Rounding may leave a trace of variance where all values of a side are equal.
        guard variance > 0 else {
            probability = difference > 0 ? 0 : 1
            return
        }
        let t = difference / (variance * (1 / Double(left.count) + 1 / Double(right.count))).squareRoot()
        let score = (8 * freedom + 1) / (8 * freedom + 3) * (freedom * log1p(t * t / freedom)).squareRoot()
        probability = Self.tail(ofLargest: score, trim: Double(minimumSegment) / Double(values.count))
    }

    /// The probability that the largest absolute score over all splits between the shares `trim` and 1 − `trim` exceeds
    /// `score`.
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

/// Where in a window with one change of level it lies: at the least sum of squares, and with which doubt.
struct SplitLocation {
    /// The first value of the new level.
    let index: Int
    /// The first values of the new level that 95 % confidence allows.
    let indices: ClosedRange<Int>

    /// The splits whose likelihood ratio to the best, *n* · ln(S/S₀), is at most 7.35: Hansen, "Sample Splitting and
    /// Threshold Estimation" (Econometrica 68, 2000), theorem 2 and table 1. O(*n*).
    init(_ values: ArraySlice<Double>, minimumSegment: Int) {
        // Sums of squares about the first value lose fewer digits.
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
