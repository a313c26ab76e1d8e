import RxBench

/// The JSON that Google Benchmark writes with `--benchmark_format=json`, google/swift-benchmark with `--format json`,
/// and ``GoogleBenchmarkFormat``.
///
/// Entries of one `run_name` are repetitions and taken for processes. An aggregate counts only where its benchmark has
/// nothing else: its median, or its mean, is then the one figure. An entry with `error_occurred` is a failure with its
/// message; one that was skipped is left out.
struct GoogleBenchmarkImport: ImportFormat {
    /// `google-benchmark`.
    let name = "google-benchmark"
    /// Google's tools.
    let writers = "Google Benchmark's JSON, and google/swift-benchmark's"

    /// By an object that names benchmarks.
    func recognises(_ text: ImportedText) -> Bool { text.firstByte == UInt8(ascii: "{") }

    /// The one run of the document.
    func runs(in text: ImportedText) throws(ImportProblem) -> [ImportedRun] {
        let document = try ImportedJSON(text)
        guard document["schemaVersion"] == nil else {
            throw ImportProblem("it is a stored result already; name it where a result is wanted")
        }
        guard let entries = document["benchmarks"]?.list else {
            throw ImportProblem("it is JSON without the list 'benchmarks' of Google Benchmark")
        }
        var run = ImportedRun()
        let context = document["context"]
        run.facts = context.map(Self.facts) ?? ImportedFacts()
        try Self.read(entries, into: &run, hasProcessorTime: context?["cpu_time"] == nil)
        if context.map(Self.isOwn) == true { try Self.read(failures: context?["failed"]?.members ?? [], into: &run) }
        guard !run.benchmarks.list.isEmpty else { throw ImportProblem("it has no benchmark") }
        return [run]
    }

    private static func isOwn(_ context: ImportedJSON) -> Bool { context["executable"]?.text == "rxbench" }

    private static func facts(_ context: ImportedJSON) -> ImportedFacts {
        var facts = ImportedFacts()
        facts.tool =
            isOwn(context)
            ? "rxbench"
            : context["library_version"] == nil && context["library_build_type"] == nil ? nil : "Google Benchmark"
        facts.toolVersion = context["library_version"]?.text
        facts.date = context["date"]?.text.flatMap(ImportedDate.normalised)
        facts.machine.cores = context["num_cpus"]?.number.flatMap { Int(exactly: $0) }.flatMap {
            (1...1_000_000).contains($0) ? $0 : nil
        }
        facts.loadAverage = context["load_avg"]?.list?.first?.number.flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        // These are this tool's own; Google's build type is that of its library and says nothing of the measured code.
        if isOwn(context) { facts.configuration = context["library_build_type"]?.text }
        facts.machine.name = context["machine"]?.text
        facts.machine.operatingSystem = context["operating_system"]?.text
        facts.machine.processor = context["processor"]?.text
        facts.swiftVersion = context["swift_version"]?.text
        facts.isTracing = ["on": true, "off": false][context["tracing"]?.text ?? ""]
        facts.commit = context["commit"]?.text.flatMap { Commit(imported: $0) }
        return facts
    }

    /// ``GoogleBenchmarkFormat`` has failures in its context.
    private static func read(
        failures: [(name: String, value: ImportedJSON)], into run: inout ImportedRun
    ) throws(ImportProblem) {
        for failed in failures {
            let place = "line \(failed.value.line)"
            try run.benchmarks.update(
                ImportedName.id(of: parts(of: failed.name), place: place), name: failed.name, place: place
            ) {
                $0.failure = failed.value.text ?? "It failed there, and the file does not say why."
            }
        }
    }

    private static func parts(of name: String) -> [String] {
        if (try? BenchmarkID(name)) != nil { return [name] }
        return name.split(separator: "/").map(String.init)
    }

