/// The benchmarks of two sides.
public struct PairedCatalog: Sendable, Equatable {
    /// What each side has, in the order of its suites.
    public let base, head: [ListedBenchmark]
    /// IDs that base has in its own benchmarks, which neither image has, as both have head's.
    public var retired: [String] = []

    /// What each side has.
    public init(base: [ListedBenchmark], head: [ListedBenchmark]) {
        self.base = base
        self.head = head
    }

    /// What the images of `base` and `head` have; `executable`, the running tool, loads them.
    ///
    /// - Throws: ``Interrupted`` when a signal arrived, ``BuildFailure`` when an image cannot be linked or listed.
    public init(of base: BuiltImage, _ head: BuiltImage, executable: String, timeoutSeconds: Double) throws {
        func list(_ image: BuiltImage) throws -> [ListedBenchmark] {
            try PairProcessLauncher.list(
                image: image.image(layout: 0), executable: executable, timeoutSeconds: timeoutSeconds)
        }
        self.init(base: try list(base), head: try list(head))
    }

    /// All benchmarks, each once, head's first.
    public var all: [ListedBenchmark] {
        let known = Set(head.map(\.id))
        return head + base.filter { !known.contains($0.id) }
            + retired.map { ListedBenchmark(id: $0, tags: [], operations: 1) }
    }

    /// How many operations an iteration of a benchmark performs.
    func operations(of id: String) -> Int { all.first { $0.id == id }?.operations ?? 1 }

    /// The side that lacks a benchmark; `nil` where both have it.
    func missingSide(of id: String) -> PairedSide? {
        if !head.contains(where: { $0.id == id }) { return .head }
        return base.contains { $0.id == id } ? nil : .base
    }
}
