import Dispatch
import Foundation

/// Waits until schedulers are done and all counts are steady after a run.
///
/// Work that schedulers have accepted in the run, and that is due within a second, is waited for: for a second in the
/// first run, and for less in later runs if waiting did not help. Then the counts are compared with those after the
/// previous run. Counts that are equal, or that have grown by the same amount as in that run, are taken immediately,
/// because anything that is still to come comes after every run. Other counts must stay equal for five readings 5 ms
/// apart, or for two readings if no other thread has worked. If other threads have worked in earlier runs, and what
/// they allocate is not counted, another thread may still have to begin the work of this run. So there is at least one
/// pause.
struct Settling {
    /// All counts at one moment of the wait: of reactive resources, of followed counters and of pending work.
    struct Reading: Equatable {
        var counts = ResourceCounts(byType: [])
        /// The counts of the followed counters.
        var others: [GrowthMetric: Int] = [:]
        var pending = PendingWork(pieces: 0, timers: 0)
        /// The number of pieces of pending work that are due too late to be waited for.
        var distant = 0
        var unavailable: [GrowthReport.Unavailable] = []

        /// Takes a reading. The followed counters are given as changes since `others`.
        static func now(_ counters: [any GrowthCounter], since others: [GrowthMetric: Int]) -> Reading {
            var reading = Reading()
            reading.counts = .current(withOrigins: false)
            reading.pending = TracedResources.pendingWork
            if reading.pending.pieces > 0 {
                reading.distant = TracedResources.waitingWork.count { $0.seconds > Settling.longestWait }
            }
            if HeapRole.areKnown, !TracedResources.areCounted { reading.unavailable.append(.resources) }
            for counter in counters {
                switch counter.read() {
                case .counts(let counts): reading.others.merge(counts, uniquingKeysWith: +)
                case .unavailable(let reason):
                    reading.unavailable.append(GrowthReport.Unavailable(metric: .named(counter.name), reason: reason))
                }
            }
            if !others.isEmpty { reading.others.subtract(others) }
            return reading
        }

        /// The change since `earlier`.
        func change(from earlier: Reading) -> Change {
            Change(
                counts: counts.subtracting(earlier.counts),
                others: others.merging(earlier.others.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value != 0 },
                pieces: pending.pieces - earlier.pending.pieces, timers: pending.timers - earlier.pending.timers)
        }

        /// The number of pieces of pending work that are due soon enough to be waited for.
        fileprivate var imminent: Int { pending.pieces - distant }
    }

    /// The change that a run has made.
    struct Change {
        fileprivate let counts: ResourceCounts
        fileprivate let others: [GrowthMetric: Int]
        fileprivate let pieces: Int
        fileprivate let timers: Int

        fileprivate func isSame(as other: Change) -> Bool {
            pieces == other.pieces && timers == other.timers && others == other.others
                && counts.isSame(as: other.counts)
        }
    }

    /// The last reading.
    private(set) var latest: Reading
    /// Whether the counts became steady.
    private(set) var isSteady = true
    /// Whether there is more pending work than before the run.
    private(set) var isPending = false

    private let before: Reading
    private let usual: Change?
    private let patience: Int
    private static let equalReadingsNeeded = 5
    private var equalReadings = 0
    private var readings = 0

    /// - Parameters:
    ///   - before: the reading after the previous run.
    ///   - usual: the change of the previous run. Counts that have grown by the same amount are taken immediately.
    ///   - patience: the number of readings for which work is waited for.
    init(from before: Reading, usual: Change?, patience: Int) {
        self.before = before
        self.usual = usual
        self.patience = patience
        latest = before
    }

    /// Takes a reading. Returns the pause before the next reading, or `nil` if no further reading is needed.
    ///
    /// - Parameters:
    ///   - isQuiet: whether no other thread has worked since the previous run: then two equal readings are enough.
    ///   - mayHaveUnseenWork: whether other threads may have to work for this run, without any effect on the
    ///     readings.
    mutating func pause(at reading: Reading, isQuiet: Bool, mayHaveUnseenWork: Bool) -> Pause? {
        equalReadings = reading == latest && readings > 0 ? equalReadings + 1 : 0
        readings += 1
        latest = reading
        isPending = reading.pending.pieces > before.pending.pieces
        if reading.imminent > before.imminent, readings < patience { return Pause() }
        if readings == 1, isUsual(reading) { return mayHaveUnseenWork ? Pause() : nil }
        if readings == 2, mayHaveUnseenWork, isUsual(reading) { return nil }
        if equalReadings >= (isQuiet ? 2 : Self.equalReadingsNeeded) { return nil }
        isSteady = readings < patience + max(patience, 4 * Self.equalReadingsNeeded)
        return isSteady ? Pause() : nil
    }

    private func isUsual(_ reading: Reading) -> Bool {
        if reading == before { return true }
        guard let usual, reading.imminent <= before.imminent else { return false }
        return reading.change(from: before).isSame(as: usual)
    }

    /// The number of readings in a second.
    static let longest = 200
    /// The time in seconds after which work is due too late to be waited for.
    static let longestWait = 1.0

    /// The time between two readings.
    struct Pause {
        var milliseconds = 5

        /// On the main thread the main queue runs during the pause, because its work would otherwise wait forever.
        func sleep() {
            // Runs the work that is due, without waiting for further work. On Linux the run loop sometimes waits
            // forever if it is given a later date.
            if Thread.isMainThread, MainQueue.isCurrent {
                _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: -1))
            }
            usleep(useconds_t(milliseconds * 1_000))
        }

        /// A cancelled task does not wait, so that its body notices the cancellation.
        nonisolated(nonsending) func suspend() async { try? await Task.sleep(for: .milliseconds(milliseconds)) }
    }
}

extension [GrowthMetric: Int] {
    /// Subtracts other counts from these counts, and removes the counts that become 0.
    fileprivate mutating func subtract(_ others: [GrowthMetric: Int]) {
        for (metric, count) in others {
            let rest = self[metric, default: 0] - count
            self[metric] = rest == 0 ? nil : rest
        }
    }
}

/// Waits for the late release of objects that a timer, a sleeping task or another thread still holds.
///
/// Used only before a leak would be reported. The pauses grow from 5 to 100 ms.
struct LateRelease {
    private let limit: Duration
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var milliseconds = 5

    init(limit: Duration) {
        self.limit = limit
        start = clock.now
    }

    /// The time since this wait began.
    var elapsed: Duration { clock.now - start }

    /// The pause before the next reading; `nil` after the time limit.
    mutating func pause() -> Settling.Pause? {
        guard elapsed < limit else { return nil }
        defer { milliseconds = min(milliseconds * 2, 100) }
        return Settling.Pause(milliseconds: milliseconds)
    }
}

/// Reports whether the calling code runs on the main queue.
private enum MainQueue {
    private static let key = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    /// Determined from the queue, not the thread: on Linux another thread may serve the main queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) != nil }
}
