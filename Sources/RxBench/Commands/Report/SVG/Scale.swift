import Foundation

/// Maps values to positions between the two ends of an axis.
struct Scale: Equatable, Sendable {
    let low: Double
    let high: Double
    let isLogarithmic: Bool

    /// The scale of shares, from 0 to 1.
    static let share = Scale(low: 0, high: 1, isLogarithmic: false)

    private init(low: Double, high: Double, isLogarithmic: Bool) {
        self.low = low
        self.high = high
        self.isLogarithmic = isLogarithmic
    }

    /// The scale of process medians as multiples of the median of them all. It reaches much further up than down, as
    /// noise does.
    static let spread = Scale(low: 0.8, high: 2, isLogarithmic: true)

    /// Creates a scale that covers the finite values in `values`. Returns `nil` if there are no finite values.
    ///
    /// The scale is logarithmic if `isLogarithmic` is true and all values are positive. It is never narrower than ±2.5
    /// % of its middle: on a narrower scale, labels with three significant digits would repeat.
    init?(covering values: [Double], isLogarithmic wantsLogarithmic: Bool = false) {
        let finite = values.filter(\.isFinite)
        guard let least = finite.min(), let most = finite.max() else { return nil }
        isLogarithmic = wantsLogarithmic && least > 0
        guard most - least < 0.05 * max(most.magnitude, least.magnitude) || most == least else {
            low = least
            high = most
            return
        }
        let middle = least / 2 + most / 2
        let reach = middle == 0 ? 1 : middle.magnitude * 0.025
        low = middle - reach
        high = middle + reach
    }

    /// Creates a scale that covers `values`. It is logarithmic if a linear scale would squeeze most values into a fifth
    /// of its length.
    static func fitting(_ values: [Double]) -> Scale? {
        let positive = values.filter { $0.isFinite && $0 > 0 }
        let isWide = positive.count == values.count && (positive.max() ?? 1) / (positive.min() ?? 1) > 5
        return Scale(covering: values, isLogarithmic: isWide)
    }

    /// Returns the position of `value`, from 0 at the low end to 1 at the high end. Values beyond an end are placed at
    /// that end.
    func position(_ value: Double) -> Double {
        let share = isLogarithmic ? (log(value) - log(low)) / (log(high) - log(low)) : (value - low) / (high - low)
        return share.isFinite ? min(1, max(0, share)) : value > low ? 1 : 0
    }

    /// Three to eight round numbers within the scale, in ascending order.
    var ticks: [Double] {
        guard isLogarithmic, high / low >= 4 else { return linearTicks }
        let decades = Int(log10(low).rounded(.down))...Int(log10(high).rounded(.up))
        let digits = high / low < 30 ? [1.0, 2, 5] : [1]
        let all = decades.flatMap { decade in digits.map { $0 * pow(10, Double(decade)) } }.filter {
            (low...high).contains($0)
        }
        let step = max(1, (all.count + 5) / 6)
        return all.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
    }

    private var linearTicks: [Double] {
        let raw = (high - low) / 4
        guard raw.isFinite, raw > 0 else { return [low] }
        let magnitude = pow(10, log10(raw).rounded(.down))
        let step = ([1.0, 2, 5, 10].first { $0 * magnitude >= raw } ?? 10) * magnitude
        let first = (low / step).rounded(.up)
        let last = (high / step).rounded(.down)
        guard step > 0, last - first >= 0, last - first < 20, first.magnitude < 1e15 else { return [low] }
        return (Int(first)...Int(last)).map { Double($0) * step }
    }
}

/// The unit for the times of an axis, chosen for the largest time.
struct TimeUnit: Equatable {
    let name: String
    let nanoseconds: Double

    init(largest: Double) {
        (name, nanoseconds) =
            largest >= 1e9 ? ("s", 1e9) : largest >= 1e6 ? ("ms", 1e6) : largest >= 1e3 ? ("µs", 1e3) : ("ns", 1)
    }

    /// Returns the number without the unit.
    func label(_ value: Double) -> String { Figures.threeDigits(value / nanoseconds) }
}

/// SVG path data with integer relative coordinates and no repeated command letters. The data is compact because a page
/// contains thousands of paths.
struct Path {
    private var isInLine = false
    private(set) var data = ""
    private var x = 0
    private var y = 0

    /// The vertical coordinate of the pen.
    var height: Double { Double(y) }

    /// Moves to a point without drawing. Writes absolute or relative coordinates, depending on which text is shorter.
    mutating func move(_ x: Double, _ y: Double) {
        let (right, down) = (Self.whole(x) - self.x, Self.whole(y) - self.y)
        self.x += right
        self.y += down
        let (absolute, relative) = (
            "M\(self.x)\(self.y < 0 ? "" : " ")\(self.y)", "m\(right)\(down < 0 ? "" : " ")\(down)"
        )
        data += relative.utf8.count < absolute.utf8.count && !data.isEmpty ? relative : absolute
        isInLine = false
    }

    /// Draws a line to a point.
    mutating func line(_ x: Double, _ y: Double) {
        let (right, down) = (Self.whole(x) - self.x, Self.whole(y) - self.y)
        guard right != 0 || down != 0 else { return }
        if isInLine {
            data += "\(right < 0 ? "" : " ")\(right)\(down < 0 ? "" : " ")\(down)"
        } else {
            data += down == 0 ? "h\(right)" : right == 0 ? "v\(down)" : "l\(right)\(down < 0 ? "" : " ")\(down)"
            isInLine = down != 0 && right != 0
        }
        self.x += right
        self.y += down
    }

    /// Draws a dot: a line of length zero, which a round line cap makes visible.
    mutating func dot(_ x: Double, _ y: Double) {
        move(x, y)
        data += "h0"
    }

    /// Returns `value` rounded to an integer, or 0 if it is not finite or too large.
    static func whole(_ value: Double) -> Int { value.isFinite && value.magnitude < 1e6 ? Int(value.rounded()) : 0 }
}
