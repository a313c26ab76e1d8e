import Dispatch
import Foundation
import RxBench
import Synchronization

/// Threads that repeatedly do the same work at the same time.
final class Crew: Sendable {
    private let count: Int
    /// The number of times that each thread works next; 0 ends the threads.
    private let times = Atomic<Int>(0)
    private let nanoseconds: Mutex<[UInt64]>
    private let begin: [DispatchSemaphore]
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter work: Runs on each thread with the thread's index and the number of repetitions.
    init(_ count: Int, work: @escaping @Sendable (_ thread: Int, _ times: Int) -> Void) {
        self.count = count
        nanoseconds = Mutex([UInt64](repeating: 0, count: count))
        begin = (0..<count).map { _ in DispatchSemaphore(value: 0) }
        for thread in 0..<count { Thread { self.serve(thread, work) }.start() }
    }

    private func serve(_ thread: Int, _ work: (Int, Int) -> Void) {
        while true {
            begin[thread].wait()
            let times = times.load(ordering: .relaxed)
            if times == 0 { return }
            let start = MonotonicClock.nanoseconds
            work(thread, times)
            let took = MonotonicClock.nanoseconds - start
            nanoseconds.withLock { $0[thread] = took }
            ended.signal()
        }
    }

    /// Makes each thread repeat the work `times` times, and returns the nanoseconds that each thread took.
    ///
    /// - Throws: `Stalled` after ten seconds, instead of hanging.
    func work(times: Int) throws -> [UInt64] {
        self.times.store(times, ordering: .relaxed)
        for semaphore in begin { semaphore.signal() }
        for _ in 0..<count where ended.wait(timeout: .now() + 10) == .timedOut { throw Stalled() }
        return nanoseconds.withLock { $0 }
    }

    /// Ends the threads.
    func dismiss() {
        times.store(0, ordering: .relaxed)
        for semaphore in begin { semaphore.signal() }
    }
}

/// The error for threads that did not finish their work in time.
struct Stalled: Error {}

/// A number that several threads increment.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// Adds one and returns the new number.
    func add() -> Int { number.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Returns and resets the number that was added since the last call, by threads that have since been waited for.
    func take() -> Int { number.exchange(0, ordering: .relaxed) }
}
