import CRx
import Synchronization

/// A recursive lock that costs plain loads and stores on the thread that always takes it, and what `OwnerLock` costs
/// elsewhere.
///
/// A thread that takes the lock some times in a row, with nobody in between, is at home from then on: it counts its
/// entries with plain stores. The first other thread that comes ends that, once and for all, by a fence in all threads
/// (`rx_fence_everywhere`), and waits until the one at home has left. This is biased locking; the fence is that of
/// Dice, Huang and Yang, "Asymmetric Dekker Synchronization" (2001).
///
/// ```text
///           ┌───another thread comes───┐
///           ▼                          │
/// nobody ──▶ candidate ────────────────┘
///              └──comes again and again──▶ at home ──another comes──▶ leaving ──has left──▶ shared
/// ```
@usableFromInline
struct HomeLock: ~Copyable, Sendable {
    /// For everybody but the one at home. Whoever ends a home holds it.
    private let others = OwnerLock()
    /// Nobody (0), or the identity of a thread, a multiple of 4, and what it is here.
    @usableFromInline let home = Atomic<UInt>(0)
    /// The entries of the one at home, who alone writes them; how often a candidate has come.
    @usableFromInline let inside = Atomic<UInt>(0)

    private static var shared: UInt { 1 }
    private static var leaving: UInt { 2 }
    private static var candidate: UInt { 3 }

    @usableFromInline init() {}

    @inlinable @inline(__always)
    func lock() {
        let me = UInt(rx_thread_identity())
        guard home.load(ordering: .relaxed) == me else { return lockElsewhere(me) }
        // Acquiring: an earlier thread may have had the same identity.
        inside.store(inside.load(ordering: .acquiring) &+ 1, ordering: .relaxed)
        rx_compiler_fence()
        if _slowPath(home.load(ordering: .relaxed) != me) { lockAgain(me) }
    }

    @inlinable @inline(__always)
    func unlock() {
        let me = UInt(rx_thread_identity())
        guard home.load(ordering: .relaxed) == me else { return unlockElsewhere(me) }
        leave(me)
    }

    /// Runs `body` while the lock is held.
    @inlinable @inline(__always)
    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Takes the lock if that needs no waiting.
    func tryLock() -> Bool {
        let me = UInt(rx_thread_identity())
        if home.load(ordering: .relaxed) == me {
            lock()
            return true
        }
        guard others.tryLock() else { return false }
        let home = home.load(ordering: .relaxed)
        if home & 3 != 0 || home == 0 { return true }
        others.unlock()
        return false
    }

    // MARK: At home

    @inlinable @inline(__always)
    func leave(_ me: UInt) {
        // Releasing: the next one sees what this one wrote.
        inside.store(inside.load(ordering: .relaxed) &- 1, ordering: .releasing)
        rx_compiler_fence()
        if _slowPath(home.load(ordering: .relaxed) != me) { left(me) }
    }

    /// Another thread has come since this one saw that it is at home, and has entered.
    @usableFromInline @inline(never)
    func lockAgain(_ me: UInt) {
        // Within an earlier entry, which the other one waits for.
        if inside.load(ordering: .relaxed) > 1 { return }
        leave(me)
        lockElsewhere(me)
    }

    /// Lets the one that waits go on, if this was the last entry.
    @usableFromInline @inline(never)
    func left(_ me: UInt) {
        guard inside.load(ordering: .relaxed) == 0 else { return }
        // Releasing: as in `leave`.
        let isAwaited = home.compareExchange(
            expected: me | Self.leaving, desired: Self.shared, ordering: .releasing
        ).exchanged
        if isAwaited { rx_unpark(address) }
    }

    // MARK: Elsewhere

    @usableFromInline @inline(never)
    func lockElsewhere(_ me: UInt) {
        if home.load(ordering: .relaxed) == me | Self.leaving, inside.load(ordering: .relaxed) > 0 {
            return inside.store(inside.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        }
        others.lock()
        let home = home.load(ordering: .relaxed)
        if _fastPath(home == Self.shared) || others.depth.load(ordering: .relaxed) > 0 { return }
        if home & 3 == 0, home != 0 { end(home) } else { welcome(me) }
    }

    @usableFromInline @inline(never)
    func unlockElsewhere(_ me: UInt) {
        // A thread that is leaving is within an entry: its home is ended by one that holds `others`.
        if home.load(ordering: .relaxed) == me | Self.leaving { leave(me) } else { others.unlock() }
    }

    /// Counts how often the current thread has come in a row. The last of those times, the entry is one at home.
    private func welcome(_ me: UInt) {
        guard rx_home_after() > 0 else { return home.store(Self.shared, ordering: .relaxed) }
        let isSame = home.load(ordering: .relaxed) == me | Self.candidate
        let times = isSame ? inside.load(ordering: .relaxed) + 1 : 1
        guard times >= UInt(rx_home_after()) else {
            home.store(me | Self.candidate, ordering: .relaxed)
            return inside.store(times, ordering: .relaxed)
        }
        inside.store(1, ordering: .relaxed)
        home.store(me, ordering: .relaxed)
        // Releasing: who takes it next knows of the one at home.
        others.unlock()
    }

    /// Waits until the one at home has left, and makes everybody take `others` from now on.
    private func end(_ owner: UInt) {
        let leaving = owner | Self.leaving
        home.store(leaving, ordering: .relaxed)
        // The one at home has either entered before this, and is waited for; or it sees that it is at home no more.
        rx_fence_everywhere()
        // Acquiring, both: what it wrote.
        while inside.load(ordering: .acquiring) > 0 {
            if home.load(ordering: .acquiring) != leaving { return }
            rx_park(address, uintptr_t(leaving))
        }
        home.store(Self.shared, ordering: .relaxed)
    }

    /// Where `home` lives, for the parking lot.
    private var address: UnsafePointer<uintptr_t> {
        withUnsafePointer(to: home) { UnsafeRawPointer($0).assumingMemoryBound(to: uintptr_t.self) }
    }
}

/// When a thread is at home in a lock or in a subject.
package enum Home {
    /// Sets how many times in a row it has to come, for tests and races that want to be there soon. Returns what it
    /// was; where no thread is ever at home, nothing changes.
    @discardableResult
    package static func setTimes(_ times: UInt32) -> UInt32 { rx_set_home_after(times) }
}

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
