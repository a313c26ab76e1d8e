import Foundation

/// Where values lie between the ends of an axis.
struct Scale: Equatable, Sendable {
    let low: Double
    let high: Double
    let isLogarithmic: Bool

    /// From 0 to 1.
    static let share = Scale(low: 0, high: 1, isLogarithmic: false)

    private init(low: Double, high: Double, isLogarithmic: Bool) {
        self.low = low
        self.high = high
        self.isLogarithmic = isLogarithmic
    }

    /// For process medians as multiples of their median: noise reaches much further up than down.
    static let spread = Scale(low: 0.8, high: 2, isLogarithmic: true)

    /// A scale that holds `values`, those that are no numbers left out; `nil` when none is left.
    ///
    /// Logarithmic when it is asked for and all values are positive. Never narrower than ±2.5 % of its middle: below
    /// that, labels of three significant digits would repeat.
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

    /// A scale that is logarithmic where linear would press most values into a fifth of it.
    static func fitting(_ values: [Double]) -> Scale? {
        let positive = values.filter { $0.isFinite && $0 > 0 }
        let isWide = positive.count == values.count && (positive.max() ?? 1) / (positive.min() ?? 1) > 5
        return Scale(covering: values, isLogarithmic: isWide)
    }

    /// 0 at the low end, 1 at the high one; values beyond an end lie on it.
    func position(_ value: Double) -> Double {
        let share = isLogarithmic ? (log(value) - log(low)) / (log(high) - log(low)) : (value - low) / (high - low)
        return share.isFinite ? min(1, max(0, share)) : value > low ? 1 : 0
    }

    /// Round numbers within the scale, three to eight of them, ascending.
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

/// The unit that suits the largest of several times, so that an axis has a single one.
struct TimeUnit: Equatable {
    let name: String
    let nanoseconds: Double

    init(largest: Double) {
        (name, nanoseconds) =
            largest >= 1e9 ? ("s", 1e9) : largest >= 1e6 ? ("ms", 1e6) : largest >= 1e3 ? ("µs", 1e3) : ("ns", 1)
    }

    /// The number alone.
    func label(_ value: Double) -> String { Figures.threeDigits(value / nanoseconds) }
}

/// Path data in whole units, relative and without repeated letters: a page holds thousands of paths.
struct Path {
    private var isInLine = false
    private(set) var data = ""
    private var x = 0
    private var y = 0

    /// How far down the pen is.
    var height: Double { Double(y) }

    /// Lifts the pen and goes to a point, from the origin or from where the pen is, whichever is shorter to write.
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

    /// A line to a point.
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

    /// A point, which a round line cap makes visible.
    mutating func dot(_ x: Double, _ y: Double) {
        move(x, y)
        data += "h0"
    }

    /// `value` rounded; 0 for what is no number.
    static func whole(_ value: Double) -> Int { value.isFinite && value.magnitude < 1e6 ? Int(value.rounded()) : 0 }
}
