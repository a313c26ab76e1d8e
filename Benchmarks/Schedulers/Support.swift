import Dispatch
import Foundation
import Rx
import Synchronization

/// Where the main thread waits until scheduled work has run.
///
/// Any thread may pass; one thread waits.
final class Gate: Sendable {
    private let passed = Atomic<Int>(0)
    private let expected: Int
    private let opened = DispatchSemaphore(value: 0)

    /// A gate that opens, each time, when `expected` have passed.
    init(after expected: Int) { self.expected = expected }

    /// Counts one piece of work.
    func pass() {
        // Acquiring and releasing: who waits sees what the work wrote.
        if passed.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue.isMultiple(of: expected) { opened.signal() }
    }

    /// Waits until so many have passed since the last time.
    ///
    /// - Throws: `Stalled` after ten seconds, in place of hanging.
    func wait() throws {
        if opened.wait(timeout: .now() + 10) == .timedOut { throw Stalled() }
    }

    /// How many have passed in all: after any number of waits a multiple of what each waits for, unless more pieces ran
    /// than were scheduled.
    var count: Int { passed.load(ordering: .acquiring) }
}

/// Work that was scheduled did not run.
struct Stalled: Error {}

/// The schedulers with threads of their own.
enum Threaded: String, CaseIterable {
    case serial, concurrent
    case operationQueue = "operation-queue"

    /// A scheduler on a new queue.
    func make() -> any ImmediateSchedulerType {
        switch self {
        case .serial: SerialDispatchQueueScheduler(qos: .userInitiated)
        case .concurrent: ConcurrentDispatchQueueScheduler(qos: .userInitiated)
        case .operationQueue: OperationQueueScheduler(operationQueue: OperationQueue())
        }
    }

    /// How many pieces of work take about a millisecond.
    var batch: Int { self == .operationQueue ? 100 : 1_000 }
}
