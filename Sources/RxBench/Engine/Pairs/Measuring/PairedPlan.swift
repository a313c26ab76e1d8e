/// The division of a comparison's time into sweeps over all layouts. Each sweep runs one short process for each
/// benchmark and layout. Settled benchmarks are omitted from later sweeps, which leaves time for more sweeps over the
/// open benchmarks.
struct PairedPlan: Equatable {
    /// The number of link orders of each side. The link order is the unit of the statistical analysis.
    let layouts: Int
    /// The number of times that each layout is visited if nothing is settled early.
    let sweeps: Int
    /// The time for which a process measures.
    let sliceNanoseconds: UInt64
    /// The shares of the time after which the data are analysed. If a bound decides, most benchmarks are settled by the
    /// middle of the time. The looks before the middle are therefore close together, which leaves the rest of the time
    /// for the other benchmarks. These looks share the error that a single look at the middle would spend. The share of
    /// the last look is unchanged.
    let looks: [Double]

    /// The time that a process needs in addition to its slice for loading, set-up and calibration.
    static let overheadSeconds = 0.035
    /// The duration of a process. A process of this length measures some dozens of quadruples. More processes are more
    /// informative than longer processes, because each process has a random memory layout.
    static let sliceSeconds = 0.03...0.25
    /// The smallest number of layouts. With sixteen layouts, the interval of a single comparison is not much wider than
    /// its data. More layouts are used if there are so many comparisons that sixteen layouts could not show a change
    /// even if they all agree.
    static let fewestLayouts = 16

    /// - Parameter isBounded: Whether a bound decides. In this case the first look needs few processes of each
    ///   benchmark, and longer processes would only delay it.
    init(comparisons: Int, controls: Int, totalSeconds: Double, layouts: Int?, isBounded: Bool = false) {
        looks = isBounded ? [0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.625, 0.75, 1] : [0.25, 0.5, 0.75, 1]
        self.layouts = layouts ?? max(Self.fewestLayouts, Self.layouts(toConvince: comparisons))
        let perSweep = Double(self.layouts) * (Double(comparisons) + Double(controls) * PairedPlan.controlShare)
        let affordable = totalSeconds / perSweep
        let shortest = Self.overheadSeconds + Self.sliceSeconds.lowerBound
        sweeps = min(max(1, Int(affordable / shortest)), 400)
        let slice = isBounded ? 0 : affordable / Double(sweeps) - Self.overheadSeconds
        sliceNanoseconds = UInt64(min(max(slice, Self.sliceSeconds.lowerBound), Self.sliceSeconds.upperBound) * 1e9)
    }

    /// The share of sweeps in which the control of a layout is measured.
    static let controlShare = 0.25

    /// Returns the time that the plan needs. This is longer than the requested time if the requested time does not
    /// suffice for one process for each benchmark and layout.
    func seconds(comparisons: Int, controls: Int) -> Double {
        Double(layouts * sweeps) * (Double(comparisons) + Double(controls) * Self.controlShare)
            * (Double(sliceNanoseconds) / 1e9 + Self.overheadSeconds)
    }

    /// Returns the number of link orders to add to `layouts` if a bound decides and benchmarks are still open. This is
    /// the same number again, or 0 if the remaining time is too short for two sweeps over all link orders.
    ///
    /// The position of the code in memory changes the times of some benchmarks by more than the bound. For these
    /// benchmarks, more processes of the same link orders do not make the interval narrower, but more link orders do.
    ///
    /// - Parameters:
    ///   - visitSeconds: The total time of one process for each open benchmark.
    ///   - linkingSeconds: The time that it takes to link both sides in one order.
    static func furtherLayouts(
        beside layouts: Int, visitSeconds: Double, remainingSeconds: Double, linkingSeconds: Double
    ) -> Int {
        let needed = Double(layouts) * linkingSeconds + 2 * Double(2 * layouts) * visitSeconds
        return needed <= remainingSeconds ? layouts : 0
    }

