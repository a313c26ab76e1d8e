import Dispatch
import Foundation
import Rx
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Decides, for one task of a session, between its end and its cancellation.
///
/// On Linux, Foundation traps if it gets to cancelling a task that it has forgotten, which it does once the task's
/// handler has returned. So a task whose handler has been called is not cancelled, and a handler that is called while
/// its task is being cancelled does not return before that is done. Without this, a
/// program that cancels requests around their end traps.
final class RequestTask: Sendable {
    private enum Phase: UInt8, AtomicRepresentable { case running, cancelling, ended }

    private let phase = Atomic<Phase>(.running)
    private let cancelled = Guarded<URLSessionTask?>(nil)
    /// Signalled once `cancel(_:)` has asked for the cancellation.
    private let asked = DispatchSemaphore(value: 0)

    /// Cancels the task, unless its handler has been called.
    func cancel(_ task: URLSessionTask) {
        guard phase.compareExchange(expected: .running, desired: .cancelling, ordering: .relaxed).exchanged else {
            return
        }
        task.cancel()
        cancelled.withLock { $0 = task }
        asked.signal()
    }

    /// To be called first by the task's handler: `false` if it has been called before, and is to do nothing.
    func end() -> Bool {
        switch phase.exchange(.ended, ordering: .relaxed) {
        case .running: return true
        case .cancelling:
            asked.wait()
            awaitCancellation()
            return true
        case .ended: return false
        }
    }

    private func awaitCancellation() {
        let task = cancelled.withLock { task in
            defer { task = nil }
            return task
        }
        #if !canImport(Darwin)
            guard let task else { return }
            // The cancellation may have to wait for a look into the cache, on a queue of the lowest priority; its error
            // tells that it is there. Until then a task that has failed by itself has another one. The wait is no more
            // than a moment, or seconds on a machine where a compiler has all processors: the limit is there so that
            // another Foundation cannot make this hang. The pauses leave the processor to that queue, and make it
            // unlikely that the error is read in the very moment in which it is replaced, which no lock guards.
            let limit = ContinuousClock.now + .seconds(10)
            while (task.error as? URLError)?.code != .cancelled, ContinuousClock.now < limit {
                Thread.sleep(forTimeInterval: 0.0001)
            }
            // That error is set first, the rest follows on the same queue. Another call does nothing but wait for that.
            task.cancel()
        #else
            withExtendedLifetime(task) {}
        #endif
    }
}
