import Foundation
import RxBenchRaces
import Synchronization

/// Memory that Foundation's primitives must guard. Unchecked: where they do not, a data race must be found.
private final class Shared: @unchecked Sendable {
    let operations = OperationQueue()
    let center = NotificationCenter()
    let cache = NSCache<NSString, NSNumber>()
    let lock = NSLock()
    let queue = DispatchQueue(label: "shared")
    let group = DispatchGroup()
    let semaphore = DispatchSemaphore(value: 0)
    var value = 0

    init(_ mostOperations: Int = 2) { operations.maxConcurrentOperationCount = mostOperations }

    func raise() { value += 1 }
    var grade: RaceGrade { sum(value, 2) }
    var gradeOfAll: RaceGrade {
        operations.waitUntilAllOperationsAreFinished()
        return grade
    }
}

private func notified(_ body: @escaping @Sendable (Shared) -> Void) -> Shared {
    let state = Shared()
    _ = state.center.addObserver(forName: Notification.Name("raise"), object: nil, queue: nil) { [unowned state] _ in
        body(state)
    }
    return state
}

private let post: @Sendable (Shared) -> Void = { state in
    state.center.post(name: Notification.Name("raise"), object: nil)
}

/// A C library lock and a condition. Unchecked, as above.
private final class Conditional: @unchecked Sendable {
    let lock = Allocated<pthread_mutex_t> { pthread_mutex_init($0, nil) }
    let condition = Allocated<pthread_cond_t> { pthread_cond_init($0, nil) }
    var value = 0

    func set() {
        pthread_mutex_lock(lock.pointer)
        value = 1
        pthread_cond_signal(condition.pointer)
        pthread_mutex_unlock(lock.pointer)
    }

    func wait(hastily: Bool = false) {
        pthread_mutex_lock(lock.pointer)
        if hastily { pthread_cond_wait(condition.pointer, lock.pointer) }
        while value == 0 { pthread_cond_wait(condition.pointer, lock.pointer) }
        pthread_mutex_unlock(lock.pointer)
    }

    /// Returns whether the time limit was reached first.
    func waitSoon() -> Bool {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        end.tv_sec += 1
        pthread_mutex_lock(lock.pointer)
        defer { pthread_mutex_unlock(lock.pointer) }
        while value == 0 {
            if pthread_cond_timedwait(condition.pointer, lock.pointer, &end) == ETIMEDOUT { return true }
        }
        return false
    }
}

