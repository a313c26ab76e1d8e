import Synchronization

/// A value that is read and changed only while its lock is held. No user code runs under the lock.
package struct Locked<Value>: ~Copyable, @unchecked Sendable {
    // @unchecked: `Mutex` requires that values are sent into it. The values here are only used under the lock.
    struct Unchecked<Content>: @unchecked Sendable { var value: Content }
    private let mutex: Mutex<Unchecked<Value>>
    /// Its value is never used. ThreadSanitizer does not see the lock of a `Mutex`, but it sees this access.
    private let order = Atomic<UInt8>(0)

    package init(_ value: Value) { mutex = Mutex(Unchecked(value: value)) }

    package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { box in
            // Acquiring: pairs with the store below by the last holder of the lock.
            _ = order.load(ordering: .acquiring)
            // Releasing: the writes of `body` happen before the next holder's load.
            defer { order.store(0, ordering: .releasing) }
            return Unchecked(value: body(&box.value))
        }.value
    }
}
