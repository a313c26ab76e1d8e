import CRx
import Rx
import Synchronization

/// One detection under way: the counts so far, and whether another run is needed.
struct GrowthSearch {
    private let name: String
    private let rule: GrowthRule
    private let table: GrowthTable
    private let counters = RxTrace.followed
    private let levelBefore = RxTrace.level
    private let pendingBefore: PendingWork
    private var heap: HeapWatch
    private var latest: Settling.Reading
    /// The change that the last run has made.
    private var lastChange: Settling.Change?
    private var target: Int
    private var wasSteady = true
    private var patience = Settling.longest
    private var unavailable: [GrowthReport.Unavailable] = []
    /// The first run whose resources were registered with their stacks.
    private var firstRegisteredRun: Int?
    /// The mark of resources that a run makes, less the run's number; other detections have other marks.
    private let markBase: UInt32
    /// The heap when something rose for the first time.
    private var mark: HeapMark?
    /// Whether another run is needed.
    private(set) var isOpen = true

    /// How many runs there were.
    private var runs: Int { table.rows - 1 }

    init(name: String, runs: Int, maximumRuns: Int, isAsynchronous: Bool = false) {
        precondition(runs >= 16, "A detection looks at '\(runs)' runs. Use 16 or more.")
        precondition(
            maximumRuns >= runs, "A detection of '\(runs)' runs has at most '\(maximumRuns)'. Use '\(runs)' or more.")
        self.name = name
        rule = GrowthRule(firstRuns: runs, maximumRuns: maximumRuns)
        target = rule.warmUpRuns + runs
        table = GrowthTable(rowLimit: rule.warmUpRuns + maximumRuns + 2)
        markBase = Self.marks.wrappingAdd(UInt32(rule.warmUpRuns + maximumRuns + 2), ordering: .relaxed).oldValue
        latest = .now(counters)
        pendingBefore = latest.pending
        heap = HeapWatch(staysOnThread: !isAsynchronous)
        table.beginRow()
        note()
        if levelBefore >= .stacks { register() }
    }

    // MARK: Runs

    /// Before the body is called.
    mutating func beginRun() {
        #if TRACE_RESOURCES
            rx_registry_mark(markBase &+ UInt32(runs + 1))
        #endif
        heap.begin(run: runs + 1)
    }

    /// After the body: what to wait with.
    mutating func endRun() -> Settling {
        heap.pause()
        return Settling(from: latest, usual: lastChange, patience: patience)
    }

    /// The wait at the end, before something is called a leak: whether it is not gone a fifth of a second
    /// later.
    var confirmation: Settling? {
        let isGrowing = decidingSeries.contains {
            if case .decided(.growing) = rule.step(after: $0, baseline: 0) { true } else { false }
        }
        return isGrowing ? Settling(from: latest, usual: nil, patience: patience, isLastLook: true) : nil
    }

    /// Takes a reading; the pause before the next one, or `nil` once no further one is needed.
    func pause(_ settling: inout Settling) -> Settling.Pause? {
        settling.pause(at: .now(counters), isQuiet: heap.isQuiet)
    }

    /// Lets time pass while something is waited for; what the main queue does meanwhile is part of the run.
    mutating func sleep(_ pause: Settling.Pause) {
        heap.resume()
        pause.sleep()
        heap.pause()
    }

    /// Takes up what a run has left, once it has come to rest.
    mutating func record(_ settled: Settling) {
        lastChange = settled.latest.change(from: latest)
        latest = settled.latest
        wasSteady = settled.isSteady && !settled.isPending
        // Work that has not ended, or come to rest, within a second is not waited for as long again after each run.
        if !wasSteady { patience = min(patience, 10) }
        heap.end()
        table.beginRow()
        note()
        // Waiting work is told with the calls that made it.
        if settled.isPending { register() }
        guard runs >= target else { return }
        target =
            decidingSeries.map { if case .runUntil(let runs) = rule.step(after: $0, baseline: 0) { runs } else { 0 } }
            .max() ?? 0
        // More of what piles up would say no more.
        isOpen = target > runs && !pending.pilesUp(over: runs)
        if isOpen {
            register()
            if mark == nil { mark = HeapMark(afterRun: runs) }
        }
    }

    /// Takes up what is left a while after the last run.
    mutating func confirm(_ settled: Settling) {
        latest = settled.latest
        heap.confirm()
        table.beginConfirmation()
        note()
    }

    /// The work that schedulers have before them, and had not at the beginning.
    private var pending: PendingWork { latest.pending.excess(over: pendingBefore) }

    /// The counts that ask for more runs. Not the bytes of the heap where nothing will be said of them: they would ask
    /// for all.
    private var decidingSeries: [[Int]] {
        let knowsHeap = heap.reasonAgainst == nil
        return table.series.filter { knowsHeap || $0.metric != .heapBytes }.map(\.series.counts)
    }

    // MARK: Reading

    /// Writes all that is followed into the row that was begun last.
    private mutating func note() {
        if heap.obstacle == nil { table.add(heap.bytes, to: .other(.heapBytes)) }
        for (type, count) in latest.counts.byType.enumerated() where count != 0 {
            table.add(count, to: .type(UInt32(type)))
        }
        for (metric, count) in latest.others { table.add(count, to: .other(metric)) }
        for missing in latest.unavailable where !unavailable.contains(missing) { unavailable.append(missing) }
    }

    // MARK: Where what grows is made

    /// From the next run on, what is made is registered with its stack: from where something rises to where it is
    /// decided what that is.
    private mutating func register() {
        guard firstRegisteredRun == nil else { return }
        firstRegisteredRun = runs + 1
        heap.followBlocks(withStacks: levelBefore != .off)
        if levelBefore == .counts { RxTrace.level = .stacks }
    }

    /// Puts the level back. Called once, when the detection is over, also by an error of the round trip.
    func close() {
        heap.close()
        #if TRACE_RESOURCES
            rx_registry_mark(0)
        #endif
        if RxTrace.level != levelBefore { RxTrace.level = levelBefore }
    }

    // MARK: The report

    /// The report on the runs.
    func report() -> GrowthReport {
        let obstacle = heap.reasonAgainst
        let blocks = heap.blocks
        // The search for causes allocates, and is not to be slowed down.
        heap.close()
        let groups = GrowthGroups(
            table: table, rule: rule, blocks: obstacle == nil ? blocks : nil, spoiltRuns: heap.spoilt,
            wasSteady: wasSteady, pending: pending, firstRegisteredRun: firstRegisteredRun, markBase: markBase)
        let explained = GrowthCauses.explained(groups, since: mark)
        return GrowthReport(
            name: name, runs: runs, groups: explained, unavailable: unavailable + (obstacle.map { [$0] } ?? []),
            pendingWork: pending, waiting: WaitingWork.all(groups))
    }

    /// The marks that no detection has taken yet.
    private static let marks = Atomic<UInt32>(0)
}

extension GrowthReport.Unavailable {
    static let resources = Self(
        metric: "resources",
        reason: "this build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
}
