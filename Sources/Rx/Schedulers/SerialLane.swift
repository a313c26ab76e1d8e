import CRx
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#endif

/// Submits scheduled work to a serial dispatch queue. Each turn of the queue runs many items, in the order in which
/// they were pushed.
///
/// A producer replaces the newest item with one exchange, and then links its item after the previous one. The first
/// producer requests a turn. If a turn reaches an item whose successor is not linked yet, it records that and ends. The
/// producer that links the successor then requests the next turn.
///
/// ```text
/// newest: idle ──push──▶ item ──push──▶ item … ──a turn has run the newest──▶ idle
///
/// next of an item: none ──the next producer links its item──▶ linked
///                    │
///            a turn has run the item, which is not the newest
///                    ▼
///                 awaited ──the next producer links its item and requests a turn──▶ linked
/// ```
///
/// For queues that no other code can reach. Work that other code submits between two items would run before the first
/// or after the second.
///
/// Items that have run are returned to producers in batches. Memory that one thread allocates and another thread frees
/// takes longer than the rest of a small piece.
// @unchecked: only turns access `spares` and `unfinished`. Turns do not overlap, because the queue is serial.
final class SerialLane: @unchecked Sendable {
    /// The maximum number of items that a turn runs.
    static let mostItems = 128
    /// The time after which a turn starts no further item, in nanoseconds.
    static let longestTurn: UInt64 = 200_000

    /// The number of items that are returned to producers at a time, and the maximum number that the turns keep in
    /// addition.
    private static let spareItems = 1024

    /// The newest item of a lane without items.
    private static var idle: ItemLink { .none }

    private enum Next {
        static var none: ItemLink { .none }
        static var awaited: ItemLink { .marker }
    }

    private enum Stock {
        static var empty: ItemLink { .none }
        static var busy: ItemLink { .marker }
    }

    private let queue: DispatchQueue
    /// The newest item, or `idle`. Each item on the lane is retained once.
    private let newest = Atomic<ItemLink>(idle)
    /// Between turns, the first item of the next turn.
    private let ready = Atomic<ItemLink>(.none)
    /// The first item that producers may reuse, or `empty`, or `busy` while a producer takes an item.
    private let stock = Atomic<ItemLink>(Stock.empty)
    /// Items that are not in the stock yet.
    @exclusivity(unchecked) private var spares = SpareItems()
    /// The run of the current item, if it has to continue. Accessed only by turns.
    @exclusivity(unchecked) private var unfinished: QueuedCoordinator?
    /// The closure of a turn. Stored, because each closure that is passed to the queue would be copied into a separate
    /// block.
    @exclusivity(unchecked) private var turn: @Sendable @convention(block) () -> Void = {}
    #if canImport(Darwin)
        /// The quality of service of the thread that requested the turn.
        private let quality = Atomic<UInt32>(0)
    #endif

    init(queue: DispatchQueue) {
        self.queue = queue
        // The block, which the lane stores, does not retain the lane. Each requested turn retains it instead.
        let lane = Unmanaged.passUnretained(self)
        turn = { lane.takeRetainedValue().takeTurn() }
    }

    deinit {
        spares.removeAll()
        var rest = SpareItems(first: stock.load(ordering: .acquiring))
        rest.removeAll()
    }

