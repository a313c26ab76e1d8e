import CRx
import Synchronization

/// A recursive, biased lock. It costs plain loads and stores on its bias owner, and the same as an `OwnerLock` on other
/// threads.
///
/// A thread that takes the lock several times in a row, without another thread in between, becomes the bias owner and
/// counts its entries with plain stores. The first other thread that takes the lock revokes the bias permanently. It
/// uses a fence in all threads (`rx_fence_everywhere`), and waits until the bias owner has left. This is biased
/// locking; the fence is described in Dice, Huang and Yang, "Asymmetric Dekker Synchronization" (2001).
///
/// ```text
///              ┌──another thread takes the lock──┐
///              ▼                                 │
/// no owner ──▶ candidate ────────────────────────┘
///                └──takes it repeatedly──▶ biased ──another thread takes it──▶ leaving ──has left──▶ shared
/// ```
@usableFromInline
struct BiasedLock: ~Copyable, Sendable {
    /// The lock for all threads except the bias owner. The thread that revokes the bias holds it.
    private let others = OwnerLock()
    /// 0 if no thread owns the bias. Otherwise a thread identity, which is a multiple of 4, plus that thread's state.
    @usableFromInline let owner = Atomic<UInt>(0)
    /// The number of entries of the bias owner, which alone writes it, or the number of a candidate's consecutive
    /// entries.
    @usableFromInline let inside = Atomic<UInt>(0)

    private static var shared: UInt { 1 }
    private static var leaving: UInt { 2 }
    private static var candidate: UInt { 3 }

    @usableFromInline init() {}

    @inlinable @inline(__always)
    func lock() {
        let me = UInt(rx_thread_identity())
        guard owner.load(ordering: .relaxed) == me else { return lockElsewhere(me) }
        // Acquiring: an earlier thread may have had the same identity.
        inside.store(inside.load(ordering: .acquiring) &+ 1, ordering: .relaxed)
        rx_compiler_fence()
        if _slowPath(owner.load(ordering: .relaxed) != me) { lockAgain(me) }
    }

    @inlinable @inline(__always)
    func unlock() {
        let me = UInt(rx_thread_identity())
        guard owner.load(ordering: .relaxed) == me else { return unlockElsewhere(me) }
        leave(me)
    }

    /// Runs `body` while the lock is held.
    @inlinable @inline(__always)
    func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    /// Takes the lock if that requires no waiting.
    func tryLock() -> Bool {
        let me = UInt(rx_thread_identity())
        if owner.load(ordering: .relaxed) == me {
            lock()
            return true
        }
        guard others.tryLock() else { return false }
        let owner = owner.load(ordering: .relaxed)
        if owner & 3 != 0 || owner == 0 { return true }
        others.unlock()
        return false
    }

    // MARK: The bias owner

    @inlinable @inline(__always)
    func leave(_ me: UInt) {
        // Releasing: the next holder sees the writes of this thread.
        inside.store(inside.load(ordering: .relaxed) &- 1, ordering: .releasing)
        rx_compiler_fence()
        if _slowPath(owner.load(ordering: .relaxed) != me) { left(me) }
    }

    /// Called after this thread entered as the bias owner and found that another thread is revoking the bias.
    @usableFromInline @inline(never)
    func lockAgain(_ me: UInt) {
        // This entry is nested in an earlier one, and the other thread waits for that.
        if inside.load(ordering: .relaxed) > 1 { return }
        leave(me)
        lockElsewhere(me)
    }

    /// Wakes the waiting thread if this was the last entry.
    @usableFromInline @inline(never)
    func left(_ me: UInt) {
        guard inside.load(ordering: .relaxed) == 0 else { return }
        // Releasing: same reason as in `leave`.
        let isAwaited = owner.compareExchange(
            expected: me | Self.leaving, desired: Self.shared, ordering: .releasing
        ).exchanged
        if isAwaited { rx_unpark(address) }
    }

    // MARK: Other threads

    @usableFromInline @inline(never)
    func lockElsewhere(_ me: UInt) {
        if owner.load(ordering: .relaxed) == me | Self.leaving, inside.load(ordering: .relaxed) > 0 {
            return inside.store(inside.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
        }
        others.lock()
        let owner = owner.load(ordering: .relaxed)
        if _fastPath(owner == Self.shared) || others.depth.load(ordering: .relaxed) > 0 { return }
        if owner & 3 == 0, owner != 0 { revoke(from: owner) } else { welcome(me) }
    }

    @usableFromInline @inline(never)
    func unlockElsewhere(_ me: UInt) {
        // A leaving bias owner is still inside an entry. The thread that revokes its bias holds `others`.
        if owner.load(ordering: .relaxed) == me | Self.leaving { leave(me) } else { others.unlock() }
    }

    /// Counts the current thread's consecutive entries. When the limit is reached, this entry makes the thread the bias
    /// owner.
    private func welcome(_ me: UInt) {
        guard rx_bias_after() > 0 else { return owner.store(Self.shared, ordering: .relaxed) }
        let isSame = owner.load(ordering: .relaxed) == me | Self.candidate
        let times = isSame ? inside.load(ordering: .relaxed) + 1 : 1
        guard times >= UInt(rx_bias_after()) else {
            owner.store(me | Self.candidate, ordering: .relaxed)
            return inside.store(times, ordering: .relaxed)
        }
        inside.store(1, ordering: .relaxed)
        owner.store(me, ordering: .relaxed)
        // Releasing: the next thread that takes `others` sees the bias owner.
        others.unlock()
    }

    /// Revokes the bias: waits until the bias owner has left, and then makes all threads take `others`.
    private func revoke(from former: UInt) {
        let leaving = former | Self.leaving
        owner.store(leaving, ordering: .relaxed)
        // Either the bias owner has entered before this fence, and we wait for it, or it sees that its bias is revoked.
        rx_fence_everywhere()
        // Both acquiring: see the bias owner's writes.
        while inside.load(ordering: .acquiring) > 0 {
            if owner.load(ordering: .acquiring) != leaving { return }
            rx_park(address, uintptr_t(leaving))
        }
        owner.store(Self.shared, ordering: .relaxed)
    }

    /// The address of `owner`, for the parking lot.
    private var address: UnsafePointer<uintptr_t> {
        withUnsafePointer(to: owner) { UnsafeRawPointer($0).assumingMemoryBound(to: uintptr_t.self) }
    }
}

/// The setting for when a thread becomes the bias owner of a lock or a subject.
package enum Bias {
    /// Sets the number of consecutive entries that make a thread the bias owner. For tests and races that need a bias
    /// early. Returns the previous number. Has no effect on systems without biased locking.
    @discardableResult
    package static func setTimes(_ times: UInt32) -> UInt32 { rx_set_bias_after(times) }
}
