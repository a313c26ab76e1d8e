import Dispatch
import Foundation
import Rx
import Synchronization

/// Lets the main thread wait until scheduled work has run.
///
/// Any thread may pass. Only one thread may wait.
final class Gate: Sendable {
    private let passed = Atomic<Int>(0)
    private let expected: Int
    private let opened = DispatchSemaphore(value: 0)

    /// Creates a gate that opens every time `expected` pieces of work have passed.
    init(after expected: Int) { self.expected = expected }

    /// Counts one piece of work.
    func pass() {
        // Acquiring and releasing: the waiting thread sees everything that the work wrote.
        if passed.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue.isMultiple(of: expected) { opened.signal() }
    }

    /// Waits until the expected number of pieces have passed since the previous wait.
    ///
    /// - Throws: `Stalled` after ten seconds, instead of hanging.
    func wait() throws {
        if opened.wait(timeout: .now() + 10) == .timedOut { throw Stalled() }
    }

    /// The total number of pieces that have passed. After any number of waits it is a multiple of the expected number,
    /// unless more pieces ran than were scheduled.
    var count: Int { passed.load(ordering: .acquiring) }
}

/// The error for scheduled work that did not run.
struct Stalled: Error {}

/// The schedulers that use separate threads.
enum Threaded: String, CaseIterable {
    case serial, concurrent
    case operationQueue = "operation-queue"

    /// Makes a scheduler with a new queue.
    func make() -> any ImmediateSchedulerType {
        switch self {
        case .serial: SerialDispatchQueueScheduler(qos: .userInitiated)
        case .concurrent: ConcurrentDispatchQueueScheduler(qos: .userInitiated)
        case .operationQueue: OperationQueueScheduler(operationQueue: OperationQueue())
        }
    }

    /// The number of pieces of work that take about one millisecond.
    var batch: Int { self == .operationQueue ? 100 : 1_000 }
}
