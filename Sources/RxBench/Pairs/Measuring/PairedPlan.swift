import RxBench

/// How the time of a comparison is divided: sweeps over all layouts, one short process for each benchmark and layout in
/// each. Settled benchmarks drop out of later sweeps, so that there are more of them for what is open.
struct PairedPlan: Equatable {
    /// Link orders of each side; the unit of the statistics.
    let layouts: Int
    /// How often each layout is visited when nothing is settled early.
    let sweeps: Int
    /// How long a process measures.
    let sliceNanoseconds: UInt64
    /// The shares of the time after which the data are looked at. Where a bound decides, most benchmarks are settled by
    /// the middle: looks before it follow each other closely, so that the rest of the time is for the others. They
    /// divide among them what a look at the middle would spend, and leave the last one's part as it is.
    let looks: [Double]

    /// The time of a process beside its slice: loading, set-up, calibration.
    static let overheadSeconds = 0.035
    /// A process of this length has some dozens of quadruples; more processes say more than longer ones, as the memory
    /// layout is drawn for each.
    static let sliceSeconds = 0.03...0.25
    /// Sixteen, so that one comparison's interval is not much wider than its data; more when there are so many
    /// comparisons that sixteen layouts that all agree could not convince.
    static let fewestLayouts = 16

    /// - Parameter isBounded: Whether a bound decides: its first look needs few processes of each benchmark, and longer
    ///   ones would only put it off.
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

    /// The share of sweeps in which a layout's control is visited.
    static let controlShare = 0.25

    /// The time that the plan needs; more than was asked for when that cannot hold one process for each benchmark and
    /// layout.
    func seconds(comparisons: Int, controls: Int) -> Double {
        Double(layouts * sweeps) * (Double(comparisons) + Double(controls) * Self.controlShare)
            * (Double(sliceNanoseconds) / 1e9 + Self.overheadSeconds)
    }

    /// How many link orders to add to `layouts` where a bound decides and benchmarks have not shown it: as many again,
    /// or none when the time that is left does not allow for two sweeps over all.
    ///
    /// Where the code lies moves the times of some by more than the bound; further processes of the same link orders
    /// do not make their interval narrower then, and further link orders do.
    ///
    /// - Parameters:
    ///   - visitSeconds: How long a process of each open benchmark takes, all together.
    ///   - linkingSeconds: How long it takes to link both sides in one order.
    static func furtherLayouts(
        beside layouts: Int, visitSeconds: Double, remainingSeconds: Double, linkingSeconds: Double
    ) -> Int {
        let needed = Double(layouts) * linkingSeconds + 2 * Double(2 * layouts) * visitSeconds
        return needed <= remainingSeconds ? layouts : 0
    }

    /// How many values have to be on one side for the signed-rank test of one of so many comparisons to reject at the
    /// last of four looks.
    static func layouts(toConvince comparisons: Int) -> Int {
        var count = 1
        var smallest = 1.0
        // The last look's share is 7/16; half of that, so that not all values need to agree.
        while smallest > PairedOptions.significance * 7 / 32 / Double(max(comparisons, 1)) {
            count += 1
            smallest /= 2
        }
        return count
    }
}

/// How two sides are compared.
package struct PairedOptions: Sendable, Equatable {
    /// How long the measuring may take, in seconds; comparisons that are settled earlier end it earlier.
    package var totalSeconds: Double
    /// The relative difference that does not matter: 0.005 for half a per cent.
    package var margin: Double
    /// How far an interval may reach from its estimate for the comparison to stop; `nil` to stop at a verdict.
    package var precision: Double?
    /// The relative slowdown below which each comparison has to be shown, or above which, for it to stop; `nil` for
    /// none.
    package var noSlowerThan: Double?
    /// Whether sides of identical machine code are measured all the same: to see what the measuring itself does.
    package var measuresIdenticalCode: Bool
    /// Fixes the order of processes and which side is first in each.
    package var seed: UInt64
    /// How many link orders of each side are measured; `nil` for as many as the number of comparisons asks for.
    package var layouts: Int?
    /// What runs the two sides.
    package var arrangement: PairRequest.Arrangement
    /// The allocator of the processes that measure time.
    package var allocator: TimeAllocator
    /// A process that takes longer is killed, and its benchmark has failed.
    package var timeoutSeconds: Double

    /// Options with their defaults.
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

    /// The probability of calling any unchanged benchmark of a run changed.
    package static let significance = 0.01
}

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
    /// What each process of a side counted.
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

    /// Counts by `count`, which starts the process of a number on either side. Counts that vary by themselves are taken
    /// in further processes, for as long as they may still tell the sides apart.
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

    /// Whether a count that varies has differed in all processes so far.
    private var isOpen: Bool { exact.contains { $0.varies && $0.areApart } }

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
