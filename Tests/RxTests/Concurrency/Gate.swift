import Rx
import Synchronization
import XCTest

/// A door that tasks wait at until somebody opens it.
final class TaskGate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    /// Returns once the gate is open, or the task is cancelled.
    func wait() async { for await _ in stream {} }
}

/// What tests note in the order in which it happens, on whatever thread.
final class SharedNotes: Sendable {
    private let notes = Mutex<[String]>([])

    var lines: [String] { notes.withLock { $0 } }

    func add(_ line: String) { notes.withLock { $0.append(line) } }
}

/// Lets other threads run until `condition` holds: for what a task lets go of right after it has answered. `false` if it takes ten seconds.
func comesTrue(_ condition: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        sched_yield()
    }
    return true
}
