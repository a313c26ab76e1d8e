import RxBench
import RxBenchEngine

/// Formats numbers for reports: three significant digits and a unit.
package enum Figures {
    /// Returns `value` with three significant digits and without an exponent: `0.000140`, `2.13`, `1230`.
    package static func threeDigits(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)" }
        guard value != 0 else { return "0" }
        return fixed(value, decimals: max(0, 2 - exponent(value)))
    }

    /// Returns the decimal exponent of the first digit of `value` after it is rounded to three digits. `value` must be
    /// finite and not 0.
    private static func exponent(_ value: Double) -> Int {
        var lead = value.magnitude
        var exponent = 0
        while lead >= 10 {
            lead /= 10
            exponent += 1
        }
        while lead < 1 {
            lead *= 10
            exponent -= 1
        }
        // 9.996 rounded to three digits is 10.0.
        return (lead * 100).rounded() >= 1000 ? exponent + 1 : exponent
    }

    /// Returns the number of decimals at which the difference of two figures has two digits: 3 for 6 and 6.017.
    static func decimals(telling first: Double, from second: Double) -> Int {
        let difference = first - second
        return difference != 0 && difference.isFinite ? max(0, 1 - exponent(difference)) : 0
    }

    /// Returns a time in a suitable unit: `2.13 ns`, `41.0 µs`, `1.20 s`.
    package static func time(nanoseconds: Double) -> String {
        let units: [(Double, String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
        for (size, unit) in units where nanoseconds.magnitude >= size {
            return "\(threeDigits(nanoseconds / size)) \(unit)"
        }
        return "\(threeDigits(nanoseconds)) ns"
    }

    /// Returns a number of bytes in a suitable unit: `32 B`, `1.50 KiB`.
    package static func bytes(_ value: Double) -> String { bytes(value, value).before }

    /// Returns two numbers of bytes in the unit of the larger, with enough digits to distinguish them.
    static func bytes(_ before: Double, _ after: Double) -> (before: String, after: String) {
        let units: [(Double, String)] = [(1_073_741_824, "GiB"), (1_048_576, "MiB"), (1024, "KiB")]
        let (size, unit) = units.first { max(before.magnitude, after.magnitude) >= $0.0 } ?? (1, "B")
        let decimals = decimals(telling: before / size, from: after / size)
        func text(_ value: Double) -> String {
            size == 1 ? count(value, decimals: decimals) : digits(value / size, decimals: decimals)
        }
        return ("\(text(before)) \(unit)", "\(text(after)) \(unit)")
    }

    /// Returns a count. Whole numbers are printed in full, and other numbers with three significant digits.
    package static func count(_ value: Double) -> String { count(value, decimals: 0) }

    /// Returns a count like ``count(_:)``, but with at least `decimals` decimals if it is not a whole number.
    static func count(_ value: Double, decimals: Int) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : digits(value, decimals: decimals)
    }

    /// Returns `value` with three significant digits, or with `decimals` decimals if that gives more digits.
    private static func digits(_ value: Double, decimals: Int) -> String {
        guard value.isFinite, value != 0 else { return threeDigits(value) }
        return fixed(value, decimals: max(decimals, 2 - exponent(value), 0))
    }

    /// Returns a number with its noun: `1 result`, `2 results`.
    package static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// Returns the larger distance from the estimate to an end of its interval, in per cent: `±1.2 %`.
    package static func spread(_ value: Double, _ interval: Metric.Interval?) -> String {
        guard let interval, value != 0 else { return "" }
        let distance = max(value - interval.low, interval.high - value) / value.magnitude * 100
        return "±\(distance < 10 ? fixed(distance, decimals: 1) : fixed(distance, decimals: 0)) %"
    }

    /// Returns a ratio as a signed change: `+12.3 %`.
    package static func change(ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        let text = fixed(percent.magnitude, decimals: percent.magnitude < 100 ? 1 : 0)
        return "\(percent < 0 && text.contains(where: { $0 != "0" && $0 != "." }) ? "−" : "+")\(text) %"
    }

    /// Returns a duration in minutes and seconds: `45 s`, `2 min 05 s`.
    package static func duration(seconds: Double) -> String {
        // No run takes longer than a million years, but a file may contain any number.
        let whole = Int(min(max(0, seconds), 3e13).rounded())
        guard whole >= 60 else { return "\(whole) s" }
        let rest = whole % 60
        return "\(whole / 60) min \(rest < 10 ? "0" : "")\(rest) s"
    }

    /// Returns a share in per cent, in the form that a user would type: `5 %`, `0.25 %`.
    static func percent(_ share: Double) -> String {
        let percent = (share * 1e8).rounded() / 1e6
        return percent == percent.rounded() ? "\(Int(percent)) %" : "\(percent) %"
    }

    static func fixed(_ value: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value.magnitude * scale).rounded()
        guard scaled < 9e15 else { return "\(value)" }
        let digits = "\(Int(scaled))"
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
        let sign = value < 0 && scaled != 0 ? "-" : ""
        return decimals == 0 ? sign + padded : "\(sign)\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
    }
}

