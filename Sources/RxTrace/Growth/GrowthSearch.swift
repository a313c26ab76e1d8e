import CPlatform
import Rx
import Synchronization

/// One detection under way: the counts so far, and whether another run is needed.
struct GrowthSearch {
    private let name: String
    private let isAsynchronous: Bool
    private let rule: GrowthRule
    private let table: GrowthTable
    private let counters = RxTrace.followed
    private let levelBefore = RxTrace.level
    private let pendingBefore: PendingWork
    private let acceptedBefore = GrowthSearch.acceptedWork
    private var latest: Settling.Reading
    /// What the last run has added.
    private var lastChange: ResourceCounts?
    private var target: Int
    private var wasSteady = true
    /// Whether what had grown was gone soon after the last run.
    private var isRefuted = false
    private var patience = Settling.longest
    private var unavailable: [GrowthReport.Unavailable] = []
    /// The first run whose resources were registered with their stacks.
    private var firstRegisteredRun: Int?
    /// What is made in a run is marked with this and the run's number; what other detections have left has other marks.
    private let markBase: UInt32
    /// Whether another run is needed.
    private(set) var isOpen = true

    /// How many runs there were.
    private var runs: Int { table.rows - 1 }

    init(name: String, runs: Int, maximumRuns: Int, isAsynchronous: Bool = false) {
        precondition(runs >= 16, "A detection looks at '\(runs)' runs. Use 16 or more.")
        precondition(maximumRuns >= runs, "A detection of '\(runs)' runs has at most '\(maximumRuns)'. Use '\(runs)' or more.")
        self.name = name
        self.isAsynchronous = isAsynchronous
        rule = GrowthRule(firstRuns: runs, maximumRuns: maximumRuns)
        target = rule.warmUpRuns + runs
        table = GrowthTable(rowLimit: rule.warmUpRuns + maximumRuns + 1)
        markBase = Self.marks.wrappingAdd(UInt32(rule.warmUpRuns + maximumRuns + 2), ordering: .relaxed).oldValue
        latest = .now
        pendingBefore = latest.pending
        note()
        if levelBefore >= .stacks { register() }
        markNextRun()
    }

    /// What to wait with after a run.
    var settling: Settling { Settling(from: latest, usual: lastChange, patience: patience) }

    /// What to wait with at the end, before something is called a leak: whether it is not gone a fifth of a second later.
    var confirmation: Settling? {
        let isGrowing = decidingSeries.contains { if case .decided(.growing) = rule.step(after: $0.counts, baseline: 0) { true } else { false } }
        return isGrowing ? Settling(from: latest, usual: nil, patience: patience, equalReadings: 40) : nil
    }

    /// Takes up what is left at the end: less than half of what was there says that it goes by itself.
    mutating func confirm(_ settled: Settling) {
        let first = table.counts(inRow: 0), last = latest.counts.byType.reduce(0, +), now = settled.latest.counts.byType.reduce(0, +)
        isRefuted = last - first > 0 && now - first < (last - first) / 2
        latest = settled.latest
    }

    /// Takes up what a run has left, once it has come to rest.
    mutating func record(_ settled: Settling) {
        lastChange = settled.latest.counts.subtracting(latest.counts)
        latest = settled.latest
        wasSteady = settled.isSteady && !settled.isPending
        // What has not ended within a second is not waited for as long again after each run.
        if settled.isPending { patience = min(patience, 10) }
        note()
        guard runs >= target else { return markNextRun() }
        let needed = decidingSeries.map { if case .runUntil(let runs) = rule.step(after: $0.counts, baseline: 0) { runs } else { 0 } }.max() ?? 0
        target = needed
        isOpen = needed > runs
        if isOpen { register() }
        markNextRun()
    }

    /// Why the bytes of the heap say nothing of the runs, if they do not.
    private var heapObstacle: GrowthReport.Unavailable? {
        // The threads of dispatch queues, and of tasks, keep what they free, and what others free there, for as long as they live.
        if isAsynchronous || Self.acceptedWork != acceptedBefore { return .heapBytesAcrossThreads }
        return table.isHeapTakenByOthers(rule) ? .heapBytesOfOthers : nil
    }

