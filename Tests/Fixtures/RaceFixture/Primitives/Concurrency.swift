import Dispatch
import Observation
import RxBenchRaces
import Synchronization

@globalActor private actor Own { static let shared = Own() }

/// Memory that Swift concurrency must guard. Unchecked: where it does not, a data race must be found.
private final class Shared: @unchecked Sendable {
    let queue = DispatchQueue(label: "shared")
    let flag = Atomic<Int>(0)
    let mutex = Mutex(0)
    var value = 0

    func raise() { value += 1 }
    @Own func raiseOnOwn() { value += 1 }
    @MainActor func raiseOnMain() { value += 1 }
    func raiseLocked() { mutex.withLock { $0 += 1 } }
    var grade: RaceGrade { sum(value, 2) }
    var lockedGrade: RaceGrade { sum(mutex.withLock { $0 }, 2) }
    var flagGrade: RaceGrade { sum(flag.load(ordering: .relaxed), 1) }
}

private struct Failure: Error {}

/// A task executor that runs on a queue.
private final class QueueExecutor: TaskExecutor {
    private let queue: DispatchQueue
    init(_ queue: DispatchQueue) { self.queue = queue }
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

/// Unchecked: the race is the point.
@Observable private final class Model: @unchecked Sendable {
    var name = "a"
    @ObservationIgnored let mutex = Mutex(())
}

/// Raises a value on the main actor when it is deinitialised.
@MainActor private final class Ending {
    let state: Shared
    nonisolated init(_ state: Shared) { self.state = state }
    isolated deinit { state.raiseOnMain() }
}

/// An actor whose deinitialiser runs on it. Unchecked: only the actor orders the last raise, if anything does.
private actor Isolated {
    private let count: PlainMemory
    init(_ count: PlainMemory) { self.count = count }
    func raise() { count.value += 1 }
    isolated deinit { count.value += 1 }
}

let concurrencyPrograms: [Race] = [
    program(
        "clean/task/deinit-on-actor", { PlainMemory() },
        { state in _ = Task { await Isolated(state).raise() } }, { _ in }, finish: { sum($0.value, 2) }),
    program(
        "planted/task/deinit-on-actor", { PlainMemory() },
        { state in _ = Task { await Isolated(state).raise() } }, { $0.value += 1 }),
    program(
        "clean/task/global-actor", { Shared() }, { state in _ = Task { await state.raiseOnOwn() } },
        { state in _ = Task { await state.raiseOnOwn() } }, finish: { $0.grade }),
    program(
        "planted/task/global-actors", { Shared() }, { state in _ = Task { await state.raiseOnOwn() } },
        { state in _ = Task { await state.raiseOnMain() } }),
    program(
        "clean/task/main-run", { Shared() },
        { state in _ = Task { await MainActor.run { state.raiseOnMain() } } },
        { state in DispatchQueue.main.async { state.raise() } }, finish: { $0.grade }),
    program(
        "planted/task/main-run", { Shared() },
        { state in
            _ = Task {
                await MainActor.run { state.raiseOnMain() }
                state.raise()
            }
        }, { state in DispatchQueue.main.async { state.raise() } }),
    program(
        "clean/task/value", { Shared() },
        { state in
            let task = Task { state.raise() }
            _ = Task {
                await task.value
                state.raise()
            }
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/task/no-value", { Shared() },
        { state in
            _ = Task { state.raise() }
            _ = Task { state.raise() }
        }, { _ in }),
    program(
        "clean/task/result", { Shared() },
        { state in
            let task = Task {
                state.raise()
                throw Failure()
            }
            _ = Task { if case .failure = await task.result { state.raise() } }
        }, { _ in }, finish: { $0.grade }),
    program(
        "clean/task/async-let", { Shared() },
        { state in
            _ = Task {
                async let first: Void = state.raise()
                await first
                state.raise()
            }
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/task/async-let", { Shared() },
        { state in
            _ = Task {
                async let first: Void = state.raise()
                state.raise()
                await first
            }
        }, { _ in }),
    program(
        "clean/task/throwing-continuation", { Shared() },
        { state in
            _ = Task {
                do {
                    try await withCheckedThrowingContinuation { (own: CheckedContinuation<Void, any Error>) in
                        state.queue.async {
                            state.raise()
                            own.resume(throwing: Failure())
                        }
                    }
                } catch { state.raise() }
            }
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/task/never-resumed", { Shared() },
        { state in
            _ = Task {
                await withUnsafeContinuation { own in
                    if state.flag.load(ordering: .relaxed) == 0 { own.resume() }
                }
            }
        }, { $0.flag.store(1, ordering: .relaxed) }),
    program(
        "clean/task/throwing-stream", { Shared() },
        { state in
            let (stream, continuation) = AsyncThrowingStream.makeStream(of: Int.self)
            _ = Task {
                do { for try await number in stream { state.value += number } } catch { state.value += 1 }
            }
            continuation.yield(1)
            continuation.finish(throwing: Failure())
        }, { _ in }, finish: { $0.grade }),
    program(
        "clean/task/stream-ended", { Shared() },
        { state in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            continuation.onTermination = { _ in state.raiseLocked() }
            let task = Task {
                for await _ in stream {}
                state.raiseLocked()
            }
            task.cancel()
        }, { _ in }, finish: { $0.lockedGrade }),
    program(
        "planted/task/stream-ended", { Shared() },
        { state in
            let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
            continuation.onTermination = { _ in state.raise() }
            let task = Task { for await _ in stream {} }
            task.cancel()
            state.raise()
            keep(continuation)
        }, { _ in }),
    program(
        "clean/task/executor-preference", { Shared() },
        { state in
            _ = Task(executorPreference: QueueExecutor(state.queue)) { state.raise() }
        }, { state in state.queue.async { state.raise() } }, finish: { $0.grade }),
    program(
        "planted/task/executor-preference", { Shared() },
        { state in
            _ = Task(executorPreference: QueueExecutor(state.queue)) { state.raise() }
        }, { state in _ = Task { state.raise() } }),
    program(
        "clean/task/polls-cancellation", { Shared() },
        { state in
            let task = Task { while !Task.isCancelled { await Task.yield() } }
            task.cancel()
        }, { _ in }),
    program(
        "clean/task/polls-flag", { Shared() }, { $0.flag.store(1, ordering: .releasing) },
        { state in
            _ = Task { while state.flag.load(ordering: .acquiring) == 0 { await Task.yield() } }
        }),
    program(
        "clean/task/isolated-deinit", { Shared() }, { state in keep(Ending(state)) },
        { state in DispatchQueue.main.async { state.raise() } }, finish: { $0.grade }),
    program(
        "planted/task/isolated-deinit", { Shared() }, { state in keep(Ending(state)) },
        { state in state.raise() }),
    program(
        "clean/task/immediate", { Shared() },
        { state in
            Task.immediate { state.raise() }
            state.raise()
        }, { _ in }, finish: { $0.grade }),
    program(
        "planted/task/immediate", { Shared() },
        { state in
            Task.immediate {
                await Task.yield()
                state.raise()
            }
            state.raise()
        }, { _ in }),
    program(
        "clean/observable", { Model() }, { model in model.mutex.withLock { _ in model.name = "b" } },
        { model in model.mutex.withLock { _ in keep(model.name) } }),
    program("planted/observable", { Model() }, { $0.name = "b" }, { keep($0.name) }),
    program(
        "clean/observable/tracked", { Model() }, { model in model.mutex.withLock { _ in model.name = "b" } },
        { model in
            model.mutex.withLock { _ in
                withObservationTracking {
                    keep(model.name)
                } onChange: {
                    keep(1)
                }
            }
        }),
]
