import RxBench

/// How figures of other tools are called and measured in a result: what ``ExportedFigure`` and ``BenchstatFormat`` do,
/// turned round.
enum ImportedMetric {
    static let time = MetricDefinition(name: Metric.time, unit: "ns/operation")

    /// The definition of a metric that is named apart from its unit: `allocations` in `count/op`.
    static func definition(_ name: String, unit: String) -> MetricDefinition {
        let name = isName(name) ? name : camelCase(words(of: name))
        return MetricDefinition(name: name, unit: ExportedFigure.storedUnit(unit, of: name))
    }

    /// Whether a metric is counted, so that equal work gives an equal figure.
    static func isExact(_ definition: MetricDefinition) -> Bool { ExportedFigure.counts.contains(definition.name) }

    /// The definition behind a unit of Go's, which names the metric too: `allocs/op`, `latency-p99-ns`, `MB/s`.
    static func definition(ofGoUnit unit: String) -> MetricDefinition {
        switch unit {
        case "ns/op": return time
        case "allocs/op": return definition(Metric.allocations, unit: "count/op")
        case "B/op": return definition(Metric.allocatedBytes, unit: "B/op")
        case "MB/s": return MetricDefinition(name: "throughput", unit: unit)
        default: break
        }
        let halves = unit.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let rest = halves.count > 1 ? "/\(halves[1])" : ""
        let all = words(of: halves[0])
        guard let last = all.last else { return MetricDefinition(name: camelCase([unit]), unit: "count\(rest)") }
        // Names end in what they count, but not in a unit of time.
        if units.contains(last), all.count > 1 {
            return definition(camelCase(Array(all.dropLast())), unit: last + rest)
        }
        if units.contains(last) {
            return MetricDefinition(
                name: camelCase(words(of: unit.split(separator: "/").joined(separator: " per "))), unit: unit)
        }
        if last == "bytes" { return definition(camelCase(all), unit: "B" + rest) }
        let name = camelCase(all)
        return name == Metric.ratioToBaseline
            ? MetricDefinition(name: name, unit: "ratio") : definition(name, unit: "count" + rest)
    }

    private static let units: Set<String> = [
        "ns", "us", "µs", "ms", "s", "sec", "B", "KB", "MB", "GB", "KiB", "MiB", "GiB",
    ]

    /// Letters and digits that belong together; a letter beyond ASCII parts words, except the micro sign of a unit.
    static func words(of text: String) -> [String] {
        text.replacing("Δ", with: " delta ").unicodeScalars.split {
            !(ImportedName.isLetter($0) || ImportedName.isDigit($0) || $0 == "µ")
        }
        .map { String($0) }
    }

    /// `["gc", "alloc", "rate"]` as `gcAllocRate`.
    static func camelCase(_ words: [String]) -> String {
        let plain = words.map { word in
            String(
                String.UnicodeScalarView(
                    word.unicodeScalars.filter { ImportedName.isLetter($0) || ImportedName.isDigit($0) }))
        }.filter { !$0.isEmpty }
        guard let first = plain.first else { return "unnamed" }
        let isAlone = plain.count == 1 && isName(first)
        let name =
            (isAlone ? first : first.lowercased())
            + plain.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return isName(name) ? name : "metric" + name
    }

    /// Whether the schema of results allows it.
    private static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, ("a"..."z").contains(first) else { return false }
        return text.unicodeScalars.allSatisfy { ImportedName.isLetter($0) || ImportedName.isDigit($0) }
    }

    /// Nanoseconds of a unit of time; `nil` for anything else.
    static func nanoseconds(ofUnit unit: String) -> Double? {
        switch unit {
        case "ns": 1
        case "us", "µs", "μs": 1e3
        case "ms": 1e6
        case "s": 1e9
        case "min": 60e9
        case "hr": 3_600e9
        case "day": 86_400e9
        default: nil
        }
    }
}
