import CRx
import CRxTrace
import Synchronization

/// One detection under way: the counts so far, and whether another run is needed.
struct GrowthSearch {
    private let name: String
    private var rule: GrowthRule
    private let table: GrowthTable
    private let counters = HeapTrace.followed
    private let levelBefore = HeapTrace.level
    private let pendingBefore: PendingWork
    private let pausedStacks = PausedStacks()
    private var heap: HeapWatch
    /// The collections that have room for more elements; `nil` before the end of the first run, and where they cannot
    /// be read.
    private var collections: CollectionWatch?
    private var latest: Settling.Reading
    /// The counts of the followed counters before the first run. They are subtracted from every reading.
    private let othersBefore: [GrowthMetric: Int]
    /// The change that the last run has made.
    private var lastChange: Settling.Change?
    private var target: Int
    private var wasSteady = true
    private var patience = Settling.longest
    /// The start of the runs that are made only within the patience.
    private var furtherRunsBegan = ContinuousClock.now
    private let lateLimit: Duration
    /// The wait for late releases; `nil` before it begins.
    private var lateRelease: LateRelease?
    private var lateSeconds = 0.0
    /// The last reading of the heap's bytes in the pauses before the first run, and the number of these readings.
    private var bytesBefore: Int?
    private var readingsBefore = 0
    /// The bytes of the heap before the first run.
    private var firstBytes = 0
    /// The bytes that the process takes between runs.
    private var drift = HeapDrift()
    private var unavailable: [GrowthReport.Unavailable] = []
    /// The first run whose resources were registered with their stacks.
    private var firstRegisteredRun: Int?
    /// The mark of resources that a run makes, minus the run's number. Other detections have other marks.
    private let markBase: UInt32
    /// The heap when a count rose for the first time.
    private var mark: HeapMark?
    /// The last two later readings of the heap, which are taken while objects or resources rise, each time the number
    /// of runs has doubled.
    private var laterMarks: [HeapMark] = []
    /// The groups after the last run, if the heap was searched for the growing objects and doesn't contain them.
    private var refuted: [GrowthGroup]?
    /// Whether another run is needed.
    private(set) var isOpen = true

    /// The number of runs so far, including the warm-up.
    private var runs: Int { table.rows - 1 }

    init(name: String, runs: Int, maximumRuns: Int, patience: Duration, isAsynchronous: Bool = false) {
        precondition(runs >= 16, "A detection looks at '\(runs)' runs. Use 16 or more.")
        precondition(
            maximumRuns >= runs, "A detection of '\(runs)' runs has at most '\(maximumRuns)'. Use '\(runs)' or more.")
        self.name = name
        lateLimit = patience
        rule = GrowthRule(firstRuns: runs, maximumRuns: maximumRuns)
        target = rule.warmUpRuns + runs
        table = GrowthTable(rowLimit: rule.warmUpRuns + maximumRuns + 2)
        markBase = Self.marks.wrappingAdd(UInt32(rule.warmUpRuns + maximumRuns + 2), ordering: .relaxed).oldValue
        latest = .now(counters, since: [:])
        othersBefore = latest.others
        latest.others = [:]
        pendingBefore = latest.pending
        heap = HeapWatch(staysOnThread: !isAsynchronous)
        firstBytes = heap.bytes
        table.beginRow()
        note()
        if levelBefore >= .stacks { register() }
    }

    // MARK: Runs

    /// Returns the pause before the next reading, or `nil` if the first run can begin: when earlier work has not
    /// changed the bytes of the heap for 5 ms, and after 100 ms at most.
    mutating func pauseBeforeRuns() -> Settling.Pause? {
        let bytes = heap.bytes
        defer { (bytesBefore, readingsBefore) = (bytes, readingsBefore + 1) }
        return bytes == bytesBefore || readingsBefore >= 20 ? nil : Settling.Pause()
    }

    /// Begins a run. Call this before the body.
    mutating func beginRun() {
        rx_registry_mark(markBase &+ UInt32(runs + 1))
        heap.begin(run: runs + 1)
    }

    /// Ends the body of a run. Returns the settling that waits until the counts are steady.
    mutating func endRun() -> Settling {
        heap.pause()
        return Settling(from: latest, usual: lastChange, patience: patience)
    }

    /// Takes a reading. Returns the pause before the next reading, or `nil` if no further reading is needed.
    func pause(_ settling: inout Settling) -> Settling.Pause? {
        settling.pause(
            at: .now(counters, since: othersBefore), isQuiet: heap.isQuiet,
            mayHaveUnseenWork: heap.missesWorkOfOthers && runs < rule.warmUpRuns + Self.affordableRuns)
    }