    private static func read(
        _ entries: [ImportedJSON], into run: inout ImportedRun, hasProcessorTime: Bool
    ) throws(ImportProblem) {
        let measured = Set(entries.filter { $0["run_type"]?.text != "aggregate" }.compactMap(name))
        var aggregates: [String: String] = [:]
        for entry in entries where entry["run_type"]?.text == "aggregate" {
            guard let name = name(of: entry), let kind = entry["aggregate_name"]?.text,
                ["median", "mean"].contains(kind), aggregates[name] != "median"
            else { continue }
            aggregates[name] = kind
        }
        for (index, entry) in entries.enumerated() {
            guard let name = name(of: entry) else {
                throw ImportProblem("line \(entry.line): entry \(index + 1) of 'benchmarks' has no name")
            }
            if entry["run_type"]?.text == "aggregate" {
                guard !measured.contains(name), entry["aggregate_name"]?.text == aggregates[name] else { continue }
            }
            let place = "line \(entry.line), entry \(ImportProblem.quoted(name)),"
            if entry["skipped"]?.flag == true {
                run.notes.append("\(ImportProblem.quoted(name)) was skipped there and is left out.")
                continue
            }
            try run.benchmarks.update(ImportedName.id(of: parts(of: name), place: place), name: name, place: place) {
                benchmark throws(ImportProblem) in
                if entry["error_occurred"]?.flag == true {
                    benchmark.failure =
                        entry["error_message"]?.text.flatMap { $0.isEmpty ? nil : $0 }
                        ?? "It failed there, and the file does not say why."
                } else {
                    try read(entry, into: &benchmark, place: place, hasProcessorTime: hasProcessorTime)
                }
            }
        }
    }

    private static func name(of entry: ImportedJSON) -> String? {
        (entry["run_name"] ?? entry["name"])?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func read(
        _ entry: ImportedJSON, into benchmark: inout ImportedBenchmark, place: String, hasProcessorTime: Bool
    ) throws(ImportProblem) {
        let unit = entry["time_unit"]?.text ?? "ns"
        guard let scale = ImportedMetric.nanoseconds(ofUnit: unit) else {
            throw ImportProblem(
                "\(place) has the time unit \(ImportProblem.quoted(unit)), which is none of ns, us, ms, s")
        }
        // google/swift-benchmark calls it 'time'.
        guard let time = (entry["real_time"] ?? entry["time"])?.number else {
            throw ImportProblem("\(place) has no number 'real_time'")
        }
        try benchmark.add((time * scale).importableTime(place), to: ImportedMetric.time, isExact: false, place: place)
        if hasProcessorTime, let processor = entry["cpu_time"]?.number {
            let definition = MetricDefinition(name: "processorTime", unit: "ns/operation")
            try benchmark.add((processor * scale).importableTime(place), to: definition, isExact: false, place: place)
        }
        for (name, member) in entry.members ?? [] where !own.contains(name) {
            // A counter may be 'NaN', and then is none.
            guard case .number(let value) = member.value, !value.isNaN else { continue }
            let definition = definition(ofCounter: name)
            try benchmark.add(
                value.importable(place), to: definition, isExact: ImportedMetric.isExact(definition), place: place)
        }
    }

    /// A user counter is named with its unit by ``GoogleBenchmarkFormat`` alone.
    private static func definition(ofCounter name: String) -> MetricDefinition {
        if let match = name.wholeMatch(of: /(\S+) \((.+)\)/) {
            return ImportedMetric.definition(String(match.1), unit: String(match.2))
        }
        switch name {
        case "allocs_per_iter": return ImportedMetric.definition(Metric.allocations, unit: "count/op")
        case "items_per_second": return MetricDefinition(name: "itemsPerSecond", unit: "1/s")
        case "bytes_per_second": return MetricDefinition(name: "bytesPerSecond", unit: "bytes/s")
        case "max_bytes_used", "total_allocated_bytes", "net_heap_growth":
            return ImportedMetric.definition(name, unit: "B")
        default: return ImportedMetric.definition(name, unit: "not stated")
        }
    }

    /// Members of an entry that are no counters.
    private static let own: Set<String> = [
        "name", "run_name", "run_type", "family_index", "per_family_instance_index", "repetitions", "repetition_index",
        "threads", "iterations",
        "real_time", "cpu_time", "time_unit", "label", "error_occurred", "error_message", "skipped", "skip_message",
        "aggregate_name", "aggregate_unit",
        "time", "std", "warmup",
    ]
}
