import CRx
import Synchronization

/// Tracks the senders that are delivering an event, by the epoch in which they began. Determines when no sender
/// can see a removed object any more.
///
/// ```text
/// open ──an object that its senders may see is removed──▶ closed ──its last sender leaves──▶ drained, and reused
/// ```
///
/// A sender enters the open epoch, and later leaves that same epoch. Entering and leaving take one
/// read-modify-write each, so a sender never waits. It reads the list of its epoch. That list does not change
/// after the epoch is closed, even if the sender reads it late. So the sender does not see objects that are added
/// after that, and no object is kept for a sender that cannot see it.
///
/// A thread that sends repeatedly becomes the bias owner, as in `BiasedLock`. Its entries are counted with plain
/// stores, separately from the entries of other senders, until another thread removes an object.
///
/// There are four slots for epochs, identified by number. All slots are in use when senders on four threads
/// overlap like the tiles of a roof. In that case the open epoch stays open, and a removed object is kept for a
/// few more senders than necessary.
@usableFromInline
struct SenderEpochs: ~Copyable {
    @usableFromInline
    struct Slot: ~Copyable {
        /// The number of senders that have left. After the epoch is closed, minus the number of senders that
        /// entered. Modulo 2³².
        @usableFromInline let left = Atomic<UInt32>(0)
        /// The number of visits of the bias owner that have not ended. Only that thread writes it.
        @usableFromInline let inside = Atomic<UInt32>(0)
        /// The address of the list that the epoch's senders walk.
        @usableFromInline let list = Atomic<UInt>(0)
    }

    /// The low two bits are the slot number of the open epoch. The other bits are the number of senders that
    /// entered it.
    @usableFromInline let entered = Atomic<UInt>(0)
    /// The identity of the bias owner, a multiple of 8, plus the slot number of the open epoch in the low two
    /// bits. With the bit `candidate`, the identity of a candidate instead. `candidate` without an identity means that
    /// the bias was revoked. 0 means that no thread has been considered yet.
    @usableFromInline let owner = Atomic<UInt>(0)
    @usableFromInline let first = Slot()
    private let second = Slot()
    private let third = Slot()
    private let fourth = Slot()

    static var count: UInt { 4 }

    init() {}

    @inlinable @inline(__always)
    func slot(_ number: UInt) -> UnsafePointer<Slot> {
        // Unprotected: the four slots are adjacent in memory.
        _withUnprotectedUnsafePointer(to: first) { $0 + Int(number) }
    }

    @inlinable static var one: UInt { 4 }

    /// The visit of one sender, from its entry until it leaves.
    @usableFromInline
    struct Visit {
        /// The slot number of the epoch. For the bias owner, plus the thread's identity.
        @usableFromInline let word: UInt
        @usableFromInline let view: ObserverView

        @inlinable @inline(__always)
        init(word: UInt, view: ObserverView) {
            self.word = word
            self.view = view
        }

        @inlinable var number: UInt { word & (SenderEpochs.one - 1) }
    }

    /// Returns the visit of a sender that has been counted.
    @inlinable @inline(__always)
    func visit(_ word: UInt) -> Visit {
        let number = word & (Self.one - 1)
        // Both acquiring: see the contents of the list.
        let address = slot(number).pointee.list.load(ordering: .acquiring)
        let list = ObserverListAddress(raw: UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped)
        let count = list.count(number).pointee.load(ordering: .acquiring)
        return Visit(word: word, view: ObserverView(list: list, count: Int(count)))
    }

    /// Whether the current thread is the bias owner.
    @inlinable @inline(__always)
    func isOwn(_ owner: UInt) -> Bool { owner ^ UInt(rx_thread_identity()) < Self.one }

    /// Counts an entry of the bias owner, which is the current thread.
    @inlinable @inline(__always)
    func enterAsOwner(_ owner: UInt) {
        let slot = slot(owner & (Self.one - 1))
        // Acquiring: an earlier thread may have had the same identity.
        slot.pointee.inside.store(slot.pointee.inside.load(ordering: .acquiring) &+ 1, ordering: .relaxed)
        rx_compiler_fence()
    }

    /// Whether `owner` is unchanged since `enterAsOwner(_:)`. If it is, objects that the visit may see and that are
    /// removed later are kept until the visit ends.
    @inlinable @inline(__always)
    func isStill(_ owner: UInt) -> Bool { self.owner.load(ordering: .relaxed) == owner }

    /// Counts the bias owner out. Returns `true` if its epoch may have drained as a result.
    @inlinable @inline(__always)
    func leaveAsOwner(_ word: UInt) -> Bool {
        let slot = slot(word & (Self.one - 1))
        // Releasing: objects that this visit has read are released only after this store.
        slot.pointee.inside.store(slot.pointee.inside.load(ordering: .relaxed) &- 1, ordering: .releasing)
        rx_compiler_fence()
        return !isStill(word)
    }

