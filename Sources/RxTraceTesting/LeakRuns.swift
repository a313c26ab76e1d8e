import HeapTrace
import RxTraceObjects
import Synchronization

/// Repeats a search that other code has disturbed.
enum LeakRuns {
    /// Returns the report of a search. If counts have moved, the search is repeated after other code has settled.
    ///
    /// - Parameter rest: waits until other code has settled; `nil` if no other code runs.
    static func search<Failure: Error>(
        waitingForRest rest: (() -> Rest)?, _ search: () throws(Failure) -> GrowthReport
    ) throws(Failure) -> GrowthReport {
        let following = Following()
        defer { following.end() }
        var report = try search()
        guard let rest else { return report }
        var repetition = Repetition()
        while repetition.isNeeded(after: report) {
            switch repetition.step(after: report, rest()) {
            case .again: report = try search()
            case .done(let judged): return judged
            case .interrupted: return report.disturbed()
            }
        }
        return repetition.judged(report)
    }

    /// Does the same for an asynchronous search, while no other search runs.
    ///
    /// - Parameter search: receives a minimum number of runs, and a function. It returns `nil` when that function
    ///   returns `true`. It is then called again at the next turn of this search.
    nonisolated(nonsending) static func searchAlone<Failure: Error>(
        waitingForRest rest: (@Sendable () async -> Rest)?,
        _ search: nonisolated(nonsending) (Int, @escaping () -> Bool) async throws(Failure) -> GrowthReport?
    ) async throws(Failure) -> GrowthReport {
        var interruptions = 0
        while true {
            let ticket = await Turn.shared.taken()
            let following = Following()
            defer {
                following.end()
                Turn.shared.pass(ticket)
            }
            // The number of interruptions is limited, because a body that itself searches for leaks would interrupt its
            // own search each time.
            let isInterrupted = { [mayEnd = interruptions < mostInterruptions] in
                mayEnd && Turn.shared.isInterrupted(ticket)
            }
            // The elements that an interrupted search has added to a table delay its next doubling.
            let least = interruptions > 0 ? runsAfterInterruption : 0
            if let report = try await repeated(search, least, until: isInterrupted, waitingForRest: rest) {
                return Turn.shared.isHeld(by: ticket) ? report : report.disturbed()
            }
            interruptions += 1
        }
    }

    private static let mostInterruptions = 20
    private static let runsAfterInterruption = 160

    nonisolated(nonsending) private static func repeated<Failure: Error>(
        _ search: nonisolated(nonsending) (Int, @escaping () -> Bool) async throws(Failure) -> GrowthReport?,
        _ least: Int, until isInterrupted: @escaping () -> Bool, waitingForRest rest: (@Sendable () async -> Rest)?
    ) async throws(Failure) -> GrowthReport? {
        guard var report = try await search(least, isInterrupted) else { return nil }
        guard let rest else { return report }
        var repetition = Repetition()
        while repetition.isNeeded(after: report) {
            switch repetition.step(after: report, await rest()) {
            case .again:
                guard let again = try await search(least, isInterrupted) else { return nil }
                report = again
            case .done(let judged): return judged
            case .interrupted: return nil
            }
        }
        return repetition.judged(report)
    }

    /// Decides whether a search is made again.
    private struct Repetition {
        enum Step {
            case again
            case done(GrowthReport)
            case interrupted
        }

        private var repetitions = 0
        private var sawGrowth = false

        /// Whether other code may have raised a count, or hidden that it rises. False after two repetitions.
        func isNeeded(after report: GrowthReport) -> Bool { repetitions < 2 && report.mayBeDisturbed }

        /// Returns the next step, which depends on whether other code has settled.
        mutating func step(after report: GrowthReport, _ rest: Rest) -> Step {
            switch rest {
            // The counts did not change while no search ran, so other code had not disturbed them.
            case .atOnce where !report.mayHideGrowth: return .done(report)
            case .atOnce, .afterWaiting:
                sawGrowth = sawGrowth || report.hasGrowingMemory
                repetitions += 1
                return .again
            case .never: return .done(report.disturbed())
            case .interrupted: return .interrupted
            }
        }

        /// Returns the last report; *not judged* if it lacks the growth of an earlier one.
        func judged(_ report: GrowthReport) -> GrowthReport {
            sawGrowth && report.outcome == .clean ? report.disturbed() : report
        }
    }
}

extension GrowthReport {
    /// Whether other code may have raised a count, or hidden that it rises.
    fileprivate var mayBeDisturbed: Bool { mayHideGrowth || groups.contains(where: \.hasMoved) }

    /// Whether bytes grow whose holder is known, or cannot be known because the heap cannot be read.
    ///
    /// A collection that has doubled takes no further memory until it is full. Therefore a second search that finds no
    /// growth does not refute the first search.
    fileprivate var hasGrowingMemory: Bool {
        let cannotReadHeap = unavailable.contains { $0.metric == .memoryNextToLeaks }
        return leaks.contains { $0.metric == .heapBytes && ($0.retention != nil || cannotReadHeap) }
    }

    /// Whether the bytes of the heap also rose without the runs, or fell from one run to the next: memory that other
    /// code releases hides a rise. A fall is ignored if the bytes grow nevertheless.
    fileprivate var mayHideGrowth: Bool {
        if driftBytes != nil { return true }
        return !hasGrowingMemory && groups.contains { $0.metric == .heapBytes && $0.hasFallen }
    }
}

/// Follows Swift objects and counts the bytes of the heap during a search.
private struct Following {
    private struct State {
        var searches = 0
        var before = false
    }
    private static let state = Mutex(State())

    init() {
        Self.state.withLock { state in
            if state.searches == 0 { state.before = HeapTrace.followsObjects }
            state.searches += 1
            HeapTrace.followsObjects = true
        }
    }

    func end() {
        Self.state.withLock { state in
            state.searches -= 1
            if state.searches == 0 { HeapTrace.followsObjects = state.before }
        }
    }
}
