import Dispatch
import Foundation

/// Whether `body` returns when another thread runs it while this one waits for it.
///
/// What a deadlock test asks: called from inside a callback, it says whether somebody else could need a lock that is
/// held around that callback. A deadlock costs `patience`, and is `false` and not a hang: this thread then goes on, and
/// whatever it held comes free.
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

/// Waits for those that `returnsElsewhere` has given up, once what has held them up is over: before a test looks at
/// what they change.
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

/// Runs `last` when it goes: a value of a user whose deinitialiser is code like any other.
final class Dying {
    private let last: () -> Void

    init(_ last: @escaping () -> Void) { self.last = last }

    deinit { last() }
}

/// What the twins of deadlock tests hold while they call out. A semaphore, as thread sanitizers report mutexes that are
/// taken in two orders.
final class TwinLock: Sendable {
    private let free = DispatchSemaphore(value: 1)

    func withLock<Result>(_ body: () -> Result) -> Result {
        free.wait()
        defer { free.signal() }
        return body()
    }
}
