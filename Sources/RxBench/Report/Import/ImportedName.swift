import RxBench

/// How names of other tools become IDs.
///
/// An ID stays as it is. Else each part of a name is written in lowercase, with a hyphen where a capital
/// begins a word; other characters become a hyphen, none at the ends, and letters beyond ASCII their code, as in
/// `u00fc`; a plus sign is dropped. `name=value` and `name:value` become parameters. A name of one part gets
/// `imported/` before it.
enum ImportedName {
    static func id(
        of parts: [String], parameters: [(name: String, value: String)] = [], place: String
    ) throws(ImportProblem) -> BenchmarkID {
        if parameters.isEmpty, let id = try? BenchmarkID(parts.joined(separator: "/")) { return id }
        var segments: [String] = []
        var pairs: [(name: String, value: String)] = parameters.map { (word($0.name), value($0.value)) }
        for part in parts {
            if let pair = pair(in: part), !pairs.contains(where: { $0.name == pair.name }) {
                pairs.append(pair)
            } else {
                segments.append(word(part))
            }
        }
        if segments.count < 2 { segments.insert("imported", at: 0) }
        if segments.count < 2 { segments.append("unnamed") }
        let query = pairs.isEmpty ? "" : "?" + pairs.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        do { return try BenchmarkID(segments.joined(separator: "/") + query) } catch {
            throw ImportProblem(
                """
                \(place): \(ImportProblem.quoted(parts.joined(separator: "/"))) cannot be a benchmark's ID: \
                \(error.reason)
                """
            )
        }
    }

    /// `sources=8` or `threads:2`, as a parameter.
    private static func pair(in part: String) -> (name: String, value: String)? {
        for mark in ["=", ":"] as [Character] {
            let halves = part.split(separator: mark, omittingEmptySubsequences: false)
            guard halves.count == 2, !halves[1].isEmpty, let first = halves[0].unicodeScalars.first, isLetter(first),
                halves[0].unicodeScalars.allSatisfy({ isLetter($0) || isDigit($0) || $0 == "_" || $0 == "-" })
            else { continue }
            return (word(String(halves[0])), value(String(halves[1])))
        }
        return nil
    }

    /// A segment or the name of a parameter.
    static func word(_ text: String) -> String { mapped(text, isValue: false) }

    /// A parameter's value, which may have points, and whose capitals begin no words.
    static func value(_ text: String) -> String { mapped(text, isValue: true) }

    private static func mapped(_ text: String, isValue: Bool) -> String {
        var mapped = ""
        var needsHyphen = false
        let scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isKept = isLetter(scalar) || isDigit(scalar) || scalar == "-" || (isValue && scalar == ".")
            let code = scalar.isASCII ? nil : "u" + hexadecimal(scalar.value)
            guard isKept || code != nil else {
                if scalar != "+" { needsHyphen = true }
                continue
            }
            let beginsWord = !isValue && beginsWord(index, scalars)
            if needsHyphen || beginsWord, !mapped.isEmpty, mapped.last != "-" { mapped += "-" }
            needsHyphen = false
            mapped += code ?? scalar.properties.lowercaseMapping
        }
        return mapped.isEmpty ? "-" : mapped
    }

    /// A capital behind a lowercase letter or a digit, and the last of several capitals before a lowercase letter:
    /// `parseJSONText`.
    private static func beginsWord(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        guard index > 0, isCapital(scalars[index]) else { return false }
        let before = scalars[index - 1]
        if isDigit(before) || (isLetter(before) && !isCapital(before)) { return true }
        return isCapital(before) && index + 1 < scalars.count && isLetter(scalars[index + 1])
            && !isCapital(scalars[index + 1])
    }

    private static func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func isLetter(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) || isCapital(scalar) }
    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }
}

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
