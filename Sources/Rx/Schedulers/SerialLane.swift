import CRx
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#endif

/// Brings scheduled work to a serial dispatch queue: many items in one turn of the queue, in the order in which they
/// were pushed.
///
/// Producers take the place of the newest item with one exchange and then link theirs behind the one that was; the
/// first one asks for a turn. A turn that comes to an item whose successor is not linked yet notes so and ends: who
/// links it asks for the next turn.
///
/// ```text
/// newest: idle ──push──▶ item ──push──▶ item … ──a turn has run the newest──▶ idle
///
/// next of an item: none ──the one who has come behind it──▶ linked
///                    │
///            a turn has run the item, which is not the newest
///                    ▼
///                 awaited ──the one who has come behind it, who asks for a turn──▶ linked
/// ```
///
/// For queues that nobody else can reach: what others put between two items would run before the first or after the
/// second.
///
/// Items that have run go back to producers, some at a time: memory that one thread allocates and another one gives
/// back takes longer than the rest of a small piece.
// @unchecked: `spares` and `unfinished` are touched by turns only, which do not overlap, as the queue is serial.
final class SerialLane: @unchecked Sendable {
    /// The most items that a turn runs.
    static let mostItems = 128
    /// After how many nanoseconds a turn begins no other item.
    static let longestTurn: UInt64 = 200_000

    /// How many items go back to producers at a time, and the most that stay with the turns beside them.
    private static let spareItems = 1024

    private static let idle: UInt = 0

    private enum Next {
        static let none: UInt = 0
        static let awaited: UInt = 1
    }

    private enum Stock {
        static let empty: UInt = 0
        static let busy: UInt = 1
    }

    private let queue: DispatchQueue
    /// The address of the newest item, or `idle`. An item on the lane is retained once.
    private let newest = Atomic<UInt>(idle)
    /// Between turns, the address of the item that the next one begins with.
    private let ready = Atomic<UInt>(0)
    /// The address of the first item that producers may use again, or `empty`, or `busy` as one of them takes it.
    private let stock = Atomic<UInt>(Stock.empty)
    /// Items that are not in the stock yet.
    @exclusivity(unchecked) private var spares = SpareItems()
    /// The run of the item that is under way, if it is to go on. Touched by turns only.
    @exclusivity(unchecked) private var unfinished: QueuedCoordinator?
    /// A turn. Kept, as each closure that is handed to the queue would be copied into a block of its own.
    @exclusivity(unchecked) private var turn: @Sendable @convention(block) () -> Void = {}
    #if canImport(Darwin)
        /// The quality of service of the thread that asked for the turn.
        private let quality = Atomic<UInt32>(0)
    #endif

    init(queue: DispatchQueue) {
        self.queue = queue
        // Not retained by the block, which it keeps, but by each turn that is asked for.
        let lane = Unmanaged.passUnretained(self)
        turn = { lane.takeRetainedValue().takeTurn() }
    }

    deinit {
        spares.removeAll()
        var rest = SpareItems(first: stock.load(ordering: .acquiring))
        rest.removeAll()
    }

    /// Takes a piece of work in. From any thread.
    func schedule<State>(_ state: State, action: @escaping (State) -> any Disposable) -> any Disposable {
        let item = makeItem(state, action: action)
        item.countAsPending()
        push(item)
        return item
    }

    /// Whether nothing was pushed after the item at `address`, which has not ended. `false` for 0.
    @inline(__always)
    func isNewest(_ address: UInt) -> Bool {
        // Relaxed: a push that this thread knows of is seen by it.
        address != Self.idle && newest.load(ordering: .relaxed) == address
    }

    /// Has the item that runs go on with `run`, in this turn or in the next one, before what was pushed after it.
    func goOn(with run: QueuedCoordinator) { unfinished = run }

    /// Makes an item, of one that has run where there is one and no other producer is at it.
    @inline(__always)
    func makeItem<State>(_ state: State, action: @escaping (State) -> any Disposable) -> ScheduledItem {
        let item = takeSpare() ?? ScheduledItem()
        item.takeWork(state, action: action)
        return item
    }

    @inline(__always)
    private func takeSpare() -> ScheduledItem? {
        let first = stock.load(ordering: .relaxed)
        // Acquiring: sees what the turn has done with it.
        guard
            first > Stock.busy,
            stock.compareExchange(
                expected: first, desired: Stock.busy, successOrdering: .acquiring, failureOrdering: .relaxed
            ).exchanged
        else { return nil }
        var items = SpareItems(first: first)
        let item = items.take()
        // Releasing: the next one sees the rest as this one did.
        stock.store(items.takeAll(), ordering: .releasing)
        return item
    }

