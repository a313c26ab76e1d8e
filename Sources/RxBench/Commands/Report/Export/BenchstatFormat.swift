import RxBench
import RxBenchEngine

/// The text format that `go test -bench` prints and `benchstat` compares.
///
/// `BenchmarkOperator/merge/sync/sources=8-2  160000  12.5 ns/op  0.003 allocs/op` is the line of one process.
/// Benchstat takes its *n* from the number of these lines.
///
/// The grammar is described in "Go Benchmark Data Format" (golang.org/design/14313-benchmark-format), with the unit
/// metadata of golang.org/x/perf/benchfmt. The number of iterations in a line is the smallest number that the stored
/// samples represent. Settings that must agree for two results to be compared are written as configuration lines.
/// Commit and date are configuration lines only if there are several results, because benchstat separates tables by
/// every line that differs. A benchmark that failed has no line, as in Go's own tool.
struct BenchstatFormat: ExportFormat {
    let name = "benchstat"
    let readers = "benchstat (golang.org/x/perf)"
    /// Results can be distinguished with `benchstat -col commit`.
    let holdsSeveralResults = true

    /// Returns configuration lines, unit lines and benchmark lines.
    func document(of results: [RunResult]) -> String {
        // Units are declared once for the whole document.
        var lines = Self.units(of: results)
        for result in results {
            lines += configuration(of: result, isOneOfSeveral: results.count > 1)
            lines.append("")
            for benchmark in result.benchmarks where benchmark.failure == nil {
                lines += Self.lines(of: benchmark, cores: result.environment.cores)
            }
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }

    private func configuration(of result: RunResult, isOneOfSeveral: Bool) -> [String] {
        let environment = result.environment
        var pairs = [
            ("tool", "rxbench"), ("machine", environment.machine), ("arch", environment.architecture),
            ("configuration", environment.configuration), ("tracing", environment.isTracing ? "on" : "off"),
        ]
        if let processor = environment.processor.value { pairs.append(("cpu", processor)) }
        let commit = result.commit.value.map { "\($0.sha)\($0.isDirty ? "-dirty" : "")" }
        if isOneOfSeveral { pairs += [("commit", commit ?? "unknown"), ("date", result.run.date)] }
        let lines = pairs.map { "\($0.0): \(Self.singleLine($0.1))" }
        // Lines that begin with a capital letter are neither configuration nor benchmarks. Readers skip them.
        return isOneOfSeveral
            ? lines
            : lines + ["Commit \(Self.singleLine(commit ?? "unknown")), run at \(Self.singleLine(result.run.date))"]
    }

    /// Returns a line for each unit that says whether its figures are exact counts and which direction is better.
    private static func units(of results: [RunResult]) -> [String] {
        var order: [String] = []
        var isExact: [String: Bool] = [:]
        for benchmark in results.flatMap(\.benchmarks) where benchmark.failure == nil {
            for figure in benchmark.availableFigures {
                let unit = unit(of: figure)
                if isExact[unit] == nil { order.append(unit) }
                isExact[unit] = isExact[unit] != false && figure.metric.isStable == true
            }
        }
        return order.map { "Unit \($0) better=lower\(isExact[$0] == true ? " assume=exact" : "")" }
    }

    private static func lines(of benchmark: BenchmarkResult, cores: Int) -> [String] {
        let figures = benchmark.availableFigures
        let name = processName(of: benchmark.id, cores: cores)
        let count =
            figures.map { $0.metric.kind == .exact && $0.metric.isStable == true ? 1 : $0.metric.values.count }.max()
            ?? 0
        return (0..<count).compactMap { index in
            let values = figures.compactMap { figure in
                figure.reading(ofProcess: index).map { "\($0) \(unit(of: figure))" }
            }
            guard !values.isEmpty else { return nil }
            return ([name, "\(benchmark.leastOperations(inProcess: index))"] + values).joined(separator: "\t")
        }
    }

    /// Returns the name with the number of processors appended, as Go writes it.
    private static func processName(of id: String, cores: Int) -> String {
        "\(name(of: id))-\(max(cores, 1))"
    }

    /// Returns the ID in the form of Go's sub-benchmarks: `operator/merge/sync?sources=8` becomes
    /// `BenchmarkOperator/merge/sync/sources=8`.
    static func name(of id: String) -> String {
        let path = id.map { $0 == "?" || $0 == "&" ? "/" : String($0) }.joined()
        return "Benchmark" + escaped(path.prefix(1).uppercased() + path.dropFirst())
    }

    /// Returns Go's own unit if Go has one for the metric. Otherwise returns the metric's name followed by its unit, as
    /// in the suites of the Go project.
    static func unit(of figure: ExportedFigure) -> String {
        switch figure.metric.name {
        case Metric.time where figure.isTime: return escaped(figure.unit)
        case Metric.allocations where figure.shared == "count/operation": return "allocs/op"
        case Metric.allocatedBytes where figure.shared == "bytes/operation": return "B/op"
        default:
            let words = figure.metric.name.camelCaseWords
            let noun = figure.shared.quantity
            let isNamed = noun == "count" || figure.shared.isRatio || words.last == noun || noun.isEmpty
            let rest = figure.shared.base.map { $0 == "operation" ? "/op" : "/\($0)" } ?? ""
            let unit = (words + (isNamed ? [] : [noun])).joined(separator: "-") + rest
            return unit.isEmpty ? "unnamed" : escaped(unit)
        }
    }

    /// Percent-encodes white space, which would end a word, and the percent sign, so that distinct texts stay distinct.
    private static func escaped(_ text: some StringProtocol) -> String {
        text.unicodeScalars.map { scalar in
            let isPlain =
                scalar != "%" && !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
            return isPlain ? String(scalar) : String(scalar).utf8.map { "%" + hex($0) }.joined()
        }.joined()
    }

    /// Reverses ``escaped(_:)``.
    static func unescaped(_ text: some StringProtocol) -> String {
        guard text.contains("%") else { return String(text) }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hex(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    private static func singleLine(_ text: String) -> String {
        text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
    }
}