    /// Sleeps during a wait. Work that the main queue does in this time is part of the run.
    mutating func sleep(_ pause: Settling.Pause) {
        heap.resume()
        pause.sleep()
        heap.pause()
    }

    /// Suspends during a wait. The task may continue on another thread.
    nonisolated(nonsending) mutating func suspend(_ pause: Settling.Pause) async {
        heap.resume()
        await pause.suspend()
        heap.pause()
    }

    /// Records the counts that a run has left, after they have settled.
    mutating func record(_ settled: Settling) {
        lastChange = settled.latest.change(from: latest)
        latest = settled.latest
        wasSteady = settled.isSteady && !settled.isPending
        // If the work of a run doesn't end, or the counts don't settle, within a second, later runs are waited for less
        // long.
        if !wasSteady { patience = min(patience, 10) }
        heap.end()
        table.beginRow()
        note()
        if runs <= rule.warmUpRuns + Self.affordableRuns {
            furtherRunsBegan = .now
        } else if isCostly {
            rule.maximumRuns = runs - rule.warmUpRuns
            target = runs
        }
        // Waiting work is reported with the calls that made it.
        if settled.isPending { register() }
        if runs == 1 {
            // On a separate thread, because the toolchain stores the types that it has looked up for each thread.
            collections = heap.leavingOut { CollectionWatch() }
        } else if runs == rule.warmUpRuns {
            if var watch = collections {
                collections = heap.leavingOut { watch.endWarmUp() ? watch : nil }
            }
            drift.beginRuns(at: heap.bytes)
        }
        markLater()
        guard runs >= target else { return }
        decide()
    }

    /// Decides whether further runs are needed, and how many.
    private mutating func decide() {
        drift.endRuns(at: heap.bytes)
        if drift.explainsRise(after: runs) {
            drift.isOverruled = onOwnThread { $0.groups(by: $0.rule).bytesOfRuns > 0 }
        }
        target = steps.map { if case .runUntil(let runs) = $0 { runs } else { 0 } }.max() ?? 0
        // If work piles up, more runs add no information.
        isOpen = target > runs && !pending.pilesUp(over: runs)
        if !isOpen, risesBeside() {
            target = min(2 * runs, rule.maximumRuns + rule.warmUpRuns)
            isOpen = target > runs
        }
        guard isOpen else { return }
        register()
        if mark == nil {
            mark = readHeap()
        } else if refute() {
            isOpen = false
        }
    }

    /// Whether objects or resources grow, and a collection has gained memory, too. Further runs show whether that is a
    /// second leak or a cache that is still filling.
    private mutating func risesBeside() -> Bool {
        guard let mark, mark.run < runs, runs < rule.maximumRuns + rule.warmUpRuns, !isCostly, objectsMayGrow else {
            return false
        }
        return onOwnThread { search in
            search.explained(search.groups(by: search.rule)).contains {
                $0.metric == .heapBytes && $0.verdict.isOpen
            }
        }
    }

    /// Whether a count other than the bytes of the heap grows or may grow.
    private var objectsMayGrow: Bool {
        table.series.contains { $0.metric != .heapBytes && (step(of: $0).decision?.mayGrow ?? true) }
    }

    /// The earlier reading of the heap that the search for a second leak compares with: the latest reading that was
    /// followed by at least a quarter as many runs as there are now.
    private var halfway: HeapMark? { laterMarks.last { ($0.run + runs / 4) <= runs } ?? mark }

    /// Reads the heap again each time the number of runs has doubled, if objects may grow. This requires a check of all
    /// counts, so it is not done after every run.
    private mutating func markLater() {
        guard let mark, runs > mark.run, runs.isMultiple(of: mark.run), (runs / mark.run).nonzeroBitCount == 1,
            runs < target, objectsMayGrow
        else { return }
        if let mark = readHeap() { laterMarks = laterMarks.suffix(1) + [mark] }
    }

    private mutating func readHeap() -> HeapMark? { onOwnThread { HeapMark(afterRun: $0.runs) } }

    /// Whether all rising counts would be called a leak without further runs, and the heap has no such objects, for
    /// example because they died unseen. Further runs would give the same result.
    private mutating func refute() -> Bool {
        guard let mark, mark.run < runs else { return false }
        var rule = rule
        rule.maximumRuns = runs - rule.warmUpRuns
        let rising = table.series.filter { step(of: $0).decision?.mayGrow ?? true }
        refuted = onOwnThread { search in
            let groups = search.groups(by: rule)
            guard rising.allSatisfy({ groups.verdict(on: $0.series, of: $0.metric).mayGrow }) else { return nil }
            let explained = search.explained(groups)
            return explained.contains { $0.verdict.isGrowing || $0.verdict.isOpen } ? nil : explained
        }
        return refuted != nil
    }

