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
/// There are four, by number. If all are in use, because senders on four threads overlap like tiles on a roof, the open
/// one stays open, and what is taken away then waits for a few more senders than it has to.
@usableFromInline
struct SenderGenerations: ~Copyable {
    @usableFromInline
    struct Slot: ~Copyable {
        /// How many have left; once it is closed, less those that had entered.
        @usableFromInline let left = Atomic<Int>(0)
        /// The address of the list that its senders walk.
        @usableFromInline let list = Atomic<UInt>(0)
    }

    /// The number of the open generation, in two bits; above them how many have entered it.
    @usableFromInline let entered = Atomic<UInt>(0)
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

    /// One sender's time among the observers.
    @usableFromInline
    struct Visit {
        @usableFromInline let number: UInt
        @usableFromInline let view: ObserverView

        @inlinable @inline(__always)
        init(number: UInt, view: ObserverView) {
            self.number = number
            self.view = view
        }
    }

    /// Counts a sender, whose view is that of now.
    @inlinable @inline(__always)
    func enter() -> Visit {
        // Asked for before, so that the processor need not wait for the read-modify-write to know where the list is.
        let expected = entered.load(ordering: .relaxed) & (Self.one - 1)
        // Acquiring: what was taken away before is not seen. Releasing: pairs with `isQuiet`, which then sees this one.
        let before = entered.wrappingAdd(Self.one, ordering: .acquiringAndReleasing).oldValue
        return _fastPath(before & (Self.one - 1) == expected) ? visit(expected) : visitUnexpected(before)
    }

    @usableFromInline @inline(never)
    func visitUnexpected(_ word: UInt) -> Visit { visit(word & (Self.one - 1)) }

    /// As `enter()`, where all senders enter with the subject's lock held.
    @inlinable @inline(__always)
    func enterLocked() -> Visit {
        let before = entered.load(ordering: .relaxed)
        entered.store(before &+ Self.one, ordering: .relaxed)
        return visit(before & (Self.one - 1))
    }

    @inlinable static var one: UInt { 4 }

    @inlinable @inline(__always)
    func visit(_ number: UInt) -> Visit {
        // Acquiring, both: what lies in the list.
        let address = slot(number).pointee.list.load(ordering: .acquiring)
        let list = ObserverListAddress(raw: UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped)
        let count = list.count(number).pointee.load(ordering: .acquiring)
        return Visit(number: number, view: ObserverView(list: list, count: Int(count)))
    }

    /// Counts a sender out. Returns `true` to the last one of a closed generation.
    @inlinable @inline(__always)
    func leave(_ visit: Visit) -> Bool {
        // Releasing: what it has read is let go of after that. Acquiring: by the one that finds itself the last.
        slot(visit.number).pointee.left.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue == 0
    }

    // MARK: With the subject's lock held

    var open: UInt { entered.load(ordering: .relaxed) & (Self.one - 1) }

    /// Whether nobody is in the open generation; who enters it later sees what was done before this call.
    func isQuiet() -> Bool {
        // Who left is asked first: later, it might make up for one that entered meanwhile. Acquiring: what they did
        // comes before what follows here.
        let left = slot(open).pointee.left.load(ordering: .acquiring)
        // A read-modify-write, so that it has an order with those of senders: see `enter()`.
        return entered.wrappingAdd(0, ordering: .acquiringAndReleasing).newValue >> 2 == UInt(left)
    }

    /// Closes the open generation and opens `number`. Returns whether nobody is left in the one that was closed; else
    /// the last one to leave it will be told.
    func close(opening number: UInt) -> Bool {
        // Releasing: the list of the generation that is opened.
        let before = entered.exchange(number, ordering: .acquiringAndReleasing)
        return slot(before & (Self.one - 1)).pointee.left
            .wrappingSubtract(Int(before >> 2), ordering: .acquiringAndReleasing).newValue == 0
    }
}
