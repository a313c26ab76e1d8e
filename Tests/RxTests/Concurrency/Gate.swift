import Rx
import Synchronization
import XCTest

/// A gate at which tasks wait until it is opened.
final class TaskGate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    /// Returns once the gate is open, or the task is cancelled.
    func wait() async { for await _ in stream {} }
}

/// Notes of tests in the order of the events, on any thread.
final class SharedNotes: Sendable {
    private let notes = Mutex<[String]>([])

    var lines: [String] { notes.withLock { $0 } }

    func add(_ line: String) { notes.withLock { $0.append(line) } }
}

/// Lets other threads run until `condition` holds, for objects that a task releases right after its answer. Returns
/// `false` after ten seconds.
func comesTrue(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        sched_yield()
    }
    return true
}

/// Keeps two threads synchronised to within some nanoseconds.
final class Pace: Sendable {
    private let arrivals = Atomic<Int>(0)
    private let spins = Atomic<Int>(0)

    /// Returns when both threads have reached the round, after `delay` idle turns.
    func meet(_ round: Int, delayedBy delay: Int) {
        arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing)
        var turns = 0
        while arrivals.load(ordering: .acquiring) < 2 * (round + 1) {
            turns += 1
            if turns % 10_000 == 0 { sched_yield() }
        }
        for _ in 0..<delay { spins.wrappingAdd(1, ordering: .relaxed) }
    }
}
