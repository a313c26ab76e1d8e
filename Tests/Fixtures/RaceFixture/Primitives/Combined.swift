import Foundation
import RxBenchRaces
import Synchronization

/// A count that one of several primitives guards. Unchecked: where it does not, a data race must be found.
private final class Shared: @unchecked Sendable {
    let lock = NSLock()
    let condition = NSCondition()
    let group = DispatchGroup()
    let semaphore = DispatchSemaphore(value: 0)
    let operations = OperationQueue()
    let queue = DispatchQueue(label: "combined")
    let mutex = Mutex(0)
    let flag = Atomic<Int>(0)
    let first = Atomic<Int>(0)
    var value = 0

    init(_ mostOperations: Int = 1) { operations.maxConcurrentOperationCount = mostOperations }

    func raise() { value += 1 }
    func raiseLocked() { lock.withLock { value += 1 } }
    var grade: RaceGrade { sum(value, 2) }
}

private actor Counter {
    private(set) var value = 0
    func raise() { value += 1 }
    func raiseTwice() async {
        let seen = value
        await Task.yield()
        value = seen + 1
    }
}

/// A serial executor that runs on a queue.
private final class QueueExecutor: SerialExecutor {
    let queue = DispatchQueue(label: "executor")
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor OnExecutor {
    private let executor: QueueExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    let shared: Shared
    init(_ executor: QueueExecutor, _ shared: Shared) {
        self.executor = executor
        self.shared = shared
    }
    func raise() { shared.value += 1 }
}

@MainActor private func raiseOnMain(_ state: Shared) { state.value += 1 }

private enum Answer { @TaskLocal static var number = 0 }

let combinedPrograms: [Race] = [
    // MARK: Operation queues
    program(
        "clean/operations/serial", { Shared() }, { state in state.operations.addOperation { state.raise() } },
        { state in state.operations.addOperation { state.raise() } },
        finish: { state in
            state.operations.waitUntilAllOperationsAreFinished()
            return state.grade
        }),
    program(
        "planted/operations/two", { Shared(2) }, { state in state.operations.addOperation { state.raise() } },
        { state in state.operations.addOperation { state.raise() } },
        finish: { state in
            state.operations.waitUntilAllOperationsAreFinished()
            return state.grade
        }),
    program(
        "clean/operations/dependency", { Shared(2) },
        { state in
            let first = BlockOperation { state.raise() }
            let second = BlockOperation { state.raise() }
            second.addDependency(first)
            state.operations.addOperations([first, second], waitUntilFinished: false)
        }, { _ in },
        finish: { state in
            state.operations.waitUntilAllOperationsAreFinished()
            return state.grade
        }),
    program(
        "planted/operations/no-dependency", { Shared(2) },
        { state in
            let first = BlockOperation { state.raise() }
            let second = BlockOperation { state.raise() }
            state.operations.addOperations([first, second], waitUntilFinished: false)
        }, { _ in },
        finish: { state in
            state.operations.waitUntilAllOperationsAreFinished()
            return state.grade
        }),
    // MARK: Groups and semaphores
    program(
        "clean/group/enter-notify", { Shared() },
        { state in
            state.group.enter()
            state.queue.asyncAfter(deadline: .now() + .milliseconds(5)) {
                state.raise()
                state.group.leave()
            }
            state.group.notify(queue: .global()) { state.raise() }
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/group/notify-early", { Shared() },
        { state in
            state.queue.asyncAfter(deadline: .now() + .milliseconds(5)) {
                state.group.enter()
                state.raise()
                state.group.leave()
            }
            state.group.notify(queue: .global()) { state.raise() }
        }, { _ in }),
    program(
        "clean/semaphore/turnstile", { Shared() },
        { state in
            state.raise()
            state.semaphore.signal()
        },
        { state in
            while state.semaphore.wait(timeout: .now() + .milliseconds(1)) == .timedOut {}
            state.raise()
        }, finish: { $0.grade }),
    program(
        "clean/item/delayed-cancel", { Shared() },
        { state in
            let item = DispatchWorkItem { state.raise() }
            state.queue.asyncAfter(deadline: .now() + 1, execute: item)
            item.cancel()
        }, { _ in }, finish: { $0.value <= 1 ? .acceptable("\($0.value)") : .forbidden("\($0.value)") }),
    program(
        "planted/item/delayed-cancel", { Shared() },
        { state in
            let item = DispatchWorkItem { state.raise() }
            state.queue.asyncAfter(deadline: .now() + 1, execute: item)
            item.cancel()
        }, { _ in }, finish: { $0.value == 0 ? .acceptable("0") : .forbidden("it ran") }),
    // MARK: Conditions and threads
    program(
        "clean/condition/broadcast", { Shared() },
        { state in
            state.condition.withLock { while state.value == 0 { state.condition.wait() } }
        },
        { state in
            state.condition.withLock { while state.value == 0 { state.condition.wait() } }
        },
        { state in
            state.condition.withLock {
                state.value = 1
                state.condition.broadcast()
            }
        }),
    program(
        "planted/condition/signal", { Shared() },
        { state in
            state.condition.withLock { while state.value == 0 { state.condition.wait() } }
        },
        { state in
            state.condition.withLock { while state.value == 0 { state.condition.wait() } }
        },
        { state in
            state.condition.withLock {
                state.value = 1
                state.condition.signal()
            }
        }),
    program(
        "clean/condition/timed-loop", { Shared() },
        { state in
            state.condition.withLock {
                while state.value == 0 { _ = state.condition.wait(until: Date() + 0.01) }
            }
        },
        { state in state.condition.withLock { state.value = 1 } }),
    program(
        "clean/thread/stack-size", { Shared() },
        { state in
            let thread = Thread {
                state.raise()
                state.semaphore.signal()
            }
            thread.stackSize = 1 << 20
            thread.name = "combined"
            thread.start()
            state.semaphore.wait()
            state.raise()
        }, { _ in }, finish: { $0.grade }),
    program(
        "clean/thread/dictionary", { Shared() },
        { state in
            Thread.current.threadDictionary["own"] = 1
            state.raiseLocked()
            keep(Thread.current.threadDictionary["own"])
        }, { $0.raiseLocked() }, finish: { $0.grade }),
    program(
        "clean/once/static", { Shared() }, { _ in keep(Lazily.made.count) }, { _ in keep(Lazily.made.count) }),
    // MARK: Clocks
    program(
        "clean/clock/deadline-loop", { Shared() }, { $0.flag.store(1, ordering: .releasing) },
        { state in
            let end = ContinuousClock.now + .milliseconds(5)
            while state.flag.load(ordering: .acquiring) == 0, ContinuousClock.now < end {}
        }),
    // The time limit may be reached before the other actor has begun.
    program(
        "planted/clock/deadline-loop", { Shared() }, { $0.flag.store(1, ordering: .releasing) },
        { state in
            let end = ContinuousClock.now + .milliseconds(5)
            while state.flag.load(ordering: .acquiring) == 0, ContinuousClock.now < end {}
            state.first.store(state.flag.load(ordering: .relaxed), ordering: .relaxed)
        }, finish: { sum($0.first.load(ordering: .relaxed), 1) }),
    program(
        "clean/clock/busy-wait", { Shared() }, { $0.raiseLocked() },
        { state in
            let end = Date() + 0.001
            while Date() < end {}
            state.raiseLocked()
        }, finish: { $0.grade }),
    program(
        "clean/clock/sleep-until", { Shared() },
        { state in
            _ = Task {
                try? await ContinuousClock().sleep(until: .now + .milliseconds(3))
                state.raiseLocked()
            }
        },
        { state in
            _ = Task {
                try? await SuspendingClock().sleep(for: .milliseconds(3))
                state.raiseLocked()
            }
        }, finish: { $0.grade }),
    program(
        "planted/clock/sleep", { Shared() },
        { state in
            _ = Task {
                try? await Task.sleep(nanoseconds: 1_000_000)
                state.raise()
            }
        },
        { state in
            _ = Task {
                try? await Task.sleep(nanoseconds: 9_000_000)
                state.raise()
            }
        }),
    program(
        "clean/clock/cancelled-sleep", { Shared() },
        { state in
            let task = Task {
                do { try await Task.sleep(for: .seconds(60)) } catch { state.first.store(1, ordering: .relaxed) }
            }
            task.cancel()
        }, { _ in }),
    // MARK: Tasks
    program(
        "clean/task/actor", { Counter() }, { counter in _ = Task { await counter.raise() } },
        { counter in _ = Task { await counter.raise() } }),
    program(
        "clean/task/executor", { Shared() },
        { state in
            let actor = OnExecutor(QueueExecutor(), state)
            _ = Task { await actor.raise() }
            _ = Task { await actor.raise() }
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/task/executors", { Shared() },
        { state in
            let actor = OnExecutor(QueueExecutor(), state)
            _ = Task { await actor.raise() }
        },
        { state in
            let actor = OnExecutor(QueueExecutor(), state)
            _ = Task { await actor.raise() }
        }),
    program(
        "clean/task/stream", { Shared() },
        { state in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            _ = Task {
                for await number in stream { state.value += number }
                state.flag.store(state.value, ordering: .relaxed)
            }
            continuation.yield(1)
            continuation.yield(2)
            continuation.finish()
        }, { _ in }, finish: { sum($0.flag.load(ordering: .relaxed), 3) }),
    program(
        "planted/task/stream", { Shared() },
        { state in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            _ = Task { for await number in stream { state.value += number } }
            continuation.yield(1)
            continuation.finish()
            state.value += 1
        }, { _ in }),
    program(
        "clean/task/discarding-group", { Shared() },
        { state in
            _ = Task {
                await withDiscardingTaskGroup { group in
                    for _ in 0..<2 { group.addTask { state.raiseLocked() } }
                }
                state.flag.store(state.value, ordering: .relaxed)
            }
        }, { _ in }, finish: { sum($0.flag.load(ordering: .relaxed), 2) }),
    program(
        "planted/task/discarding-group", { Shared() },
        { state in
            _ = Task {
                await withDiscardingTaskGroup { group in
                    for _ in 0..<2 { group.addTask { state.raise() } }
                }
            }
        }, { _ in }),
    program(
        "clean/task/throwing-group", { Shared() },
        { state in
            _ = Task {
                try? await withThrowingTaskGroup(of: Int.self) { group in
                    group.addTask { throw CancellationError() }
                    group.addTask { 1 }
                    for try await number in group { state.flag.wrappingAdd(number, ordering: .relaxed) }
                }
            }
        }, { _ in }),
    program(
        "clean/task/local", { Shared() },
        { state in
            _ = Task {
                await Answer.$number.withValue(2) {
                    await Task.yield()
                    state.flag.store(Answer.number, ordering: .relaxed)
                }
            }
        }, { _ in }, finish: { sum($0.flag.load(ordering: .relaxed), 2) }),
    program(
        "clean/task/detached-priority", { Shared() },
        { state in _ = Task.detached(priority: .background) { state.raiseLocked() } },
        { state in _ = Task(priority: .high) { state.raiseLocked() } }, finish: { $0.grade }),
    program(
        "clean/task/main", { Shared() }, { state in _ = Task { @MainActor in raiseOnMain(state) } },
        { state in DispatchQueue.main.async { raiseOnMain(state) } }, finish: { $0.grade }),
    program(
        "planted/task/main", { Shared() }, { state in _ = Task { @MainActor in raiseOnMain(state) } },
        { state in _ = Task { state.raise() } }),
    program(
        "clean/task/semaphore-before", { Shared() },
        { state in
            _ = Task {
                state.raise()
                state.semaphore.signal()
            }
        },
        { state in
            state.semaphore.wait()
            state.raise()
        }, finish: { $0.grade }),
    program(
        "planted/task/actor-reentrancy", { Shared() },
        { state in
            let counter = Counter()
            _ = Task {
                async let first: Void = counter.raiseTwice()
                async let second: Void = counter.raiseTwice()
                _ = await (first, second)
                state.flag.store(await counter.value, ordering: .relaxed)
            }
        }, { _ in }, finish: { sum($0.flag.load(ordering: .relaxed), 2) }),
    program(
        "clean/task/continuation-queue", { Shared() },
        { state in
            _ = Task {
                await withCheckedContinuation { continuation in
                    state.queue.asyncAfter(deadline: .now() + .milliseconds(1)) {
                        state.raise()
                        continuation.resume()
                    }
                }
                state.raise()
            }
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/task/continuation-race", { Shared() },
        { state in
            _ = Task {
                await withUnsafeContinuation { continuation in
                    state.queue.async { if state.flag.exchange(1, ordering: .relaxed) == 0 { continuation.resume() } }
                }
                state.raise()
            }
        }, { state in state.queue.async { state.raise() } }),
    program(
        "clean/task/cancel-handler", { Shared() },
        { state in
            let task = Task {
                await withTaskCancellationHandler {
                    await withCheckedContinuation { continuation in
                        if state.flag.exchange(1, ordering: .acquiringAndReleasing) == 1 {
                            continuation.resume()
                        } else {
                            state.mutex.withLock { _ in }; continuation.resume()
                        }
                    }
                } onCancel: {
                    _ = state.flag.exchange(1, ordering: .acquiringAndReleasing)
                }
            }
            task.cancel()
        }, { _ in }),
]

private enum Lazily {
    static let made: [Int] = (0..<3).map { $0 * 2 }
}