    /// What asks for more runs. Not the bytes of the heap where nothing will be said of them: they would ask for all.
    private var decidingSeries: [(subject: GrowthSubject, counts: [Int])] {
        let knowsHeap = heapObstacle == nil
        return table.series.filter { knowsHeap || $0.subject != .heapBytes }
    }

    // MARK: Reading

    /// One row of everything that is followed. The heap comes first, as reading the rest takes some of it.
    private mutating func note() {
        let bytes = HeapBytes.inUse(), own = HeapBytes.ofThisThread()
        table.beginRow()
        if let own { table.add(own, to: .heapOfThisThread) }
        if let bytes { table.add(bytes, to: .other(.heapBytes)) } else { miss("heap bytes", HeapBytes.unavailable) }
#if TRACE_RESOURCES
        for (type, count) in latest.counts.byType.enumerated() where count != 0 { table.add(count, to: .type(UInt32(type))) }
#else
        miss("resources", GrowthReport.Unavailable.resources.reason)
#endif
        for counter in counters {
            switch counter.read() {
            case .counts(let counts): for (subject, count) in counts { table.add(count, to: .other(subject)) }
            case .unavailable(let reason): miss(counter.name, reason)
            }
        }
    }

    private mutating func miss(_ subject: String, _ reason: String) {
        let missing = GrowthReport.Unavailable(subject: subject, reason: reason)
        if !unavailable.contains(missing) { unavailable.append(missing) }
    }

    // MARK: Where what grows is made

    /// From the next run on, what is made is registered with its stack: from where something rises to where it is decided what that is.
    private mutating func register() {
#if TRACE_RESOURCES
        guard firstRegisteredRun == nil, levelBefore != .off else { return }
        if levelBefore < .stacks { RxTrace.level = .stacks }
        firstRegisteredRun = runs + 1
#endif
    }

    private func markNextRun() {
#if TRACE_RESOURCES
        rx_registry_mark(markBase &+ UInt32(runs + 1))
#endif
    }

    /// Puts the level back. Once, when the detection is over, by an error of the round trip even.
    func close() {
#if TRACE_RESOURCES
        rx_registry_mark(0)
#endif
        if RxTrace.level != levelBefore { RxTrace.level = levelBefore }
    }

    // MARK: The report

    /// What the runs have shown. The level is what it was before by then, and nothing is followed any more.
    func report() -> GrowthReport {
        let obstacle = heapObstacle, unavailable = unavailable + (obstacle.map { [$0] } ?? [])
        let groups = GrowthGroups(
            table: table, rule: rule, knowsHeap: obstacle == nil, wasSteady: wasSteady, isRefuted: isRefuted, pending: latest.pending.excess(over: pendingBefore),
            firstRegisteredRun: firstRegisteredRun, markBase: markBase)
        return GrowthReport(
            name: name, runs: runs, groups: GrowthCauses.explained(groups), unavailable: unavailable,
            pendingWork: latest.pending.excess(over: pendingBefore))
    }
}

extension GrowthSearch {
    /// The marks that no detection has taken yet.
    private static let marks = Atomic<UInt32>(0)

    private static var acceptedWork: Int {
#if TRACE_RESOURCES
        TracedResources.acceptedWork
#else
        0
#endif
    }
}

extension GrowthReport.Unavailable {
    static var heapBytesAcrossThreads: Self {
        Self(
            subject: "heap bytes",
            reason: "the runs gave work to dispatch queues, whose threads keep what they free.\(ObjectsHint.sentence)")
    }
    static var heapBytesOfOthers: Self {
        Self(
            subject: "heap bytes",
            reason: "other threads took memory meanwhile, and the one of the runs did not.\(ObjectsHint.sentence)")
    }
    static let resources = Self(
        subject: "resources", reason: "this build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
}
