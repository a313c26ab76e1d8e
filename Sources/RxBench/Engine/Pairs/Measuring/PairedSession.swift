import RxBench

/// The state of one comparison of two sides.
struct PairedSession {
    let plan: PairedPlan
    /// One collection for each quantity of each benchmark, followed by the control's collections.
    private(set) var collections: [PairedCollection]
    /// The indices of each benchmark's collections, followed by the indices of the control's collections.
    let benchmarks: [Range<Int>]
    private let compared: Int
    private(set) var family: PairedFamily
    private var controlFamily: PairedFamily
    private let options: PairedOptions
    private let totalSeconds: Double
    private let start = MonotonicClock.nanoseconds
    /// The number of link orders of each side. Controls use only the plan's link orders.
    private(set) var layouts: Int
    private var allocator: String?
    /// The number of processes of each benchmark so far, and their total time.
    private var visits: [(count: Int, seconds: Double)]
    /// The number of processes of each benchmark in the first sweep. The first sweep is always completed, even if the
    /// time is over.
    private let firstVisits: [Int]

    /// Creates a session and starts its time.
    init(_ counted: [CountedBenchmark], controls: [String], plan: PairedPlan, options: PairedOptions) {
        self.plan = plan
        self.options = options
        layouts = plan.layouts
        totalSeconds = max(options.totalSeconds, plan.seconds(comparisons: counted.count, controls: controls.count))
        var collections: [PairedCollection] = []
        var benchmarks: [Range<Int>] = []
        func add(_ added: [PairedCollection]) {
            benchmarks.append(collections.count..<collections.count + added.count)
            collections += added
        }
        for benchmark in counted { add(benchmark.collections(layouts: plan.layouts)) }
        compared = collections.count
        for id in controls {
            // The control of a single quantity shows the machine's effect on all quantities.
            let first = counted.first { $0.id == id }
            add([
                PairedCollection(
                    id: id, quantity: first?.quantities.first ?? .time, operations: first?.operations ?? 1,
                    layouts: plan.layouts)
            ])
        }
        self.collections = collections
        self.benchmarks = benchmarks
        visits = benchmarks.map { _ in (count: 0, seconds: 0) }
        let compared = self.compared
        firstVisits = benchmarks.map {
            Self.layouts(of: plan, count: plan.layouts, sweep: 1, isControl: $0.lowerBound >= compared).count
        }
        let significance = PairedOptions.significance
        family = PairedFamily(
            count: compared, significance: significance, margin: options.margin, precision: options.precision,
            bound: options.noSlowerThan)
        controlFamily = PairedFamily(
            count: collections.count - compared, significance: significance, margin: options.margin)
    }

    /// Returns the parts of a sweep. The visits of each part are made in random order, and each part is followed by a
    /// look at the data. If a bound decides, each part contains only as many layouts as the first look needs, so that
    /// no benchmark is measured long after it could be settled. Link orders are random, so they are equally good for
    /// this purpose. The layouts that were added last come first.
    func parts(sweep: Int) -> [[Visit]] {
        let visits = allVisits(sweep: sweep)
        guard options.noSlowerThan != nil else { return [visits] }
        let parts = Dictionary(grouping: visits) { $0.layout / PairedFamily.fewestForBound }
        return parts.sorted { sweep == 1 ? $0.key < $1.key : $0.key > $1.key }.map(\.value)
    }

    private func allVisits(sweep: Int) -> [Visit] {
        benchmarks.indices.flatMap { index in
            let isControl = benchmarks[index].lowerBound >= compared
            return Self.layouts(of: plan, count: layouts, sweep: sweep, isControl: isControl).map {
                Visit(index: index, layout: $0, isControl: isControl)
            }
        }
    }

    /// Returns the layouts of a benchmark that a sweep visits. There are `count` layouts in total.
    ///
    /// Each sweep visits a quarter of the control's layouts, so that four sweeps visit all of them. If there are fewer
    /// than four sweeps, each sweep visits all of them.
    private static func layouts(of plan: PairedPlan, count: Int, sweep: Int, isControl: Bool) -> [Int] {
        guard isControl else { return Array(0..<count) }
        let period = plan.sweeps < 4 ? 1 : Int(1 / PairedPlan.controlShare)
        return (0..<plan.layouts).filter { ($0 + sweep).isMultiple(of: period) }
    }

    /// Whether the benchmark at `index` needs no more data.
    func isDone(_ index: Int) -> Bool {
        benchmarks[index].allSatisfy { place in
            collections[place].hasFailed || (place < compared && family.findings[place]?.isSettled == true)
        }
    }

    /// Returns the name of the benchmark at `index`.
    func id(_ index: Int) -> String { collections[benchmarks[index].lowerBound].id }

    /// Returns the number of operations in an iteration of the benchmark at `index`.
    func operations(_ index: Int) -> Int { max(1, collections[benchmarks[index].lowerBound].operations) }

    /// Adds the reply of a process that took `seconds` seconds in total.
    mutating func add(_ reply: PairReply, _ visit: Visit, seconds: Double) {
        visits[visit.index].count += 1
        visits[visit.index].seconds += seconds
        if allocator == nil { allocator = reply.series?.allocator }
        for place in benchmarks[visit.index] { collections[place].add(reply, layout: visit.layout) }
    }

