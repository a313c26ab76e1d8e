import Dispatch
import PeersWork
import Synchronization

/// Runs tasks on the thread that waits for them.
///
/// A round then pays only for thread switches that the workload itself requests. This is the best case for asynchronous
/// sequences.
final class CallersThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isWaiting = false
        var result: Int?
    }

    private let state = Mutex(State())
    private let arrived = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let wakes = state.withLock { state in
            state.jobs.append(job)
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if wakes { arrived.signal() }
    }

    /// Performs `work` and all jobs that it starts on this executor, and returns its result.
    ///
    /// - Throws: `Stalled` if nothing has happened for twenty seconds.
    func run(_ work: @escaping @Sendable () async -> Int) throws -> Int {
        Task(executorPreference: self) {
            let result = await work()
            self.state.withLock { $0.result = result }
        }
        var batch: [UnownedJob] = []
        while true {
            batch.removeAll(keepingCapacity: true)
            let result = state.withLock { state in
                swap(&state.jobs, &batch)
                state.isWaiting = batch.isEmpty && state.result == nil
                return state.result.take()
            }
            for job in batch { job.runSynchronously(on: asUnownedTaskExecutor()) }
            if let result { return result }
            if batch.isEmpty, arrived.wait(timeout: .now() + 20) == .timedOut { throw Stalled() }
        }
    }
}