    /// Counts a sender by a read-modify-write.
    func enter() -> Visit {
        // Acquiring: this sender does not see objects that were removed before. Releasing: pairs with `isQuiet()`,
        // which then sees this sender.
        visit(entered.wrappingAdd(Self.one, ordering: .acquiringAndReleasing).oldValue & (Self.one - 1))
    }

    /// Does the same as `enter()`, for subjects whose senders all enter with the subject's lock held.
    func enterLocked() -> Visit {
        let before = entered.load(ordering: .relaxed)
        entered.store(before &+ Self.one, ordering: .relaxed)
        return visit(before & (Self.one - 1))
    }

    /// Counts a sender out. Returns `true` if its epoch may have drained as a result.
    @inlinable @inline(__always)
    func leave(_ visit: Visit) -> Bool {
        if _fastPath(visit.word >= Self.one) { return leaveAsOwner(visit.word) }
        // Releasing: same reason as in `leaveAsOwner(_:)`. Acquiring: needed by the sender that leaves last.
        return slot(visit.word).pointee.left.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == 0
    }

    // MARK: With the subject's lock held

    var open: UInt { entered.load(ordering: .relaxed) & (Self.one - 1) }

    /// Returns whether the open epoch has no senders. A sender that enters it later sees the changes that were
    /// made before this call.
    func isQuiet() -> Bool {
        revokeForeignBias()
        let slot = slot(open)
        // The number of senders that left is read first. If it were read after `entered`, it could include a sender
        // that entered between the two reads, and so hide another sender that is still inside. Acquiring: the work of
        // the senders that left happens before the code that follows.
        let left = slot.pointee.left.load(ordering: .acquiring)
        guard slot.pointee.inside.load(ordering: .acquiring) == 0 else { return false }
        // A read-modify-write, so that it is ordered with the read-modify-writes of senders: see `enter()`.
        let word = entered.wrappingAdd(0, ordering: .acquiringAndReleasing).newValue
        return UInt32(truncatingIfNeeded: word >> 2) == left
    }

    /// Closes the open epoch and opens an epoch in slot `number`. Returns whether the closed epoch has no
    /// senders. If it has senders, the call by which the last one leaves returns `true`.
    func close(opening number: UInt) -> Bool {
        revokeForeignBias()
        // Releasing: publishes the list of the epoch that is opened.
        let before = entered.exchange(number, ordering: .acquiringAndReleasing)
        let owner = owner.load(ordering: .relaxed)
        if owner & Self.candidate == 0, owner != 0 {
            self.owner.store(owner & ~(Self.one - 1) | number, ordering: .relaxed)
        }
        let slot = slot(before & (Self.one - 1))
        let entered = UInt32(truncatingIfNeeded: before >> 2)
        let left = slot.pointee.left.wrappingSubtract(entered, ordering: .acquiringAndReleasing).newValue
        return left == 0 && slot.pointee.inside.load(ordering: .acquiring) == 0
    }

    /// Whether a closed epoch has no senders left.
    func isDrained(_ number: UInt) -> Bool {
        // Both acquiring: see the work of the senders that left.
        let slot = slot(number)
        return slot.pointee.left.load(ordering: .acquiring) == 0 && slot.pointee.inside.load(ordering: .acquiring) == 0
    }

    // MARK: Bias owner

    private static var candidate: UInt { 4 }

    /// Whether to consider the current thread as the bias owner. This is true now and then, until a thread is the
    /// bias owner for the first time.
    var isToConsider: Bool {
        let times = UInt(rx_bias_after())
        guard times > 0, wasNeverBiased(owner.load(ordering: .relaxed)) else { return false }
        return (entered.load(ordering: .relaxed) >> 2) % times == 0
    }

    private func wasNeverBiased(_ owner: UInt) -> Bool {
        owner == 0 || owner > Self.candidate && owner & Self.candidate != 0
    }

    /// Makes the current thread the bias owner if it was also the last thread that was considered. Otherwise makes it
    /// the candidate. Call it with the lock held.
    func consider() {
        let me = UInt(rx_thread_identity())
        let owner = owner.load(ordering: .relaxed)
        guard wasNeverBiased(owner) else { return }
        self.owner.store(me | (owner == me | Self.candidate ? open : Self.candidate), ordering: .relaxed)
    }

    /// Revokes the bias if its owner is another thread. After that, all senders are counted by read-modify-writes.
    private func revokeForeignBias() {
        let owner = owner.load(ordering: .relaxed)
        guard owner & Self.candidate == 0, owner != 0, !isOwn(owner) else { return }
        self.owner.store(Self.candidate, ordering: .relaxed)
        // Either the bias owner has counted its entry before this fence, or it sees that its bias is revoked.
        rx_fence_everywhere()
    }
}