    mutating func add(_ counts: [ExactComparison], at place: Int) { collections[place].exact += counts }

    private var elapsedSeconds: Double { Double(MonotonicClock.nanoseconds - start) / 1e9 }
    var isLate: Bool { elapsedSeconds > totalSeconds }
    var remainingSeconds: Double { max(0, totalSeconds - elapsedSeconds) }

    /// Whether no comparison needs more data. Failed comparisons do not need more data.
    var isSettled: Bool { benchmarks.indices.allSatisfy { benchmarks[$0].lowerBound >= compared || isDone($0) } }

    /// Looks at the data of the first part of the first sweep, if a bound decides.
    mutating func lookAtBound() { family.lookAtBound(collections.prefix(compared).map(\.units)) }

    /// Looks at the data if a planned look is due. The last look is due when the time is over. Returns whether a look
    /// was due.
    mutating func look() -> Bool {
        let share = elapsedSeconds / totalSeconds
        guard let due = plan.looks.last(where: { $0 <= share }), due > family.lookedAt else { return false }
        family.look(at: due, collections.prefix(compared).map(\.units))
        return true
    }

    /// Returns the number of link orders to add after a look. Linking one of them takes `linkingSeconds`. Returns 0 if
    /// no bound decides, or if the user set the number of link orders. Latencies need no additional link orders,
    /// because they depend more on other threads than on the position of the code in memory.
    func furtherLayouts(linkingSeconds: Double) -> Int {
        guard options.noSlowerThan != nil, options.layouts == nil else { return 0 }
        let open = benchmarks.indices.filter { benchmarks[$0].lowerBound < compared && !isDone($0) }
        guard !open.allSatisfy(recordsLatencies) else { return 0 }
        let visitSeconds = open.map { visits[$0].seconds / Double(max(visits[$0].count, 1)) }.reduce(0, +)
        return PairedPlan.furtherLayouts(
            beside: layouts, visitSeconds: visitSeconds, remainingSeconds: remainingSeconds,
            linkingSeconds: linkingSeconds)
    }

    /// Returns the time for which a process of the benchmark at `index` measures. A benchmark that records latencies
    /// gets the longest slice: its iterations wait for other threads, so a quadruple takes milliseconds.
    func sliceNanoseconds(_ index: Int) -> UInt64 {
        recordsLatencies(index) ? UInt64(PairedPlan.sliceSeconds.upperBound * 1e9) : plan.sliceNanoseconds
    }

    private func recordsLatencies(_ index: Int) -> Bool {
        collections[benchmarks[index].lowerBound].quantity != .time
    }

    mutating func add(layouts more: Int) {
        layouts += more
        for place in 0..<compared { collections[place].add(layouts: more) }
    }

    /// The indices of collections whose times have changed, with the largest change first.
    var changed: [Int] {
        func distance(_ place: Int) -> Double { abs((family.findings[place]?.ratio ?? 1) - 1) }
        return (0..<compared).filter { place in
            collections[place].quantity == .time && family.findings[place]?.verdict.isChange == true
        }.sorted { distance($0) > distance($1) }
    }

    /// Looks at the data of the control. Called once, at the end.
    mutating func finish() { controlFamily.look(at: 1, collections.dropFirst(compared).map(\.units)) }

    /// Returns the progress of the comparison. If the time is over, the comparison continues until the first sweep is
    /// complete.
    func progress(_ id: String) -> RunProgress {
        RunProgress(
            id: id, elapsedSeconds: elapsedSeconds, remainingSeconds: max(remainingSeconds, firstSweepSeconds),
            mayEndSooner: true)
    }

    /// The estimated time for the rest of the first sweep. Each process is assumed to take the mean time of the earlier
    /// processes of its benchmark, or of all earlier processes if this is its benchmark's first process.
    private var firstSweepSeconds: Double {
        let all = visits.reduce((count: 0, seconds: 0)) { ($0.count + $1.count, $0.seconds + $1.seconds) }
        return benchmarks.indices.filter { !isDone($0) }.reduce(0) { seconds, index in
            let own = visits[index].count > 0 ? visits[index] : all
            let left = max(0, firstVisits[index] - visits[index].count)
            return seconds + Double(left) * own.seconds / Double(max(own.count, 1))
        }
    }

    /// Returns all results in the order of `ids`. `lonely` contains the results of benchmarks that only one side has. A
    /// failed benchmark has only one result.
    func measurements(of ids: [String], _ lonely: [PairedResult], seconds: Double) -> PairedMeasurements {
        let known = (0..<compared).map { collections[$0].result(family.findings[$0], margin: options.margin) } + lonely
        let results = Dictionary(grouping: known, by: \.id).mapValues {
            $0.first?.failure == nil ? $0 : Array($0.prefix(1))
        }
        return PairedMeasurements(
            results: ids.flatMap { results[$0] ?? [] },
            controls: (compared..<collections.count).map {
                collections[$0].result(controlFamily.findings[$0 - compared], margin: options.margin)
            },
            layouts: plan.layouts, seconds: (seconds * 10).rounded() / 10, noSlowerThan: options.noSlowerThan,
            allocator: allocator)
    }
}
