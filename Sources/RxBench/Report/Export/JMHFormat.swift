import RxBench

/// The JSON that the Java Microbenchmark Harness writes with `-rf json`.
///
/// A process is a *fork*, and its stored samples are the iterations in `rawData`. `operator/merge/sync?sources=8` is
/// the benchmark `operator.merge.sync` with the parameter `sources`. The score is the median of process medians;
/// `scoreError` is the larger distance from it to an end of its interval, `"NaN"` where there is none, as JMH writes
/// it. Two members are this tool's own: `forkScores` has the medians of all samples of a process, of which `rawData`
/// holds a few, and `id` the order of parameters. Members that are peculiar to a Java machine are left out, and so is
/// a benchmark that failed: JMH leaves it out too.
struct JMHFormat: ExportFormat {
    let name = "jmh"
    let readers = "what reads the JSON of JMH's '-rf json'"

    /// A list with one object for each benchmark.
    func document(of results: [RunResult]) -> String {
        ExportJSON.list((results.first?.benchmarks ?? []).compactMap(Self.entry)).document
    }

    private static func entry(_ benchmark: BenchmarkResult) -> ExportJSON? {
        guard benchmark.failure == nil else { return nil }
        let figures = benchmark.availableFigures
        guard let time = figures.first(where: { $0.metric.name == Metric.time }) else { return nil }
        var secondary: [String: ExportJSON] = [:]
        for figure in figures where figure.metric.name != Metric.time { secondary[figure.metric.name] = metric(figure) }
        var members: [String: ExportJSON] = [
            "mode": .text("avgt"), "threads": .integer(1), "forks": .integer(benchmark.processes),
            "measurementIterations": .integer(time.samples.map(\.count).max() ?? 0), "primaryMetric": metric(time),
            "secondaryMetrics": .object(secondary),
        ]
        // Only a valid ID has parameters: a file may hold any text.
        if let id = try? BenchmarkID(benchmark.id) {
            members["benchmark"] = .text(id.segments.joined(separator: "."))
            let parameters = id.parameters.map { ($0.name, ExportJSON.text($0.value)) }
            // Members of an object have no order, and an ID is a text.
            if parameters.count > 1 { members["id"] = .text(benchmark.id) }
            if !parameters.isEmpty { members["params"] = .object(Dictionary(parameters) { first, _ in first }) }
        } else {
            members["benchmark"] = .text(benchmark.id)
        }
        return .object(members)
    }

    private static func metric(_ figure: ExportedFigure) -> ExportJSON {
        let score = figure.value ?? .nan
        let interval = figure.interval
        let error = interval.map { max(score - $0.low, $0.high - score) }
        // The samples are thinned, so that the medians of processes do not follow from them.
        let medians =
            figure.metric.samples == nil
            ? [:] : ["forkScores": ExportJSON.list(figure.metric.values.map(ExportJSON.number))]
        let percentiles = figure.quantiles.map { (percentile($0.probability), ExportJSON.number($0.value)) }
        return .object(
            [
                "score": number(figure.value), "scoreError": number(error),
                "scoreConfidence": .list([number(interval?.low), number(interval?.high)]),
                "scorePercentiles": .object(Dictionary(percentiles) { first, _ in first }),
                "scoreUnit": .text(figure.unit),
                "rawData": .list(figure.samples.map { .list($0.map(ExportJSON.number)) }),
            ].merging(medians) { own, _ in own })
    }

    /// 0.999 is `99.9`; the product alone would be 99.90000000000001.
    private static func percentile(_ probability: Double) -> String { "\((probability * 1e8).rounded() / 1e6)" }

    private static func number(_ value: Double?) -> ExportJSON { value.map(ExportJSON.number) ?? .text("NaN") }
}