/// The objects that were removed from a subject's list while senders might see them. They are kept until those senders
/// have left. Guarded by the subject's lock.
///
/// Each object has the number of the epoch in which it was added to the list. It is kept with the newest
/// epoch that may see it, then with the next older one, and so on. Epochs can end in any order, because
/// events nest and overlap.
struct RetiredObservers {
    struct Item {
        let object: AnyObject
        let birth: UInt32
    }

    private struct ClosedEpoch {
        let slot: UInt
        let epoch: UInt32
        var items: [Item]
    }

    /// The number of the open epoch, counted from 0. When it reaches `most`, the epochs are renumbered.
    private(set) var epoch: UInt32 = 0
    private static let most: UInt32 = 1 << 16
    /// The epoch in which the current list was published.
    var listBirth: UInt32 = 0
    /// The epochs that were closed and have not drained, from old to new.
    private var closed: [ClosedEpoch] = [] {
        didSet { newestClosed = closed.last?.epoch }
    }
    /// The number of the newest closed epoch. Stored separately, because each disposal reads it.
    private(set) var newestClosed: UInt32?
    /// The objects that the open epoch may see, while there is no free slot for another epoch.
    private var seenByOpen: [Item] = []
    /// The objects that no sender sees any more.
    private var released: [Item] = []
    /// Whether there are released objects. Stored separately, for the same reason as `newestClosed`.
    private var hasReleased = false

    /// Returns the objects that no sender sees any more. The caller releases them outside the lock.
    @inline(__always)
    mutating func takeReleased() -> [Item]? {
        if _fastPath(!hasReleased) { return nil }
        hasReleased = false
        defer { released = [] }
        return released
    }

    private mutating func release(_ item: Item) {
        released.append(item)
        hasReleased = true
    }

    /// Keeps an object that was removed from the list until no sender sees it.
    ///
    /// - Parameters:
    ///   - birth: the epoch in which the object was added to the list.
    ///   - newest: the newest epoch that has senders, determined after the removal.
    ///   - list: the list that the senders of a new epoch walk.
    mutating func retire(
        _ object: AnyObject, birth: UInt32, seen newest: UInt32?, by epochs: borrowing SenderEpochs,
        list: ObserverListAddress, count: Int
    ) {
        let item = Item(object: object, birth: birth)
        guard let newest, newest >= birth else { return release(item) }
        if newest < epoch {
            closed[closed.count - 1].items.append(item)
        } else {
            seenByOpen.append(item)
            openAnother(of: epochs, list: list, count: count)
        }
    }

    /// Call this after a sender has left the epoch in `slot`. If the epoch is closed and has no senders left,
    /// each of its objects moves to the next older epoch if that may see the object, or is released.
    mutating func drained(
        _ slot: UInt, of epochs: borrowing SenderEpochs, list: ObserverListAddress, count: Int
    ) {
        guard let index = closed.firstIndex(where: { $0.slot == slot }), epochs.isDrained(slot) else { return }
        for item in closed.remove(at: index).items {
            if index > 0, closed[index - 1].epoch >= item.birth {
                closed[index - 1].items.append(item)
            } else {
                release(item)
            }
        }
        if !seenByOpen.isEmpty { openAnother(of: epochs, list: list, count: count) }
    }

    /// Closes the open epoch together with the objects that it may see, if there is a free slot for another
    /// epoch.
    private mutating func openAnother(
        of epochs: borrowing SenderEpochs, list: ObserverListAddress, count: Int
    ) {
        let open = epochs.open
        let slots = 0..<SenderEpochs.count
        guard let slot = slots.first(where: { slot in slot != open && !closed.contains { $0.slot == slot } }) else {
            return
        }
        list.count(slot).pointee.store(UInt32(count), ordering: .relaxed)
        epochs.slot(slot).pointee.left.store(0, ordering: .relaxed)
        epochs.slot(slot).pointee.list.store(UInt(bitPattern: list.raw), ordering: .relaxed)
        closed.append(ClosedEpoch(slot: open, epoch: epoch, items: seenByOpen))
        seenByOpen = []
        epoch += 1
        if epoch == Self.most { countAnew(list: list, count: count) }
        if epochs.close(opening: slot) { drained(open, of: epochs, list: list, count: count) }
    }

    /// Renumbers the epochs that have not drained from 0, and sets all births to 0. After that, every object
    /// counts as visible to these epochs. It may be kept for more senders than necessary, but never for fewer.
    private mutating func countAnew(list: ObserverListAddress, count: Int) {
        for index in 0..<count { list.entry(index).pointee.birth = 0 }
        listBirth = 0
        func old(_ item: Item) -> Item { Item(object: item.object, birth: 0) }
        closed = closed.enumerated().map { number, one in
            ClosedEpoch(slot: one.slot, epoch: UInt32(number), items: one.items.map(old))
        }
        epoch = UInt32(closed.count)
    }
}