    /// Runs `body` on a separate thread, so that it does not affect later runs. The program never uses the memory of
    /// that thread, which contains addresses of the program's objects. The toolchain's symbol tables, which exist for
    /// each thread, are freed when the thread ends.
    private mutating func onOwnThread<Result>(_ body: (GrowthSearch) -> Result) -> Result {
        // The copy must not take this thread's work for that of the program.
        heap.beginLook()
        collections?.read()
        let search = self
        let result = heap.leavingOut { body(search) }
        collections?.leaveOutChanges()
        return result
    }

    /// The number of runs that are made regardless of their cost.
    private static let affordableRuns = 160

    /// Whether the runs after the first 160 have taken longer than the patience, or all runs have left more than 64 MB.
    private var isCostly: Bool { .now - furtherRunsBegan > lateLimit || heap.bytes - firstBytes > 64 << 20 }

    // MARK: Drift of other code

    /// Returns the pause before the next reading of the bytes that other code takes between runs; `nil` if they need
    /// not be known, or are known already. Only rising bytes need them.
    mutating func pauseForDrift() -> Settling.Pause? {
        guard isOpen, runs >= rule.warmUpRuns + rule.firstRuns, !drift.isMeasured, asksForMore(of: .heapBytes) else {
            return nil
        }
        if let pause = drift.pause(at: heap.bytes) {
            heap.beginIdleTime()
            return pause
        }
        decide()
        return nil
    }

    private func asksForMore(of metric: GrowthMetric) -> Bool {
        table.series.contains { if $0.metric == metric, case .runUntil = step(of: $0) { true } else { false } }
    }

    // MARK: Before something is called a leak

    /// Takes a reading after the last run. Returns the pause before the next reading, or `nil` if no further reading is
    /// needed: nothing grew, everything has been released since, or the patience has passed.
    mutating func pauseForLateRelease() -> Settling.Pause? {
        if refuted != nil { return nil }
        if lateRelease == nil {
            guard steps.contains(where: \.mayGrow) else { return nil }
            if refute() { return nil }
            lateRelease = LateRelease(limit: lateLimit)
        }
        latest = .now(counters, since: othersBefore)
        table.beginConfirmation()
        note()
        lateSeconds = lateRelease.map { $0.elapsed / .seconds(1) } ?? 0
        return isAllReleased ? nil : lateRelease?.pause()
    }

    /// Whether nothing that grew is still there.
    private var isAllReleased: Bool {
        followed.allSatisfy { metric, series in
            guard let confirmed = series.confirmed, let last = series.counts.last, last > 0 else { return true }
            guard step(of: (metric, series)).mayGrow else { return true }
            if metric == .heapBytes, heap.hasKept(last) { return false }
            return confirmed <= max(series.counts.prefix(rule.warmUpRuns).max() ?? 0, last / 10)
        }
    }

    /// The pending work that schedulers did not have at the beginning.
    private var pending: PendingWork { latest.pending.excess(over: pendingBefore) }

    /// The next step for each count.
    private var steps: [GrowthRule.Step] { followed.map(step) }

    private var followed: [(metric: GrowthMetric, series: GrowthTable.Series)] {
        table.series + table.collections.map { ($0.metric, $0.series) }
    }

    private func step(of series: (metric: GrowthMetric, series: GrowthTable.Series)) -> GrowthRule.Step {
        if series.metric == .heapBytes, heap.reasonAgainst != nil { return .decided(.clean) }
        if series.metric == .heapBytes, drift.explainsRise(after: runs) { return .decided(.clean) }
        return rule.step(after: series.series, growsInSteps: series.metric.growsInSteps)
    }

    // MARK: Reading

    /// Writes all followed counts into the last row of the table.
    private mutating func note() {
        if heap.obstacle == nil { table.add(heap.bytes, to: .other(.heapBytes)) }
        if heap.bytesLeftOut != 0 { table.add(heap.bytesLeftOut, to: .bytesLeftOut) }
        if heap.bytesFreedByOthers != 0 { table.add(heap.bytesFreedByOthers, to: .bytesFreedByOthers) }
        for (type, count) in latest.counts.byType.enumerated() where count != 0 {
            table.add(count, to: .type(UInt32(type)))
        }
        for (metric, count) in latest.others { table.add(count, to: .other(metric)) }
        if runs > rule.warmUpRuns { noteCollections() }
        for missing in latest.unavailable where !unavailable.contains(missing) { unavailable.append(missing) }
    }

    private mutating func noteCollections() {
        guard var watch = collections else { return }
        collections = nil
        watch.read()
        if watch.hasMoved {
            watch = heap.leavingOut {
                watch.followMoved()
                return watch
            }
        }
        for (collection, change) in watch.changes { table.add(change, to: collection) }
        collections = watch
    }

