import Dispatch
import Foundation
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif
import Rx
import Synchronization

/// Decides, for one task of a session, between its end and its cancellation.
///
/// A task that has called its handler must not be cancelled any more: on Linux, Foundation then looks for a task that it has
/// forgotten, and traps. As a handler cannot know of a cancellation that is under way, the two wait for each other.
final class RequestTask: Sendable {
    private enum Phase: UInt8, AtomicRepresentable { case running, cancelling, ended }

    private let phase = Atomic<Phase>(.running)
    /// Signalled once `cancel(_:)` has done with the task.
    private let cancelled = DispatchSemaphore(value: 0)

    /// Cancels the task, unless its handler has been called.
    func cancel(_ task: URLSessionTask) {
        guard phase.compareExchange(expected: .running, desired: .cancelling, ordering: .relaxed).exchanged else { return }
        task.cancel()
#if !canImport(Darwin)
        // Cancelling goes on on the task's private queue, in two steps of which the first queues the second. Each call waits for what is on
        // the queue by then, and does nothing else. After the second the task may be forgotten.
        task.cancel()
        task.cancel()
#endif
        cancelled.signal()
    }

    /// To be called first by the task's handler: `false` if it has been called before, and is to do nothing.
    func end() -> Bool {
        switch phase.exchange(.ended, ordering: .relaxed) {
        case .running: return true
        case .cancelling:
            // Not for long: nothing that `cancel(_:)` waits for waits for a handler.
            cancelled.wait()
            return true
        case .ended: return false
        }
    }
}
