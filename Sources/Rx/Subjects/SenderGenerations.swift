import CRx
import Synchronization

/// Which senders are under way, by the generation in which they began: says when that which was taken off a list is
/// seen by nobody any more.
///
/// ```text
/// open ──something is taken away that its senders may see──▶ closed ──its last sender leaves──▶ drained, and reused
/// ```
///
/// A sender enters the open generation and leaves that one again: a read-modify-write each, so that it never waits for
/// anybody. It reads the list of its generation, which stays as it was when the generation was closed, however late
/// it looks. So what was added after that is not seen by it, and nothing waits for a sender that cannot see it.
///
/// A thread that sends again and again is at home, as in `HomeLock`: it is counted by plain stores, apart from the
/// others, until another thread takes something away.
///
/// There are four, by number. If all are in use, because senders on four threads overlap like tiles on a roof, the open
/// one stays open, and what is taken away then waits for a few more senders than it has to.
@usableFromInline
struct SenderGenerations: ~Copyable {
    @usableFromInline
    struct Slot: ~Copyable {
        /// How many have left; once it is closed, less those that had entered. Modulo 2³².
        @usableFromInline let left = Atomic<UInt32>(0)
        /// How many visits of the thread at home are under way. Only that thread writes it.
        @usableFromInline let inside = Atomic<UInt32>(0)
        /// The address of the list that its senders walk.
        @usableFromInline let list = Atomic<UInt>(0)
    }

    /// The number of the open generation, in two bits; above them how many have entered it.
    @usableFromInline let entered = Atomic<UInt>(0)
    /// The identity of the thread at home, a multiple of 8, and in two bits the number of the open generation; with
    /// `candidate`, that of one that has been seen, and without an identity the end of all that.
    @usableFromInline let home = Atomic<UInt>(0)
    @usableFromInline let first = Slot()
    private let second = Slot()
    private let third = Slot()
    private let fourth = Slot()

    static var count: UInt { 4 }

    init() {}

    @inlinable @inline(__always)
    func slot(_ number: UInt) -> UnsafePointer<Slot> {
        // Unprotected: all four lie one after the other.
        _withUnprotectedUnsafePointer(to: first) { $0 + Int(number) }
    }

    @inlinable static var one: UInt { 4 }

    /// One sender's time among the observers.
    @usableFromInline
    struct Visit {
        /// The number of its generation; at home with the thread's identity.
        @usableFromInline let word: UInt
        @usableFromInline let view: ObserverView

        @inlinable @inline(__always)
        init(word: UInt, view: ObserverView) {
            self.word = word
            self.view = view
        }

        @inlinable var number: UInt { word & (SenderGenerations.one - 1) }
    }

    /// Takes the view of a sender that is counted.
    @inlinable @inline(__always)
    func visit(_ word: UInt) -> Visit {
        let number = word & (Self.one - 1)
        // Acquiring, both: what lies in the list.
        let address = slot(number).pointee.list.load(ordering: .acquiring)
        let list = ObserverListAddress(raw: UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped)
        let count = list.count(number).pointee.load(ordering: .acquiring)
        return Visit(word: word, view: ObserverView(list: list, count: Int(count)))
    }

    /// Whether the current thread is at home.
    @inlinable @inline(__always)
    func isOwn(_ home: UInt) -> Bool { home ^ UInt(rx_thread_identity()) < Self.one }

    /// Counts the current thread in at home.
    @inlinable @inline(__always)
    func enterHome(_ home: UInt) {
        let slot = slot(home & (Self.one - 1))
        // Acquiring: an earlier thread may have had the same identity.
        slot.pointee.inside.store(slot.pointee.inside.load(ordering: .acquiring) &+ 1, ordering: .relaxed)
        rx_compiler_fence()
    }

    /// Whether nothing has happened since `enterHome(_:)`: then nothing is taken away any more that the visit may see.
    @inlinable @inline(__always)
    func isStill(_ home: UInt) -> Bool { self.home.load(ordering: .relaxed) == home }

    /// Counts the current thread out at home. Returns `true` if its generation may have drained with that.
    @inlinable @inline(__always)
    func leaveHome(_ word: UInt) -> Bool {
        let slot = slot(word & (Self.one - 1))
        // Releasing: what it has read is let go of after that.
        slot.pointee.inside.store(slot.pointee.inside.load(ordering: .relaxed) &- 1, ordering: .releasing)
        rx_compiler_fence()
        return !isStill(word)
    }