    /// Returns the number of values that are needed so that the signed-rank test of one of `comparisons` comparisons
    /// rejects at the last of four looks if all values are on one side.
    static func layouts(toConvince comparisons: Int) -> Int {
        var count = 1
        var smallest = 1.0
        // The last look's share is 7/16. Half of it is used, so that not all values need to agree.
        while smallest > PairedOptions.significance * 7 / 32 / Double(max(comparisons, 1)) {
            count += 1
            smallest /= 2
        }
        return count
    }
}

/// The options of a comparison of two sides.
package struct PairedOptions: Sendable, Equatable {
    /// The time for measuring, in seconds. Measuring ends earlier if all comparisons are settled earlier.
    package var totalSeconds: Double
    /// The relative difference that does not matter: 0.005 for half a per cent.
    package var margin: Double
    /// The largest distance of an interval's ends from its estimate at which the comparison stops. If it is `nil`, the
    /// comparison stops at a verdict.
    package var precision: Double?
    /// The bound on the relative slowdown, or `nil` for no bound. A comparison stops once its slowdown is shown to be
    /// below or above this bound.
    package var noSlowerThan: Double?
    /// Whether sides with identical machine code are measured too, which shows the effect of the measurement itself.
    package var measuresIdenticalCode: Bool
    /// The seed of the order of processes and of the side that is first in each process.
    package var seed: UInt64
    /// The number of link orders of each side. If it is `nil`, the number is derived from the number of comparisons.
    package var layouts: Int?
    /// How the two sides run.
    package var arrangement: PairRequest.Arrangement
    /// The allocator of the processes that measure time.
    package var allocator: TimeAllocator
    /// The time limit of a process. A process that takes longer is killed, and its benchmark fails.
    package var timeoutSeconds: Double

    /// Creates options with defaults.
    package init(
        totalSeconds: Double, margin: Double = 0.005, precision: Double? = nil, noSlowerThan: Double? = nil,
        seed: UInt64,
        layouts: Int? = nil, arrangement: PairRequest.Arrangement = .oneProcess, measuresIdenticalCode: Bool = false,
        allocator: TimeAllocator = .system, timeoutSeconds: Double = 60
    ) {
        self.totalSeconds = totalSeconds
        self.margin = margin
        self.precision = precision
        self.noSlowerThan = noSlowerThan
        self.measuresIdenticalCode = measuresIdenticalCode
        self.seed = seed
        self.layouts = layouts
        self.arrangement = arrangement
        self.allocator = allocator
        self.timeoutSeconds = timeoutSeconds
    }

    /// The probability that any unchanged benchmark of a run is called changed.
    package static let significance = 0.01
}