    // MARK: Recording stacks

    /// Registers the objects of all following runs with their stacks. Called when a count rises, and in effect until
    /// the verdict.
    private mutating func register() {
        guard firstRegisteredRun == nil else { return }
        firstRegisteredRun = runs + 1
        heap.followBlocks(withStacks: levelBefore != .off)
        if levelBefore == .counts { HeapTrace.level = .stacks }
    }

    /// Restores the level of tracing, and stops following blocks. Called once when the detection is over, even if the
    /// round trip throws an error.
    mutating func close() {
        heap.close()
        (mark, laterMarks, refuted) = (nil, [], nil)
        HeapBytes.returnMemoryOfThisThread()
        rx_registry_mark(0)
        if HeapTrace.level != levelBefore { HeapTrace.level = levelBefore }
    }

    // MARK: The report

    /// The groups of all counts.
    private func groups(by rule: GrowthRule) -> GrowthGroups {
        let bytes = table.series.first { $0.metric == .heapBytes }?.series.counts.last
        return GrowthGroups(
            table: table, collections: collections, rule: rule, blocks: heap.blocks,
            hasKeptBytes: heap.hasKept(bytes),
            lateSeconds: lateSeconds, isDrift: drift.explainsRise(after: runs),
            isDriftOverruled: drift.isOverruled, wasSteady: wasSteady, pending: pending,
            firstRegisteredRun: firstRegisteredRun, markBase: markBase, countsHeap: heap.reasonAgainst == nil)
    }

    private func explained(_ groups: GrowthGroups) -> [GrowthGroup] {
        let followsObjects = followsObjects
        return GrowthCauses.explained(groups, since: mark, halfway: halfway)
            .filter { !followsObjects || !$0.isSleepThatWasCancelled }
    }

    private var followsObjects: Bool { counters.contains { GrowthReport.Subject.named($0.name) == .objects } }

    /// Ends the detection, and returns the report on the runs.
    mutating func report() -> GrowthReport {
        onOwnThread { search in
            let groups = search.groups(by: search.rule)
            // The search for causes allocates and frees, and following its blocks would slow it down.
            search.heap.holdBlocks()
            return search.report(on: groups)
        }
    }

    private func report(on groups: GrowthGroups) -> GrowthReport {
        let obstacle = heap.reasonAgainst
        let explained = refuted ?? explained(groups)
        var missing = unavailable + (obstacle.map { [$0] } ?? [])
        if explained.contains(where: \.verdict.isGrowing), let obstacle = HeapSnapshot.obstacle {
            missing.append(.init(metric: .memoryNextToLeaks, reason: obstacle.reason))
        }
        let bytes = obstacle == nil ? heap.subject : .heapBytes
        let subjects =
            (HeapRole.areKnown ? [.resources, bytes] : [bytes]) + counters.map { .named($0.name) }
            + (collections == nil ? [] : [.elements])
        return GrowthReport(
            name: name, runs: runs, groups: explained.map { $0.withoutAddresses() },
            lookedAt: subjects.filter { subject in !missing.contains { $0.metric == subject } }, unavailable: missing,
            driftBytes: drift.explainedBytes(after: runs), pendingWork: pending, waiting: WaitingWork.all(groups))
    }

    /// The first mark that no detection has used yet.
    private static let marks = Atomic<UInt32>(0)
}

extension GrowthGroup {
    /// Whether these are bytes of tasks that Dispatch holds for a timer. The runtime keeps a cancelled sleep until the
    /// sleep would have ended. This is known only if objects are followed too: then no object or closure of the program
    /// grows with these bytes.
    fileprivate var isSleepThatWasCancelled: Bool {
        guard metric == .heapBytes, let retention, case .delayedWork(nil) = retention.cause else { return false }
        if retention.hasUsersObjects { return false }
        // A word in a task's memory may look like a reference to any object, including memory that the user's code has
        // allocated.
        return retention.isOfDelayedWork || retention.isOfTask && creationStack?.framesOfYours.isEmpty ?? true
    }
}

extension GrowthRule.Step {
    /// The verdict; `nil` if more runs are needed.
    fileprivate var decision: GrowthVerdict? { if case .decided(let verdict) = self { verdict } else { nil } }

    /// Whether it was decided that the count grows, or may grow.
    fileprivate var mayGrow: Bool { decision?.mayGrow ?? false }
}

extension GrowthReport.Unavailable {
    static let resources = Self(
        metric: .resources,
        reason: "this build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
}

/// Stops Swift Testing from storing the stacks of thrown errors while a detection counts.
private final class PausedStacks: Sendable {
    init() { rxtrace_pause_stacks_of_testing() }
    deinit { rxtrace_resume_stacks_of_testing() }
}
