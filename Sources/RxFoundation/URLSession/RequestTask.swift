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
            // The cancellation may have to look into the cache first, on a queue of its own; nothing but the error
            // tells when it is back. That takes no more than a moment, or seconds on a machine where a compiler has all
            // processors: the limit is there so that another Foundation cannot make this hang.
            let limit = ContinuousClock.now + .seconds(10)
            while task.error == nil, ContinuousClock.now < limit { sched_yield() }
            // The error is set first, the rest follows on the same queue. Another call does nothing but wait for that.
            task.cancel()
        #else
            withExtendedLifetime(task) {}
        #endif
    }
}
