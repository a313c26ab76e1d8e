import RxBench

extension Benchmark {
    /// The ways in which a stage is measured.
    package enum Aspect: String, Sendable, CaseIterable {
        /// Sending events through the chain.
        case stage
        /// Subscribing to the chain and disposing of the subscription.
        case subscribing
    }

    /// Returns the benchmark of a stage, which is measured in turns with the previous stage. Returns `nil` if there is
    /// no such stage.
    package func growth(_ aspect: Aspect, _ number: Int) -> Benchmark? {
        guard stages.indices.contains(number), let id = growthID(aspect, number) else { return nil }
        let stage = stages[number]
        let before =
            number > 0 && (aspect == .stage || stages[number - 1].subscribing != nil)
            ? growthID(aspect, number - 1) : nil
        switch aspect {
        case .stage:
            return Benchmark(
                id.text, decides: decides, operations: operations, relativeTo: before?.text, setUp: stage.setUp)
        case .subscribing:
            guard let subscribing = stage.subscribing else { return nil }
            return Benchmark(
                id.text, decides: decides, operations: stage.subscriptions, relativeTo: before?.text, setUp: subscribing
            )
        }
    }

    /// Returns an ID such as `operator/chain/stage-2?depth=6`. Such IDs never appear in a file or a list.
    private func growthID(_ aspect: Aspect, _ number: Int) -> BenchmarkID? {
        let halves = id.text.split(separator: "?", maxSplits: 1)
        let query = halves.count > 1 ? "?\(halves[1])" : ""
        return try? BenchmarkID("\(halves[0])/\(aspect.rawValue)-\(number)\(query)")
    }
}

extension Catalog {
    /// Returns the benchmark with the ID `id`. If ``Benchmark/growth(_:_:)`` creates a stage of a benchmark with this
    /// ID, returns that stage.
    func resolve(_ id: BenchmarkID) -> Benchmark? {
        if let benchmark = self[id] { return benchmark }
        guard let end = id.segments.last, let hyphen = end.lastIndex(of: "-"),
            let aspect = Benchmark.Aspect(rawValue: String(end[..<hyphen])),
            let number = Int(end[end.index(after: hyphen)...])
        else { return nil }
        let halves = id.text.split(separator: "?", maxSplits: 1)
        let path = id.segments.dropLast().joined(separator: "/")
        let text = halves.count > 1 ? "\(path)?\(halves[1])" : path
        return (try? BenchmarkID(text)).flatMap { self[$0]?.growth(aspect, number) }
    }
}