    /// Accepts a piece of work. You can call it from any thread.
    func schedule<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
        let item = makeItem(state, action: action)
        item.countAsPending()
        push(item)
        return item
    }

    /// Returns whether nothing was pushed after `item`, which has not ended. Returns `false` for `none`.
    @inline(__always)
    func isNewest(_ item: ItemLink) -> Bool {
        // Relaxed: this thread sees every push that it knows of.
        item != .none && newest.load(ordering: .relaxed) == item
    }

    /// Makes the running item continue with `run`, in this turn or in the next one, before the items that were pushed
    /// after it.
    func goOn(with run: QueuedCoordinator) { unfinished = run }

    /// Creates an item. Reuses an item that has run if there is one and no other producer is taking it.
    @inline(__always)
    func makeItem<State>(_ state: State, action: @escaping (State) -> any Disposable) -> ScheduledItem {
        let item = takeSpare() ?? ScheduledItem()
        item.takeWork(state, action: action)
        return item
    }

    @inline(__always)
    private func takeSpare() -> ScheduledItem? {
        let first = stock.load(ordering: .relaxed)
        // Acquiring: sees what the turn did with the item.
        guard
            first != Stock.empty, first != Stock.busy,
            stock.compareExchange(
                expected: first, desired: Stock.busy, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged
        else { return nil }
        var items = SpareItems(first: first)
        let item = items.take()
        // Releasing: the next producer sees the remaining items as this producer did.
        stock.store(items.takeAll(), ordering: .releasing)
        return item
    }

    /// Returns the items that have run to the producers, if the stock of the producers is empty.
    private func refillStock() {
        guard stock.load(ordering: .relaxed) == Stock.empty else { return }
        // Only turns change an empty stock. Releasing: see `makeItem`.
        stock.store(spares.takeAll(), ordering: .releasing)
    }

    /// Adds `item` after the items that were pushed before. You can call it from any thread. An item is pushed once.
    func push(_ item: ScheduledItem) {
        let link = ItemLink(.passRetained(item))
        item.next.store(Next.none, ordering: .relaxed)
        // Releasing: a turn that ends at this item, and the producer that pushes after it, see the writes that precede
        // this. Acquiring: sees the previous item, or the effects of the last turn.
        let before = newest.exchange(link, ordering: .acquiringAndReleasing)
        if before == Self.idle { return askForTurn(from: link) }
        let older = before.item
        // Releasing: the turn that reaches this item sees the writes that precede this. Acquiring: sees what the turn
        // that awaits this link did.
        if older._withUnsafeGuaranteedRef({ $0.next.exchange(link, ordering: .acquiringAndReleasing) })
            == Next.awaited
        {
            older.release()
            askForTurn(from: link)
        } else {
            raiseQuality()
        }
    }

    private func askForTurn(from item: ItemLink) {
        // Releasing: the next turn sees what the previous turn did.
        ready.store(item, ordering: .releasing)
        #if canImport(Darwin)
            quality.store(qos_class_self().rawValue, ordering: .relaxed)
        #endif
        _ = Unmanaged.passRetained(self)
        queue.async(execute: turn)
    }

    /// Raises the quality of service of a turn that is already running. libdispatch raises a queue to the highest
    /// quality of service of its waiting work. If the pushed work would raise it, this submits an empty block.
    @inline(__always)
    private func raiseQuality() {
        #if canImport(Darwin)
            let mine = qos_class_self().rawValue
            if mine > quality.load(ordering: .relaxed) {
                quality.store(mine, ordering: .relaxed)
                queue.async {}
            }
        #endif
    }

    private func takeTurn() {
        let begin = DispatchTime.now().uptimeNanoseconds
        var count = 0
        // Acquiring: see `askForTurn`.
        var link = ready.load(ordering: .acquiring)
        while true {
            if count == Self.mostItems || isOver(after: count, since: begin) {
                refillStock()
                return askForTurn(from: link)
            }
            let item = link.item
            item._withUnsafeGuaranteedRef { item in
                // Another thread wrote the item.
                rx_prefetch(item.next.load(ordering: .relaxed).address)
                if unfinished == nil { item.run() } else { goOn() }
            }
            count += 1
            if count.isMultiple(of: 16) { refillStock() }
            if unfinished != nil { continue }
            switch follow(item, at: link) {
            case .item(let next): link = next
            case .idle:
                done(with: item)
                return refillStock()
            case .awaited: return refillStock()
            }
            done(with: item)
        }
    }

    @inline(never)
    private func goOn() {
        let run = unfinished
        unfinished = nil
        run?.resume()
    }

    private enum Following {
        case item(ItemLink)
        /// There is no next item. The next producer requests a turn.
        case idle
        /// A producer is mid-push. It owns the previous item and requests a turn after it has linked its item.
        case awaited
    }

    /// Finds the item that follows an item that has run.
    @inline(__always)
    private func follow(_ item: Unmanaged<ScheduledItem>, at link: ItemLink) -> Following {
        item._withUnsafeGuaranteedRef { item in
            // Acquiring: sees the next item.
            let next = item.next.load(ordering: .acquiring)
            if next != Next.none { return .item(next) }
            // Releasing: the turn after the next push sees what this turn did.
            if newest.compareExchange(
                expected: link, desired: Self.idle, successOrdering: .releasing, failureOrdering: .relaxed
            ).exchanged {
                return .idle
            }
            let linked = item.next.exchange(Next.awaited, ordering: .acquiringAndReleasing)
            return linked == Next.none ? .awaited : .item(linked)
        }
    }

    /// Releases an item that has run, or keeps it for producers.
    @inline(__always)
    private func done(with item: Unmanaged<ScheduledItem>) {
        if spares.count < Self.spareItems { spares.keep(item.takeRetainedValue()) } else { item.release() }
    }

    /// Returns whether the turn has used its time. Reads the clock after each of the first pieces and then after every
    /// fourth piece, because reading it takes about as long as a small piece.
    private func isOver(after count: Int, since begin: UInt64) -> Bool {
        guard count > 0, count < 4 || count.isMultiple(of: 4) else { return false }
        return DispatchTime.now().uptimeNanoseconds - begin >= Self.longestTurn
    }
}
