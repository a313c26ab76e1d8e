import Foundation
import Rx
import Synchronization

/// Blocks a thread until it is opened.
///
/// On the main thread it lets the main queue run meanwhile, as sequences that deliver there would never end
/// otherwise. Elsewhere it waits on a semaphore. Neither polls.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let isOpen = Atomic<Bool>(false)
    private let isForMainThread = Thread.isMainThread && MainQueue.isCurrent

    /// A closed gate, for the thread that makes it to wait at.
    init() {}

    /// Lets the waiting thread go on. From any thread; further calls do nothing.
    func open() {
        // Releasing: a thread that sees the gate open sees the writes before it.
        guard !isOpen.exchange(true, ordering: .releasing) else { return }
        semaphore.signal()
        // Makes the run loop return; what it has just handled need not have done so, if it was a timer.
        if isForMainThread { DispatchQueue.main.async {} }
    }

    /// Returns when the gate is open or `timeout` seconds have passed.
    func wait(timeout: TimeInterval?) {
        let deadline = timeout.map { Date(timeIntervalSinceNow: $0) }
        guard isForMainThread else {
            if let timeout { _ = semaphore.wait(timeout: .now() + timeout) } else { semaphore.wait() }
            return
        }
        while !isOpen.load(ordering: .acquiring) {
            if let deadline, deadline.timeIntervalSinceNow <= 0 { return }
            guard RunLoop.main.run(mode: .default, before: deadline ?? .distantFuture) else {
                return waitWithoutRunLoop(deadline)
            }
        }
    }

    /// A run loop with nothing to wait for returns at once; asking it again would spin.
    private func waitWithoutRunLoop(_ deadline: Date?) {
        if let deadline {
            _ = semaphore.wait(timeout: .now() + deadline.timeIntervalSinceNow)
        } else {
            semaphore.wait()
        }
    }
}
