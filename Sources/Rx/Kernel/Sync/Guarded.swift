import Synchronization

/// A value that is read and changed only while its lock is held.
///
/// For decisions, never for user code: decide inside, act on what `withLock` returned.
/// Not recursive; 5.4 ns a pair uncontended.
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {
    // @unchecked: `Mutex` asks that values are sent into it. Ours hold closures and sinks of users, whose
    // thread-safety is the user's promise; the mutex keeps our own bookkeeping about them in order.
    // Not private, here and for what is guarded: the 6.3 compiler emits a broken module when another file holds the lock.
    struct Box: @unchecked Sendable { var value: Value }
    private let mutex: Mutex<Box>

    package init(_ value: Value) { mutex = Mutex(Box(value: value)) }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        var result: Result?
        mutex.withLock { box in result = body(&box.value) }
        return result.unsafelyUnwrapped
    }
}