    /// Gives the items that have run to the producers, if they have none.
    private func refillStock() {
        guard stock.load(ordering: .relaxed) == Stock.empty else { return }
        // Nobody but a turn changes an empty one. Releasing: see `makeItem`.
        stock.store(spares.takeAll(), ordering: .releasing)
    }

    /// Puts `item` behind those that were pushed before. From any thread; an item goes here once.
    func push(_ item: ScheduledItem) {
        let address = UInt(bitPattern: Unmanaged.passRetained(item).toOpaque())
        item.next.store(Next.none, ordering: .relaxed)
        // Releasing: a turn that ends at this item, and who comes behind it, see what was written before. Acquiring:
        // sees the item before it, or what the last turn has done.
        let before = newest.exchange(address, ordering: .acquiringAndReleasing)
        if before == Self.idle { return askForTurn(from: address) }
        let older = Self.item(at: before)
        // Releasing: the turn that comes here sees what was written before. Acquiring: sees what the one has done that
        // awaits this.
        if older._withUnsafeGuaranteedRef({ $0.next.exchange(address, ordering: .acquiringAndReleasing) })
            == Next.awaited
        {
            older.release()
            askForTurn(from: address)
        } else {
            raiseQuality()
        }
    }

    @inline(__always)
    private static func item(at address: UInt) -> Unmanaged<ScheduledItem> {
        .fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
    }

    private func askForTurn(from item: UInt) {
        // Releasing: the turn sees what the one before has done.
        ready.store(item, ordering: .releasing)
        #if canImport(Darwin)
            quality.store(qos_class_self().rawValue, ordering: .relaxed)
        #endif
        _ = Unmanaged.passRetained(self)
        queue.async(execute: turn)
    }

    /// libdispatch lends a queue the highest quality of service of what waits there. Work that would raise it, pushed
    /// while a turn is under way already, sends an empty block to say so.
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
        var address = ready.load(ordering: .acquiring)
        while true {
            if count == Self.mostItems || isOver(after: count, since: begin) {
                refillStock()
                return askForTurn(from: address)
            }
            let item = Self.item(at: address)
            item._withUnsafeGuaranteedRef { item in
                // Another thread wrote it.
                rx_prefetch(UnsafeRawPointer(bitPattern: item.next.load(ordering: .relaxed)))
                if unfinished == nil { item.run() } else { goOn() }
            }
            count += 1
            if count.isMultiple(of: 16) { refillStock() }
            if unfinished != nil { continue }
            switch follow(item, at: address) {
            case .item(let next): address = next
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
        case item(UInt)
        /// Nothing has come, and who comes next asks for a turn.
        case idle
        /// Somebody has come, and asks for a turn once the item is linked. The one before it is theirs.
        case awaited
    }

    /// Finds what comes after an item that has run.
    @inline(__always)
    private func follow(_ item: Unmanaged<ScheduledItem>, at address: UInt) -> Following {
        item._withUnsafeGuaranteedRef { item in
            // Acquiring: sees the next item.
            let next = item.next.load(ordering: .acquiring)
            if next != Next.none { return .item(next) }
            // Releasing: the turn after the next push sees what this one has done.
            if newest.compareExchange(
                expected: address, desired: Self.idle, successOrdering: .releasing, failureOrdering: .relaxed
            ).exchanged {
                return .idle
            }
            let linked = item.next.exchange(Next.awaited, ordering: .acquiringAndReleasing)
            return linked == Next.none ? .awaited : .item(linked)
        }
    }

    /// Lets go of an item that has run, or keeps it for producers.
    @inline(__always)
    private func done(with item: Unmanaged<ScheduledItem>) {
        if spares.count < Self.spareItems { spares.keep(item.takeRetainedValue()) } else { item.release() }
    }

    /// Looks at the clock after each of the first pieces and then after each fourth: a look takes about as long as a
    /// small piece.
    private func isOver(after count: Int, since begin: UInt64) -> Bool {
        guard count > 0, count < 4 || count.isMultiple(of: 4) else { return false }
        return DispatchTime.now().uptimeNanoseconds - begin >= Self.longestTurn
    }
}