    /// Counts a sender by a read-modify-write.
    func enter() -> Visit {
        // Acquiring: what was taken away before is not seen. Releasing: pairs with `isQuiet`, which then sees this one.
        visit(entered.wrappingAdd(Self.one, ordering: .acquiringAndReleasing).oldValue & (Self.one - 1))
    }

    /// As `enter()`, where all senders enter with the subject's lock held.
    func enterLocked() -> Visit {
        let before = entered.load(ordering: .relaxed)
        entered.store(before &+ Self.one, ordering: .relaxed)
        return visit(before & (Self.one - 1))
    }

    /// Counts a sender out. Returns `true` if its generation may have drained with that.
    @inlinable @inline(__always)
    func leave(_ visit: Visit) -> Bool {
        if _fastPath(visit.word >= Self.one) { return leaveHome(visit.word) }
        // Releasing: as at home. Acquiring: by the one that finds itself the last.
        return slot(visit.word).pointee.left.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == 0
    }

    // MARK: With the subject's lock held

    var open: UInt { entered.load(ordering: .relaxed) & (Self.one - 1) }

    /// Whether nobody is in the open generation; who enters it later sees what was done before this call.
    func isQuiet() -> Bool {
        endForeignHome()
        let slot = slot(open)
        // The count of those that left is read first: later, it might make up for one that entered meanwhile.
        // Acquiring: what they did comes before what follows here.
        let left = slot.pointee.left.load(ordering: .acquiring)
        guard slot.pointee.inside.load(ordering: .acquiring) == 0 else { return false }
        // A read-modify-write, so that it has an order with those of senders: see `enter()`.
        let word = entered.wrappingAdd(0, ordering: .acquiringAndReleasing).newValue
        return UInt32(truncatingIfNeeded: word >> 2) == left
    }

    /// Closes the open generation and opens `number`. Returns whether nobody is left in the one that was closed; else
    /// the last one to leave it will be told.
    func close(opening number: UInt) -> Bool {
        endForeignHome()
        // Releasing: the list of the generation that is opened.
        let before = entered.exchange(number, ordering: .acquiringAndReleasing)
        let home = home.load(ordering: .relaxed)
        if home & Self.candidate == 0, home != 0 {
            self.home.store(home & ~(Self.one - 1) | number, ordering: .relaxed)
        }
        let slot = slot(before & (Self.one - 1))
        let entered = UInt32(truncatingIfNeeded: before >> 2)
        let left = slot.pointee.left.wrappingSubtract(entered, ordering: .acquiringAndReleasing).newValue
        return left == 0 && slot.pointee.inside.load(ordering: .acquiring) == 0
    }

    /// Whether nobody is left in a generation that is closed.
    func isDrained(_ number: UInt) -> Bool {
        // Acquiring, both: what they did.
        let slot = slot(number)
        return slot.pointee.left.load(ordering: .acquiring) == 0 && slot.pointee.inside.load(ordering: .acquiring) == 0
    }

    // MARK: Home

    private static var candidate: UInt { 4 }

    /// Whether the current thread is to be considered as the one at home: where there was none yet, now and then.
    var isToConsider: Bool {
        let times = UInt(rx_home_after())
        guard times > 0, hasHadNone(home.load(ordering: .relaxed)) else { return false }
        return (entered.load(ordering: .relaxed) >> 2) % times == 0
    }

    private func hasHadNone(_ home: UInt) -> Bool { home == 0 || home > Self.candidate && home & Self.candidate != 0 }

    /// Takes the current thread for the one at home if it was considered the last time too. With the lock held.
    func consider() {
        let me = UInt(rx_thread_identity())
        let home = home.load(ordering: .relaxed)
        guard hasHadNone(home) else { return }
        self.home.store(me | (home == me | Self.candidate ? open : Self.candidate), ordering: .relaxed)
    }

    /// Has all senders counted by read-modify-writes, if another thread than the current one is at home.
    private func endForeignHome() {
        let home = home.load(ordering: .relaxed)
        guard home & Self.candidate == 0, home != 0, !isOwn(home) else { return }
        self.home.store(Self.candidate, ordering: .relaxed)
        // The one at home has either been counted before this, or it sees that it is at home no more.
        rx_fence_everywhere()
    }
}

