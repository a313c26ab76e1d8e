import RxBench

/// Numbers as reports show them: three significant digits and a unit.
package enum Figures {
    /// `value` with three significant digits, without exponent: `0.000140`, `2.13`, `1230`.
    package static func threeDigits(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)" }
        guard value != 0 else { return "0" }
        return fixed(value, decimals: max(0, 2 - exponent(value)))
    }

    /// The power of ten of the first of three digits of `value`, which is finite and not 0.
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
        // 9.996 has three digits only as 10.0.
        return (lead * 100).rounded() >= 1000 ? exponent + 1 : exponent
    }

    /// How many decimals two figures need for two digits of their difference: 3 for 6 and 6.017.
    static func decimals(telling first: Double, from second: Double) -> Int {
        let difference = first - second
        return difference != 0 && difference.isFinite ? max(0, 1 - exponent(difference)) : 0
    }

    /// Nanoseconds in the unit that suits them: `2.13 ns`, `41.0 µs`, `1.20 s`.
    package static func time(nanoseconds: Double) -> String {
        let units: [(Double, String)] = [(1e9, "s"), (1e6, "ms"), (1e3, "µs")]
        for (size, unit) in units where nanoseconds.magnitude >= size {
            return "\(threeDigits(nanoseconds / size)) \(unit)"
        }
        return "\(threeDigits(nanoseconds)) ns"
    }

    /// Bytes in the unit that suits them: `32 B`, `1.50 KiB`.
    package static func bytes(_ value: Double) -> String { bytes(value, value).before }

    /// Two numbers of bytes in the unit that suits the larger, with as many digits as tell them apart.
    static func bytes(_ before: Double, _ after: Double) -> (before: String, after: String) {
        let units: [(Double, String)] = [(1_073_741_824, "GiB"), (1_048_576, "MiB"), (1024, "KiB")]
        let (size, unit) = units.first { max(before.magnitude, after.magnitude) >= $0.0 } ?? (1, "B")
        let decimals = decimals(telling: before / size, from: after / size)
        func text(_ value: Double) -> String {
            size == 1 ? count(value, decimals: decimals) : digits(value / size, decimals: decimals)
        }
        return ("\(text(before)) \(unit)", "\(text(after)) \(unit)")
    }

    /// A count: whole numbers as they are, others with three significant digits.
    package static func count(_ value: Double) -> String { count(value, decimals: 0) }

    /// As ``count(_:)``, with `decimals` where that are more.
    static func count(_ value: Double, decimals: Int) -> String {
        value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : digits(value, decimals: decimals)
    }

    /// Three significant digits, or `decimals` where that are more.
    private static func digits(_ value: Double, decimals: Int) -> String {
        guard value.isFinite, value != 0 else { return threeDigits(value) }
        return fixed(value, decimals: max(decimals, 2 - exponent(value), 0))
    }

    /// A number of things in words: `1 result`, `2 results`.
    package static func counted(_ count: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// The larger distance from the estimate to an end of its interval, in per cent: `±1.2 %`.
    package static func spread(_ value: Double, _ interval: Metric.Interval?) -> String {
        guard let interval, value != 0 else { return "" }
        let distance = max(value - interval.low, interval.high - value) / value.magnitude * 100
        return "±\(distance < 10 ? fixed(distance, decimals: 1) : fixed(distance, decimals: 0)) %"
    }

    /// A ratio as a signed change: `+12.3 %`.
    package static func change(ratio: Double) -> String {
        let percent = (ratio - 1) * 100
        let text = fixed(percent.magnitude, decimals: percent.magnitude < 100 ? 1 : 0)
        return "\(percent < 0 && text.contains(where: { $0 != "0" && $0 != "." }) ? "−" : "+")\(text) %"
    }

    /// Seconds as a person says them: `45 s`, `2 min 05 s`.
    package static func duration(seconds: Double) -> String {
        // No run takes longer than a million years; a file may say so.
        let whole = Int(min(max(0, seconds), 3e13).rounded())
        guard whole >= 60 else { return "\(whole) s" }
        let rest = whole % 60
        return "\(whole / 60) min \(rest < 10 ? "0" : "")\(rest) s"
    }

    /// A share as somebody would type it: `5 %`, `0.25 %`.
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
