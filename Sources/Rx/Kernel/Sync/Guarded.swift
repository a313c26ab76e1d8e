import Synchronization

/// A value that is read and changed only while its lock is held.
///
/// For decisions, never for user code: decide inside, act on what `withLock` returned.
/// Not recursive. Where many threads meet, an `OwnerLock` beside a property takes its place: a `Mutex` goes from one
/// thread that waits to the next, which costs a switch each time.
package struct Guarded<Value>: ~Copyable, @unchecked Sendable {
    // @unchecked: `Mutex` asks that values are sent into it. Ours hold closures and sinks of users, whose
    // thread-safety is the user's promise; the mutex keeps our own bookkeeping about them in order.
    // Not private, here and for what is guarded: the 6.3 compiler emits a broken module when another file holds the
    // lock.
    struct Unchecked<Content>: @unchecked Sendable { var value: Content }
    private let mutex: Mutex<Unchecked<Value>>
    /// Never read for its value. `Mutex` lives in the standard library, which ThreadSanitizer does not instrument, so
    /// that without this byte every guarded access looks like a race to it. Free beside the mutex's two locked
    /// instructions.
    private let order = Atomic<UInt8>(0)

    package init(_ value: Value) { mutex = Mutex(Unchecked(value: value)) }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { box in
            // Acquiring: pairs with the store below, made by the last holder of the lock.
            _ = order.load(ordering: .acquiring)
            // Releasing: shows the sanitizer that what `body` wrote comes before the next holder's load.
            defer { order.store(0, ordering: .releasing) }
            return Unchecked(value: body(&box.value))
        }.value
    }

    /// Changes the value. What was there is let go of outside the lock: its deinitialiser may be user code.
    ///
    /// A function has to stand in a struct, and that struct has to be what is read: Swift wraps a function that is
    /// itself a generic argument, here `Value` or `Result`, or that of `Optional`, in another one. A program that saves
    /// such a function and puts it back makes it one call deeper each time.
    package func change(_ body: (inout Value) -> Void) {
        let old = withLock { value in
            let old = value
            body(&value)
            return old
        }
        withExtendedLifetime(old) {}
    }
}

/// Turns recursion into a loop: the first to ask runs the work, and a request meanwhile only adds a round.
///
/// An inner sequence that ends synchronously asks for its successor from inside the call that
/// subscribed it. Through a drain loop that request returns at once and the outer call makes another
/// round, so that 100,000 synchronous inners need one stack frame.
@usableFromInline
struct DrainLoop: ~Copyable, Sendable {
    private let rounds = Atomic<Int>(0)

    @usableFromInline init() {}

    /// Runs `round` once for this request, and for each that arrives while it runs.
    @usableFromInline
    func request(_ round: () -> Void) {
        // Acquiring and releasing: a round sees what every request before it wrote.
        guard rounds.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return }
        repeat { round() } while rounds.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue != 0
    }
}