let foundationPrograms: [Race] = [
    // MARK: Operations
    program(
        "planted/operations/no-barrier", { Shared() },
        { state in
            state.operations.addOperation { keep(state.value) }
            state.operations.addOperation { state.raise() }
        }, { _ in }),
    program(
        "clean/operations/completion", { Shared() },
        { state in
            let operation = BlockOperation { state.raise() }
            operation.completionBlock = {
                state.raise()
                state.semaphore.signal()
            }
            state.operations.addOperation(operation)
            state.semaphore.wait()
            keep(state.value)
        }, { _ in }, finish: { $0.gradeOfAll }),
    program(
        "planted/operations/completion", { Shared() },
        { state in
            let operation = BlockOperation {}
            operation.completionBlock = { state.raise() }
            state.operations.addOperation(operation)
            state.raise()
        }, { _ in }),
    program(
        "clean/operations/wait", { Shared() },
        { state in
            let operation = BlockOperation { state.raise() }
            state.operations.addOperation(operation)
            operation.waitUntilFinished()
            state.raise()
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/operations/no-wait", { Shared() },
        { state in
            state.operations.addOperation { state.raise() }
            state.raise()
        }, { _ in }),
    program(
        "clean/operations/suspended",
        { () -> Shared in
            let state = Shared()
            state.operations.isSuspended = true
            return state
        }, { state in state.operations.addOperation { state.raise() } },
        { state in
            state.raise()
            state.operations.isSuspended = false
        }, finish: { $0.gradeOfAll }),
    program(
        "planted/operations/resumed", { Shared() }, { state in state.operations.addOperation { state.raise() } },
        { state in
            state.operations.isSuspended = true
            state.raise()
            state.operations.isSuspended = false
        }),
    program(
        "clean/operations/underlying",
        { () -> Shared in
            let state = Shared()
            state.operations.underlyingQueue = state.queue
            return state
        }, { state in state.operations.addOperation { state.raise() } },
        { state in state.queue.async { state.raise() } }, finish: { $0.gradeOfAll }),
    program(
        "clean/operations/main", { Shared() }, { state in OperationQueue.main.addOperation { state.raise() } },
        { state in DispatchQueue.main.async { state.raise() } }, finish: { $0.grade }),
    program(
        "planted/operations/main", { Shared() }, { state in OperationQueue.main.addOperation { state.raise() } },
        { state in state.queue.async { state.raise() } }),
    // MARK: Notifications, caches
    program(
        "clean/notification/locked", { notified { state in state.lock.withLock { state.raise() } } }, post, post,
        finish: { $0.grade }),
    program("planted/notification/unlocked", { notified { $0.raise() } }, post, post),
    program(
        "clean/cache", { Shared() }, { $0.cache.setObject(1, forKey: "a") },
        { keep($0.cache.object(forKey: "a")?.intValue) }),
    // MARK: Threads
    program(
        "clean/thread/detached", { Shared() },
        { state in
            Thread.detachNewThread {
                state.raise()
                state.semaphore.signal()
            }
            state.semaphore.wait()
            state.raise()
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/thread/detached", { Shared() },
        { state in
            Thread.detachNewThread { state.raise() }
            state.raise()
        }, { _ in }),
    // MARK: Locks
    program(
        "clean/nsrecursivelock/try", { Guarded(NSRecursiveLock()) },
        { state in
            guard state.primitive.try() else { return }
            state.primitive.withLock { state.value += 1 }
            state.primitive.unlock()
        },
        { state in
            guard state.primitive.lock(before: Date() + 1) else { return }
            state.value += 1
            state.primitive.unlock()
        }),
    program(
        "planted/nsrecursivelock/try", { Guarded(NSRecursiveLock()) },
        { state in
            _ = state.primitive.try()
            state.value += 1
        }, { state in state.primitive.withLock { state.value += 1 } }),
    program("clean/pthread-cond/wait", { Conditional() }, { $0.wait() }, { $0.set() }),
    program("planted/pthread-cond/lost", { Conditional() }, { $0.wait(hastily: true) }, { $0.set() }),
    program("clean/pthread-cond/timed", { Conditional() }, { keep($0.waitSoon()) }, { $0.set() }),
    program(
        "planted/pthread-cond/timed", { Conditional() },
        { state in
            _ = state.waitSoon()
            keep(state.value)
        }, { $0.set() }),
    // MARK: Queues
    program(
        "clean/group/notify-item", { Shared() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.raise() }
            state.group.notify(queue: .main, work: DispatchWorkItem { state.raise() })
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/group/notify-item", { Shared() },
        { state in
            DispatchQueue.global().async(group: state.group) { state.raise() }
            state.group.notify(queue: .main, work: DispatchWorkItem {})
            DispatchQueue.main.async { state.raise() }
        }, { _ in }),
    program(
        "clean/queue/main-after", { Shared() },
        { state in DispatchQueue.main.asyncAfter(deadline: .now() + 1) { state.raise() } },
        { state in DispatchQueue.main.sync { state.raise() } }, finish: { $0.grade }),
    // MARK: Not modelled
    program(
        "refused/run-loop", { Shared() },
        { _ in
            let timer = Timer(timeInterval: 0.01, repeats: false) { _ in }
            RunLoop.current.add(timer, forMode: .default)
            RunLoop.current.run(until: Date() + 1)
        }, { _ in }),
    program(
        "refused/signal-source", { Shared() },
        { _ in DispatchSource.makeSignalSource(signal: SIGUSR1, queue: .main).activate() }, { _ in }),
    program("refused/thread-exit", { Shared() }, { _ in Thread { Thread.exit() }.start() }, { _ in }),
    program(
        "refused/thread-in-make-state",
        { () -> Shared in
            let state = Shared()
            Thread { state.raise() }.start()
            return state
        }, { _ in }, { _ in }),
]