/// The form in which reports show a metric of a benchmark: per operation.
///
/// Results, budgets and the JSON of every verb contain counts per iteration, together with the number of operations in
/// an iteration. These counts are whole numbers, which are the same for equal work. Tables and pages show counts per
/// operation, next to the time. Objects that an iteration leaves behind (net allocations, live resources) are not a
/// cost of an operation, and are shown unchanged.
struct ShownMetric: Sendable, Equatable {
    private let unit: MetricUnit
    /// The number of operations by which a stored figure is divided.
    private let share: Double

    /// Creates the form of the metric `name` of a benchmark. `unit` is the stored unit, and `operations` is the number
    /// of operations in an iteration.
    init(_ name: String, unit: MetricUnit, operations: Int) {
        self.unit = unit
        share = Self.share(of: name, unit: unit, operations: operations) ?? 1
    }

    /// Returns the number of operations by which a stored figure is divided, or `nil` if the metric is not divided.
    static func share(of name: String, unit: MetricUnit, operations: Int) -> Double? {
        sharedByOperations.contains(name) && unit.isPerIteration && operations > 0 ? Double(operations) : nil
    }

    /// The metrics that are shown per operation.
    static let sharedByOperations = [
        Metric.allocations, Metric.allocatedBytes, Metric.deallocations, Metric.instructions, Metric.objects,
        Metric.retains,
        Metric.releases,
    ]

    /// Returns the metric's name in column titles, such as `allocs/op`.
    static func title(_ name: String) -> String {
        switch name {
        case Metric.time: "time/op"
        case Metric.ratioToBaseline: "vs baseline"
        case Metric.allocations: "allocs/op"
        case Metric.allocatedBytes: "bytes/op"
        case Metric.deallocations: "frees/op"
        case Metric.instructions: "instr/op"
        case Metric.netAllocations: "net allocs"
        case Metric.liveResources: "live"
        case Metric.objects, Metric.retains, Metric.releases: "\(name)/op"
        default: name
        }
    }

    /// Returns a stored figure divided by the number of operations.
    func value(_ stored: Double) -> Double { stored / share }

    /// Returns the text of a stored figure, in a suitable unit.
    func text(_ stored: Double) -> String { text(value(stored), decimals: 0) }

    /// Returns the texts of two stored figures. Counts have enough digits to distinguish them.
    func texts(_ before: Double, _ after: Double) -> (before: String, after: String) {
        let (old, new) = (value(before), value(after))
        guard !unit.isBytes else { return Figures.bytes(old, new) }
        let decimals =
            unit.isTime && unit.isPerOperation || unit.isRatio ? 0 : Figures.decimals(telling: old, from: new)
        return (text(old, decimals: decimals), text(new, decimals: decimals))
    }

    /// Returns the change of a stored count, with the percentage of the earlier count: `+1 (+33.3 %)`. The text is
    /// empty if the counts are equal.
    func change(from before: Double, to after: Double) -> String {
        guard before != after else { return "" }
        let sign = after > before ? "+" : "−"
        let part = before > 0 ? " (\(sign)\(Figures.threeDigits((after - before).magnitude / before * 100)) %)" : ""
        return sign + text((after - before).magnitude / share, decimals: 0) + part
    }

    private func text(_ value: Double, decimals: Int) -> String {
        if unit.isTime, unit.isPerOperation { return Figures.time(nanoseconds: value) }
        if unit.isRatio { return "\(Figures.threeDigits(value)) ×" }
        return unit.isBytes ? Figures.bytes(value) : Figures.count(value, decimals: decimals)
    }
}
