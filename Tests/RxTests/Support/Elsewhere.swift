import Dispatch
import Foundation

/// Returns whether `body` returns when another thread runs it while this thread waits for it.
///
/// A deadlock test calls this inside a callback. The result shows whether another thread could need a lock that is held
/// around the callback. A deadlock takes `patience` and returns `false` instead of hanging: this thread then continues,
/// and releases its locks.
func returnsElsewhere(within patience: Double = 20, _ body: @escaping () -> Void) -> Bool {
    let work = Sent(body)
    let done = DispatchSemaphore(value: 0)
    Thread {
        work.value()
        done.signal()
    }.start()
    if done.wait(timeout: .now() + patience) == .success { return true }
    stragglers.add(done)
    return false
}

/// Waits for the threads that `returnsElsewhere` has given up, after their obstacle is gone. Call it before a test
/// reads state that these threads change.
func awaitStragglers() { stragglers.wait() }

private let stragglers = Stragglers()

// @unchecked: guarded by `lock`.
private final class Stragglers: @unchecked Sendable {
    private let lock = NSLock()
    private var waiting: [DispatchSemaphore] = []

    func add(_ done: DispatchSemaphore) { lock.withLock { waiting.append(done) } }

    func wait() {
        let all = lock.withLock {
            defer { waiting = [] }
            return waiting
        }
        for done in all { _ = done.wait(timeout: .now() + 5) }
    }
}

/// Runs `last` at its deallocation: a user's value whose deinitialiser runs arbitrary code.
final class Dying {
    private let last: () -> Void

    init(_ last: @escaping () -> Void) { self.last = last }

    deinit { last() }
}

/// The lock that the twins of deadlock tests hold while they call out. It is a semaphore, because thread sanitizers
/// report mutexes that are locked in two orders.
final class TwinLock: Sendable {
    private let free = DispatchSemaphore(value: 1)

    func withLock<Result>(_ body: () -> Result) -> Result {
        free.wait()
        defer { free.signal() }
        return body()
    }
}
