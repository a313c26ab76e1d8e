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
