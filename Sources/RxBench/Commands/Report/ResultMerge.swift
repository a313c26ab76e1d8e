import RxBench
import RxBenchEngine

/// Merges runs of parts of a suite into one result.
package enum ResultMerge {
    /// The reason why runs cannot be merged, as a sentence with the remedy.
    package struct Refusal: Error, Equatable, CustomStringConvertible {
        /// The sentence.
        package let description: String
    }

    /// Merges all `runs` into one result. Each run has the name of its source. The benchmarks are in the order of
    /// `order`, followed by the others in the order of the runs.
    ///
    /// - Throws: ``Refusal`` if the runs have different machines, configurations, tracing, formats, compilers, commits
    ///   or numbers of processes, if two runs contain the same benchmark, or if a shard is missing.
    package static func merge(_ runs: [(name: String, result: RunResult)], order: [String]) throws(Refusal) -> RunResult
    {
        guard let first = runs.first else {
            throw Refusal(description: "There is nothing to merge. Name the files of all shards.")
        }
        for other in runs.dropFirst() { try check(first, other) }
        try checkShards(runs)
        try checkBenchmarks(runs)
        let rank = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let benchmarks = runs.flatMap(\.result.benchmarks).enumerated()
            .sorted { (rank[$0.element.id] ?? .max, $0.offset) < (rank[$1.element.id] ?? .max, $1.offset) }.map(
                \.element)
        return RunResult(
            run: information(runs.map(\.result.run), counts: runs.map(\.result.benchmarks.count)),
            environment: first.result.environment,
            commit: first.result.commit, control: control(runs.map(\.result.control)), benchmarks: benchmarks)
    }

    private static func check(
        _ first: (name: String, result: RunResult), _ other: (name: String, result: RunResult)
    ) throws(Refusal) {
        let (a, b) = (first.result, other.result)
        let obstacles = ResultComparison.obstacles(a, b)
        func differ(_ what: String, _ left: String, _ right: String) -> String? {
            left == right ? nil : "\(what) differs ('\(left)' and '\(right)')"
        }
        let further = [
            differ("the compiler", "\(a.environment.swiftVersion)", "\(b.environment.swiftVersion)"),
            differ("jemalloc", "\(a.environment.jemalloc)", "\(b.environment.jemalloc)"),
            differ("the commit", commit(a), commit(b)),
            differ("the number of processes", "\(a.run.processes)", "\(b.run.processes)"),
        ].compactMap { $0 }
        guard let obstacle = (obstacles + further).first else { return }
        throw Refusal(
            description:
                """
                '\(first.name)' and '\(other.name)' cannot be merged: \(obstacle). Measure all shards with one \
                build on machines of one kind.
                """
        )
    }

    private static func commit(_ result: RunResult) -> String {
        result.commit.value.map { "\($0.sha.prefix(12))\($0.isDirty ? "-dirty" : "")" } ?? "nocommit"
    }

    private static func checkShards(_ runs: [(name: String, result: RunResult)]) throws(Refusal) {
        let shards = runs.compactMap { run in run.result.run.shard.map { (name: run.name, shard: $0) } }
        guard let count = shards.first?.shard.count else { return }
        try checkSelections(runs.filter { $0.result.run.shard != nil })
        var names: [Int: String] = [:]
        for (name, shard) in shards {
            guard shard.count == count else {
                throw Refusal(
                    description:
                        """
                        '\(shards[0].name)' is a shard of \(count) and '\(name)' one of \(shard.count). Merge \
                        shards of one division alone.
                        """
                )
            }
            if let twin = names.updateValue(name, forKey: shard.index) {
                throw Refusal(description: "'\(twin)' and '\(name)' are both shard \(shard). Leave one of them out.")
            }
        }
        let missing = (1...count).filter { names[$0] == nil }
        guard let least = missing.first else { return }
        let others = missing.count > 1 ? " and \(missing.count - 1) more" : ""
        throw Refusal(
            description:
                """
                Shard \(least)/\(count)\(others) is missing. Name its file too, or measure it with '--shard \
                \(least)/\(count)'.
                """
        )
    }

    /// Throws an error if the shards have different selections, which would leave unnoticed gaps, or if they counted
    /// different metrics.
    private static func checkSelections(_ shards: [(name: String, result: RunResult)]) throws(Refusal) {
        let asked = shards.map { (name: $0.name, arguments: deciding($0.result.run.arguments)) }
        guard let first = asked.first, let other = asked.first(where: { $0.arguments != first.arguments }) else {
            return
        }
        func words(_ arguments: [String]) -> String { arguments.isEmpty ? "run" : arguments.joined(separator: " ") }
        throw Refusal(
            description:
                """
                '\(first.name)' and '\(other.name)' cannot be merged: they are shards of different runs \
                ('\(words(first.arguments))' and 
                """
                    + "'\(words(other.arguments))'). Measure all shards with the same filters and options.")
    }

    /// Returns the arguments that decide what a run measures. Arguments that may differ between shards are removed.
    private static func deciding(_ arguments: [String]) -> [String] {
        let options = ["--shard", "--seed", "--time", "--timeout"]
        let flags = ["--json", "--markdown", "--no-store"]
        var kept: [String] = []
        var isValue = false
        for argument in arguments {
            let isOption = options.contains { argument == $0 || argument.hasPrefix("\($0)=") }
            if !isValue, !isOption, !flags.contains(argument) { kept.append(argument) }
            isValue = options.contains(argument)
        }
        return kept
    }

    /// Returns the reason why `runs` may have measured different code, or `nil` if it is certain that they measured the
    /// same code.
    package static func doubt(_ runs: [RunResult]) -> String? {
        guard runs.count > 1 else { return nil }
        if runs.contains(where: { $0.commit.value == nil }) { return "the commit of a result is not known" }
        return runs.contains { $0.commit.value?.isDirty == true } ? "the code differed from its commit" : nil
    }

    private static func checkBenchmarks(_ runs: [(name: String, result: RunResult)]) throws(Refusal) {
        var names: [String: String] = [:]
        for run in runs {
            for benchmark in run.result.benchmarks {
                if let other = names.updateValue(run.name, forKey: benchmark.id) {
                    throw Refusal(
                        description:
                            """
                            '\(other)' and '\(run.name)' both have '\(benchmark.id)'. Merge runs of different \
                            benchmarks; 'compare' is for the same.
                            """
                    )
                }
            }
        }
    }

    private static func information(_ runs: [RunInformation], counts: [Int]) -> RunInformation {
        let parts = zip(runs, counts).flatMap { run, count in
            run.parts ?? [
                MergedPart(
                    shard: run.shard, date: run.date, seed: run.seed,
                    durationSeconds: run.durationSeconds, benchmarks: count)
            ]
        }
        return RunInformation(
            date: runs.map(\.date).min() ?? "", arguments: withoutShard(runs[0].arguments),
            seed: runs[0].seed, processes: runs[0].processes,
            // A file may contain any number. A sum that JSON cannot represent must not crash the tool.
            durationSeconds: (min(max(runs.reduce(0) { $0 + $1.durationSeconds }, 0), 1e15) * 10).rounded() / 10,
            filters: runs.allSatisfy { $0.filters == runs[0].filters } ? runs[0].filters ?? [] : [],
            allocator: runs.lazy.compactMap(\.allocator).first, parts: parts)
    }

    private static func withoutShard(_ arguments: [String]) -> [String] {
        var kept: [String] = []
        var isValue = false
        for argument in arguments {
            if !isValue, !argument.hasPrefix("--shard") { kept.append(argument) }
            isValue = argument == "--shard"
        }
        return kept
    }

    private static func control(_ parts: [Metric]) -> Metric {
        let definition = MetricDefinition(name: parts[0].name, unit: parts[0].unit)
        let values = parts.flatMap(\.values)
        guard !values.isEmpty, values.allSatisfy(\.isFinite) else { return parts[0] }
        return .sampled(definition, values)
    }

    /// Returns the ratio of the slowest control loop's time to the fastest one's. The ratio is at least 1. Returns
    /// `nil` if fewer than two runs have a control loop.
    package static func spread(_ runs: [RunResult]) -> Double? {
        let values = runs.compactMap(\.control.reading.value).filter { $0 > 0 }
        guard values.count > 1, let low = values.min(), let high = values.max() else { return nil }
        return high / low
    }
}