/// Entries that were taken off a subject's list while senders might see them, until these have left. Guarded by the
/// subject's lock.
///
/// Each thing knows the generation in which it came on the list; it waits with the newest generation that may see it,
/// then with the next older one, and so on: generations end in any order, as events nest and overlap.
struct RetiredObservers {
    struct Item {
        let object: AnyObject
        let birth: UInt32
    }

    private struct ClosedGeneration {
        let slot: UInt
        let generation: UInt32
        var items: [Item]
    }

    /// The generation that is open, counted from 0 up to `most`: then they are counted anew.
    private(set) var generation: UInt32 = 0
    private static let most: UInt32 = 1 << 16
    /// The generation in which the list was published.
    var listBirth: UInt32 = 0
    /// Those that were closed and have not drained, from old to new.
    private var closed: [ClosedGeneration] = [] {
        didSet { newestClosed = closed.last?.generation }
    }
    /// Apart from them, as it is asked for at each disposal.
    private(set) var newestClosed: UInt32?
    /// The entries that the open generation may see, while there is no slot for another one.
    private var seenByOpen: [Item] = []
    /// The entries that no sender sees any more.
    private var released: [Item] = []
    /// Apart from them, as `newestClosed`.
    private var hasReleased = false

    /// Returns what is seen no more, to be let go of outside the lock.
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

    /// Keeps an object that was taken off the list until no sender sees it.
    ///
    /// - Parameters:
    ///   - birth: the generation in which it came on the list.
    ///   - newest: the newest generation that has senders, asked for after it was taken off.
    ///   - list: what the senders of a new generation walk.
    mutating func retire(
        _ object: AnyObject, birth: UInt32, seen newest: UInt32?, by generations: borrowing SenderGenerations,
        list: ObserverListAddress, count: Int
    ) {
        let item = Item(object: object, birth: birth)
        guard let newest, newest >= birth else { return release(item) }
        if newest < generation {
            closed[closed.count - 1].items.append(item)
        } else {
            seenByOpen.append(item)
            openAnother(of: generations, list: list, count: count)
        }
    }

    /// Some sender of a generation has left that is closed, if it was the last one.
    mutating func drained(
        _ slot: UInt, of generations: borrowing SenderGenerations, list: ObserverListAddress, count: Int
    ) {
        guard let index = closed.firstIndex(where: { $0.slot == slot }), generations.isDrained(slot) else { return }
        for item in closed.remove(at: index).items {
            if index > 0, closed[index - 1].generation >= item.birth {
                closed[index - 1].items.append(item)
            } else {
                release(item)
            }
        }
        if !seenByOpen.isEmpty { openAnother(of: generations, list: list, count: count) }
    }

    /// Closes the open generation, with what it may see, if there is a slot for another one.
    private mutating func openAnother(
        of generations: borrowing SenderGenerations, list: ObserverListAddress, count: Int
    ) {
        let open = generations.open
        let slots = 0..<SenderGenerations.count
        guard let slot = slots.first(where: { slot in slot != open && !closed.contains { $0.slot == slot } }) else {
            return
        }
        list.count(slot).pointee.store(UInt32(count), ordering: .relaxed)
        generations.slot(slot).pointee.left.store(0, ordering: .relaxed)
        generations.slot(slot).pointee.list.store(UInt(bitPattern: list.raw), ordering: .relaxed)
        closed.append(ClosedGeneration(slot: open, generation: generation, items: seenByOpen))
        seenByOpen = []
        generation += 1
        if generation == Self.most { countAnew(list: list, count: count) }
        if generations.close(opening: slot) { drained(open, of: generations, list: list, count: count) }
    }

    /// Gives the generations that have not drained the first numbers. All that there is came before them, as far as is
    /// known from then on: it may be kept for a sender more than it has to be, but for none less.
    private mutating func countAnew(list: ObserverListAddress, count: Int) {
        for index in 0..<count { list.entry(index).pointee.birth = 0 }
        listBirth = 0
        func old(_ item: Item) -> Item { Item(object: item.object, birth: 0) }
        closed = closed.enumerated().map { number, one in
            ClosedGeneration(slot: one.slot, generation: UInt32(number), items: one.items.map(old))
        }
        generation = UInt32(closed.count)
    }
}
