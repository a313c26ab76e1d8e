import RxBench

/// The benchmarks of two sides.
package struct PairedCatalog: Sendable, Equatable {
    /// All benchmarks, each once, head's first.
    package let all: [ListedBenchmark]
    /// How many operations an iteration performs, of all benchmarks.
    private let operations: [String: Int]
    /// The side that lacks a benchmark, for those that not both have.
    private let missing: [String: PairedSide]

    /// The benchmarks of each side, in the order of its suites.
    ///
    /// - Parameter retired: IDs that base has in its own benchmarks, which neither image has, as both have head's.
    package init(base: [ListedBenchmark], head: [ListedBenchmark], retired: [String] = []) {
        let (inBase, inHead) = (Set(base.map(\.id)), Set(head.map(\.id)))
        all =
            head + base.filter { !inHead.contains($0.id) }
            + retired.map { ListedBenchmark(id: $0, tags: [], operations: 1) }
        operations = Dictionary(all.map { ($0.id, $0.operations) }, uniquingKeysWith: { first, _ in first })
        missing = Dictionary(
            all.compactMap { benchmark in
                if !inHead.contains(benchmark.id) { return (benchmark.id, .head) }
                return inBase.contains(benchmark.id) ? nil : (benchmark.id, .base)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The benchmarks of both images; `executable`, the running tool, loads them.
    ///
    /// - Parameter candidates: Names in base's own benchmarks. Those of a family that is known, and that no image has,
    ///   are retired: other texts may read like an ID.
    /// - Throws: ``Interrupted`` when a signal arrived, ``BuildFailure`` when an image cannot be linked or listed.
    package init(
        of base: BuiltImage, _ head: BuiltImage, retiring candidates: [String] = [], executable: String,
        timeoutSeconds: Double
    ) throws {
        func list(_ image: BuiltImage) throws -> [ListedBenchmark] {
            try PairProcessLauncher.list(
                image: image.image(layout: 0), executable: executable, timeoutSeconds: timeoutSeconds)
        }
        let (base, head) = (try list(base), try list(head))
        let ids = Set((base + head).map(\.id))
        let families = Set(ids.compactMap { $0.split(separator: "/").first })
        let retired = candidates.filter { name in
            guard let family = name.split(separator: "/").first, families.contains(family) else { return false }
            return name.hasSuffix("…") ? !ids.contains { $0.hasPrefix(name.dropLast()) } : !ids.contains(name)
        }
        self.init(base: base, head: head, retired: retired)
    }

    /// How many operations an iteration of a benchmark performs.
    func operations(of id: String) -> Int { operations[id] ?? 1 }

    /// The side that lacks a benchmark; `nil` where both have it.
    func missingSide(of id: String) -> PairedSide? { missing[id] }
}

/// A benchmark that both sides have, and what was counted before it is timed.
struct CountedBenchmark {
    let id: String
    let operations: Int
    let quantities: [PairedQuantity]
    private var base: [ExactSeries]
    private var head: [ExactSeries]
    private var failures: [(sentence: String, side: PairedSide)] = []
    /// How many processes of each side count, where threads may count otherwise in the next one.
    static let threadedProcesses = 8

    init(id: String, operations: Int, base: WorkerReply, head: WorkerReply) {
        self.id = id
        self.operations = operations
        quantities = PairedQuantity.all(recordsLatencies: head.recordsLatencies ?? false)
        self.base = base.exact
        self.head = head.exact
        noteFailures(base, head)
    }

    /// Counts by `count`, which starts a process of either side. Where counts of several threads differ, it counts in
    /// further processes: which thread is first, and so how much is used again, may stay the same for all iterations of
    /// one.
    init(
        id: String, operations: Int,
        counting count: () throws(Interrupted) -> (base: WorkerReply, head: WorkerReply)
    ) throws(Interrupted) {
        let first = try count()
        self.init(id: id, operations: operations, base: first.base, head: first.head)
        for _ in 1..<Self.threadedProcesses where failures.isEmpty && hasThreadedDifference {
            let next = try count()
            base = base.pooled(with: next.base.exact)
            head = head.pooled(with: next.head.exact)
            noteFailures(next.base, next.head)
        }
    }

    private var hasThreadedDifference: Bool {
        let threaded = Set((base + head).filter(\.isThreaded).map(\.definition.name))
        return exact.contains { threaded.contains($0.name) && ($0.difference == .more || $0.difference == .fewer) }
    }

    private mutating func noteFailures(_ base: WorkerReply, _ head: WorkerReply) {
        for (reply, side) in [(base, PairedSide.base), (head, .head)] {
            if let sentence = reply.failure { failures.append((sentence, side)) }
        }
    }

    private var exact: [ExactComparison] { ExactComparison.all(base, head) }

    /// One for each quantity; the counts are the first one's.
    func collections(layouts: Int) -> [PairedCollection] {
        quantities.map { quantity in
            var collection = PairedCollection(id: id, quantity: quantity, operations: operations, layouts: layouts)
            for failure in failures { collection.fail(failure.sentence, in: failure.side) }
            if quantity == quantities.first { collection.exact = exact }
            return collection
        }
    }
}
