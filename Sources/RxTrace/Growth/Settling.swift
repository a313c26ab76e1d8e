import Foundation
import Rx

/// Waits until schedulers are done and the counts are steady after a run.
///
/// Work that schedulers have accepted in the run is waited for, for a second in the first run and for less later if it did not help.
/// Then counts that are as they were after the run before are taken at once, or that have grown by as much as then: whatever is still to
/// come, is to come after each run. Others have to stay equal for five readings 5 ms apart (they settled within 21 ms in every case that was measured).
struct Settling {
    /// What is looked at while waiting.
    struct Reading: Equatable {
        let counts: ResourceCounts
        let pending: PendingWork

        static var now: Reading {
#if TRACE_RESOURCES
            Reading(counts: .current(places: false), pending: TracedResources.pendingWork)
#else
            Reading(counts: ResourceCounts(byType: []), pending: PendingWork(pieces: 0, timers: 0))
#endif
        }
    }

    /// The last reading.
    private(set) var latest: Reading
    /// Whether the counts came to rest.
    private(set) var isSteady = true
    /// Whether there was work that did not end in time.
    private(set) var isPending = false

    private let before: Reading
    private let usual: ResourceCounts?
    private let patience: Int
    private let equalReadingsNeeded: Int
    private var equalReadings = 0
    private var readings = 0

    /// - Parameters:
    ///   - before: after the run before.
    ///   - usual: what the run before has added: counts that have grown by as much again are taken at once too.
    ///   - patience: for how many readings work is waited for.
    ///   - equalReadings: for how many readings the counts have to stay equal.
    init(from before: Reading, usual: ResourceCounts?, patience: Int, equalReadings: Int = 5) {
        self.before = before
        self.usual = usual
        self.patience = patience
        equalReadingsNeeded = equalReadings
        latest = before
    }

    /// Takes a reading; the pause before the next one, or `nil` once no further one is needed.
    mutating func pause(at reading: Reading) -> Pause? {
        equalReadings = reading == latest && readings > 0 ? equalReadings + 1 : 0
        readings += 1
        latest = reading
        isPending = reading.pending.pieces > before.pending.pieces
        if isPending, readings < patience { return Pause() }
        if readings == 1, isUsual(reading) { return nil }
        if equalReadings >= equalReadingsNeeded { return nil }
        isSteady = readings < patience + Self.longest
        return isSteady ? Pause() : nil
    }

    private func isUsual(_ reading: Reading) -> Bool {
        if reading == before { return equalReadingsNeeded <= 5 }
        guard let usual, reading.pending.pieces == before.pending.pieces else { return false }
        return reading.counts.subtracting(before.counts).isSame(as: usual)
    }

    /// A second of readings.
    static let longest = 200

    /// 5 ms.
    struct Pause {
        private static let milliseconds = 5

        /// On the main thread the main queue runs meanwhile: what waits there would wait for ever otherwise.
        func sleep() {
            let end = Date(timeIntervalSinceNow: Double(Self.milliseconds) / 1_000)
            // A run loop with nothing to wait for returns at once.
            if Thread.isMainThread, MainQueue.isCurrent, RunLoop.main.run(mode: .default, before: end) {}
            let rest = end.timeIntervalSinceNow
            if rest > 0 { usleep(useconds_t(rest * 1_000_000)) }
        }

        /// A cancelled task does not wait: its body is to find that out.
        nonisolated(nonsending) func suspend() async { try? await Task.sleep(for: .milliseconds(Self.milliseconds)) }
    }
}
