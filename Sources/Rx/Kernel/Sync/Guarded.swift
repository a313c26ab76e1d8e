import Synchronization

/// A value that is read and changed only while its lock is held.
///
/// Use it for decisions, never for user code: decide inside the closure, and act on the result of `withLock`. The lock
/// is not recursive. Where many threads contend, an `OwnerLock` next to a property is used instead: a `Mutex` is handed
/// from one waiting thread to the next, which costs a context switch each time.
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {
    // @unchecked: `Mutex` requires that values are sent into it. Ours hold users' closures and sinks, which the user
    // guarantees to be thread-safe. The mutex protects our own bookkeeping about them.
    struct Unchecked<Content>: @unchecked Sendable { var value: Content }
    private let mutex: Mutex<Unchecked<Value>>
    /// Its value is never used. `Mutex` is part of the standard library, which ThreadSanitizer does not instrument.
    /// Without this byte, ThreadSanitizer would report a race for every guarded access. Its cost is negligible compared
    /// to the mutex's two locked instructions.
    private let order = Atomic<UInt8>(0)

    package init(_ value: Value) { mutex = Mutex(Unchecked(value: value)) }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { box in
            // Acquiring: pairs with the store below by the last holder of the lock.
            _ = order.load(ordering: .acquiring)
            // Releasing: shows the sanitizer that the writes of `body` happen before the next holder's load.
            defer { order.store(0, ordering: .releasing) }
            return Unchecked(value: body(&box.value))
        }.value
    }

    /// Changes the value. The old value is released outside the lock, because its deinitialiser may be user code.
    ///
    /// A function has to be a field of a struct, and the whole struct has to be read. Swift wraps a function in another
    /// one if the function itself is a generic argument, here `Value` or `Result`, or the argument of `Optional`. Each
    /// time a program saves such a function and restores it, the wrapper adds one more nested call.
    package func change(_ body: (inout Value) -> Void) {
        let old = withLock { value in
            let old = value
            body(&value)
            return old
        }
        withExtendedLifetime(old) {}
    }
}

/// Turns recursion into a loop: the first request runs the work, and a request during that work only adds a round.
///
/// An inner sequence that ends synchronously requests its successor inside the call that subscribed it. With a drain
/// loop, that request returns immediately and the outer call runs another round. So 100,000 synchronous inner sequences
/// need one stack frame.
@usableFromInline
struct DrainLoop: ~Copyable, Sendable {
    private let rounds = Atomic<Int>(0)

    @usableFromInline init() {}

    /// Runs `round` once for this request, and once for each request that arrives while it runs.
    @usableFromInline
    func request(_ round: () -> Void) {
        // Acquiring and releasing: a round sees what every request before it wrote.
        guard rounds.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat { round() } while rounds.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }
}