/// The benchmarks of two sides.
package struct PairedCatalog: Sendable, Equatable {
    /// All benchmarks without duplicates, head's benchmarks first.
    package let all: [ListedBenchmark]
    /// The number of operations in an iteration, by benchmark.
    private let operations: [String: Int]
    /// The side that lacks the benchmark, for each benchmark that only one side has.
    private let missing: [String: PairedSide]

    /// Creates a catalogue from the benchmarks of each side, in the order of its suites.
    ///
    /// - Parameters:
    ///   - retired: IDs of benchmarks in base's own sources that neither image has, because both have head's
    ///     benchmarks.
    ///   - newest: The benchmarks of head's own sources, if both images have base's version of some.
    package init(
        base: [ListedBenchmark], head: [ListedBenchmark], newest: [ListedBenchmark] = [], retired: [String] = []
    ) {
        let (inBase, inHead) = (Set(base.map(\.id)), Set(head.map(\.id)))
        let new = newest.filter { !inHead.contains($0.id) && !inBase.contains($0.id) }
        let isNew = Set(new.map(\.id))
        all =
            head + base.filter { !inHead.contains($0.id) } + new
            + retired.map { ListedBenchmark(id: $0, tags: [], operations: 1) }
        operations = Dictionary(all.map { ($0.id, $0.operations) }, uniquingKeysWith: { first, _ in first })
        missing = Dictionary(
            all.compactMap { benchmark in
                if isNew.contains(benchmark.id) { return (benchmark.id, .base) }
                if !inHead.contains(benchmark.id) { return (benchmark.id, .head) }
                return inBase.contains(benchmark.id) ? nil : (benchmark.id, .base)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Lists the benchmarks of both images. `executable`, the running tool, loads them.
    ///
    /// - Parameters:
    ///   - newest: Head's image with its own benchmarks, if `head` may have base's version of some.
    ///   - candidates: Names in base's own benchmarks. Because other texts may look like an ID, a name counts as
    ///     retired only if it belongs to a known family and no image has it.
    /// - Throws: ``Interrupted`` if a signal arrived, ``BuildFailure`` if an image cannot be linked or listed.
    package init(
        of base: BuiltImage, _ head: BuiltImage, newest: BuiltImage? = nil, retiring candidates: [String] = [],
        executable: String, timeoutSeconds: Double
    ) throws {
        func list(_ image: BuiltImage) throws -> [ListedBenchmark] {
            try PairProcessLauncher.list(
                image: image.image(layout: 0), executable: executable, timeoutSeconds: timeoutSeconds)
        }
        let isExchanged = newest.map { $0.key != head.key } ?? false
        let own = isExchanged ? try newest.map(list) ?? [] : []
        let (base, head) = (try list(base), try list(head))
        let ids = Set((base + head + own).map(\.id))
        let families = Set(ids.compactMap { $0.split(separator: "/").first })
        let retired = candidates.filter { name in
            guard let family = name.split(separator: "/").first, families.contains(family) else { return false }
            return name.hasSuffix("…") ? !ids.contains { $0.hasPrefix(name.dropLast()) } : !ids.contains(name)
        }
        self.init(base: base, head: head, newest: own, retired: retired)
    }

    /// Returns the number of operations in an iteration of a benchmark.
    func operations(of id: String) -> Int { operations[id] ?? 1 }

    /// Returns the side that lacks a benchmark, or `nil` if both sides have it.
    func missingSide(of id: String) -> PairedSide? { missing[id] }
}

/// A benchmark that both sides have, with the counts that are taken before the benchmark is timed.
struct CountedBenchmark {
    let id: String
    let operations: Int
    let quantities: [PairedQuantity]
    /// The counts of each process on each side.
    private var base: [[ExactSeries]]
    private var head: [[ExactSeries]]
    private var failures: [(sentence: String, side: PairedSide)] = []

    init(id: String, operations: Int, base: WorkerReply, head: WorkerReply) {
        self.id = id
        self.operations = operations
        quantities = PairedQuantity.all(recordsLatencies: head.recordsLatencies ?? false)
        self.base = [base.exact]
        self.head = [head.exact]
        noteFailures(base, head)
    }

    /// Counts with `count`, which runs the process with a given number on both sides. Counts that vary by themselves
    /// are taken in further processes while they may still distinguish the sides.
    init(
        id: String, operations: Int,
        counting count: (Int) throws(Interrupted) -> (base: WorkerReply, head: WorkerReply)
    ) throws(Interrupted) {
        let first = try count(0)
        self.init(id: id, operations: operations, base: first.base, head: first.head)
        for process in 1..<ExactComparison.varyingProcesses where failures.isEmpty && isOpen {
            let next = try count(process)
            base.append(next.base.exact)
            head.append(next.head.exact)
            noteFailures(next.base, next.head)
        }
    }

    /// Whether a varying count has differed between the two sides in all processes so far.
    private var isOpen: Bool { exact.contains { $0.varies && $0.areApart } }

    private mutating func noteFailures(_ base: WorkerReply, _ head: WorkerReply) {
        for (reply, side) in [(base, PairedSide.base), (head, .head)] {
            if let sentence = reply.failure { failures.append((sentence, side)) }
        }
    }

    private var exact: [ExactComparison] { ExactComparison.all(base, head) }

    /// Returns one collection for each quantity. The first collection contains the counts.
    func collections(layouts: Int) -> [PairedCollection] {
        quantities.map { quantity in
            var collection = PairedCollection(id: id, quantity: quantity, operations: operations, layouts: layouts)
            for failure in failures { collection.fail(failure.sentence, in: failure.side) }
            if quantity == quantities.first { collection.exact = exact }
            return collection
        }
    }
}
