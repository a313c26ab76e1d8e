import CRx
import Synchronization

/// A recursive lock that is one compare-and-swap and one exchange when nobody else wants it, and parks the thread when
/// somebody does.
///
/// It serialises the events of a coordinator: the same thread may re-enter (an observer that sends into its own
/// source), other threads wait. `Mutex` does not nest; it and `NSRecursiveLock` take twice and four times as long.
@usableFromInline
struct OwnerLock: ~Copyable, Sendable {
    /// The identity of the owning thread (even), plus 1 while others wait; 0 when free.
    @usableFromInline let word = Atomic<UInt>(0)
    /// Nested entries of the owner beyond the first. Only the owner touches it.
    @usableFromInline let depth = Atomic<UInt>(0)

    @inlinable init() {}

    @inlinable @inline(__always)
    func lock() {
        let me = UInt(rx_thread_identity())
        // Acquiring: what the previous owner wrote is seen.
        if word.compareExchange(expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
            .exchanged
        {
            return
        }
        lockSlowly(me)
    }

    /// Takes the lock if it is free.
    func tryLock() -> Bool {
        // Acquiring: as `lock()`.
        word.compareExchange(
            expected: 0, desired: UInt(rx_thread_identity()), successOrdering: .acquiring, failureOrdering: .relaxed
        ).exchanged
    }

    @inlinable @inline(__always)
    func unlock() {
        if _fastPath(depth.load(ordering: .relaxed) == 0) {
            // Releasing: the next owner sees what this one wrote.
            if _slowPath(word.exchange(0, ordering: .releasing) & 1 != 0) { wakeWaiters() }
        } else {
            depth.store(depth.load(ordering: .relaxed) &- 1, ordering: .relaxed)
        }
    }

    /// Runs `body` while the lock is held.
    @inlinable @inline(__always)
    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    @usableFromInline @inline(never)
    func lockSlowly(_ me: UInt) {
        if word.load(ordering: .relaxed) & ~1 == me {
            depth.store(depth.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
            return
        }
        // A short spin: most events are delivered within it. Bounded, because an observer may take as long as it likes.
        for _ in 0..<64 where word.load(ordering: .relaxed) == 0 {
            if word.compareExchange(expected: 0, desired: me, successOrdering: .acquiring, failureOrdering: .relaxed)
                .exchanged
            {
                return
            }
        }
        // Every thread that has parked takes the lock as "waited for": it cannot know whether others still sleep.
        while true {
            let seen = word.load(ordering: .relaxed)
            if seen == 0 {
                if word.compareExchange(
                    expected: 0, desired: me | 1, successOrdering: .acquiring, failureOrdering: .relaxed
                ).exchanged {
                    return
                }
                continue
            }
            if seen & 1 != 0 || word.compareExchange(expected: seen, desired: seen | 1, ordering: .relaxed).exchanged {
                rx_park(address, uintptr_t(seen | 1))
            }
        }
    }

    @usableFromInline @inline(never)
    func wakeWaiters() { rx_unpark(address) }

    /// Where the word lives. It is only compared and hashed, or read atomically, by the parking lot.
    private var address: UnsafePointer<uintptr_t> {
        withUnsafePointer(to: word) { UnsafeRawPointer($0).assumingMemoryBound(to: uintptr_t.self) }
    }
}
