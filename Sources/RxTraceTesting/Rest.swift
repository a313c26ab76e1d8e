import Foundation
import HeapTrace
import RxTraceObjects
import Synchronization

/// Whether and when other code of this process, other tests for example, settles.
enum Rest {
    case atOnce, afterWaiting, never
    /// A blocking search has the next turn.
    case interrupted

    /// The live objects of this process.
    private struct Activity: Equatable {
        private let resources = ResourceCounts.current(withOrigins: true)
        private let objects = LiveObjects.byAddressOfType
    }

    /// The maximum number of readings. It is halved each time that other code did not settle, because such code may
    /// never settle.
    private static let patience = Atomic(500)

    /// Takes readings that are 20 ms apart. Other code has settled after ten equal readings.
    private struct Watch {
        let patience = Rest.patience.load(ordering: .relaxed)
        private var latest = Activity()
        private var equal = 0
        private var readings = 0
        private var arrival = Rest.atOnce

        /// Takes a reading. Returns the result, or `nil` if another reading is needed.
        mutating func read() -> Rest? {
            let reading = Activity()
            readings += 1
            if reading == latest { equal += 1 } else { (equal, latest, arrival) = (0, reading, .afterWaiting) }
            guard equal >= 10 || readings >= patience else { return nil }
            Rest.patience.store(equal < 10 ? max(patience / 2, 50) : 500, ordering: .relaxed)
            return equal < 10 ? .never : arrival
        }
    }

    /// Waits ten seconds at most, and suspends the task during the wait.
    @Sendable static func comes() async -> Rest {
        var watch = Watch()
        while true {
            try? await Task.sleep(for: .milliseconds(20))
            if Turn.shared.isWantedByBlocking { return .interrupted }
            if let rest = watch.read() { return rest }
        }
    }

    /// Waits ten seconds at most, and blocks this thread during the wait.
    static func waited() -> Rest {
        var watch = Watch()
        while true {
            usleep(20_000)
            if let rest = watch.read() { return rest }
        }
    }
}
