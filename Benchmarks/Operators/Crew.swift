import Dispatch
import Foundation
import RxBench
import Synchronization

/// Threads that do the same work at once, again and again.
final class Crew: Sendable {
    private let count: Int
    /// How often each thread works next; 0 sends them home.
    private let times = Atomic<Int>(0)
    private let nanoseconds: Mutex<[UInt64]>
    private let begin: [DispatchSemaphore]
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter work: what a thread does, with its number, so many times.
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

    /// Has each thread work so many times; returns how long each of them took.
    ///
    /// - Throws: `Stalled` after ten seconds, in place of hanging.
    func work(times: Int) throws -> [UInt64] {
        self.times.store(times, ordering: .relaxed)
        for semaphore in begin { semaphore.signal() }
        for _ in 0..<count where ended.wait(timeout: .now() + 10) == .timedOut { throw Stalled() }
        return nanoseconds.withLock { $0 }
    }

    /// Lets the threads go.
    func dismiss() {
        times.store(0, ordering: .relaxed)
        for semaphore in begin { semaphore.signal() }
    }
}

/// Threads that have not done their work in time.
struct Stalled: Error {}

/// A number that several threads add to.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    /// Adds one; returns what there is now.
    func add() -> Int { number.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Returns what was added since the last call, by threads that have been waited for.
    func take() -> Int { number.exchange(0, ordering: .relaxed) }
}
