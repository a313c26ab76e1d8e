import CRx
import Dispatch
import Synchronization

#if canImport(Darwin)
    import Darwin
#endif

/// Brings scheduled work to a serial dispatch queue: many items in one turn of the queue, in the order in which they
/// were pushed.
///
/// Producers put items, linked by themselves, on a stack with one compare-and-swap; the first one asks for a turn,
/// which takes the whole stack, turns it round and runs it.
///
/// ```text
/// idle ──push──▶ items ──a turn takes them──▶ draining ──push──▶ items …
///   ▲                                            │
///   └──────────── nothing has come ──────────────┘
/// ```
///
/// For queues that nobody else can reach: what others put between two items would run before the first or after the
/// second.
// @unchecked: `ready` is touched by turns only, which do not overlap, as the queue is serial.
final class SerialLane: @unchecked Sendable {
    /// The most items that a turn runs.
    static let mostItems = 128
    /// After how many nanoseconds a turn begins no other item.
    static let longestTurn: UInt64 = 200_000

    private enum Newest {
        static let idle: UInt = 0
        static let draining: UInt = 1
    }

    private let queue: DispatchQueue
    /// The address of the newest item, or `idle`, or `draining`. An item on it is retained once.
    private let newest = Atomic<UInt>(Newest.idle)
    /// Between turns, the address of the oldest item that a turn has taken and not run; 0 if there is none.
    @exclusivity(unchecked) private var ready: UInt = 0
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

    /// Puts `item` behind those that were pushed before. From any thread; an item goes here once.
    func push(_ item: ScheduledItem) {
        let address = UInt(bitPattern: Unmanaged.passRetained(item).toOpaque())
        var seen = newest.load(ordering: .relaxed)
        while true {
            item.next = seen
            // Releasing: the turn that takes the item sees what was written before.
            let swap = newest.weakCompareExchange(
                expected: seen, desired: address, successOrdering: .releasing, failureOrdering: .relaxed)
            if swap.exchanged { break }
            seen = swap.original
        }
        if seen == Newest.idle { askForTurn() } else { raiseQuality() }
    }

    /// Whether items have been pushed that have not run. To be asked on the queue.
    var isBehind: Bool { newest.load(ordering: .relaxed) != Newest.idle }

    private func askForTurn() {
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
        // In a variable: a store beside `newest` for each item would take that from the producers' caches.
        var next = ready
        ready = 0
        while next != 0 || takeItems(&next) {
            if count == Self.mostItems || isOver(after: count, since: begin) {
                ready = next
                return askForTurn()
            }
            let item = Unmanaged<ScheduledItem>.fromOpaque(
                UnsafeRawPointer(bitPattern: next).unsafelyUnwrapped
            ).takeRetainedValue()
            next = item.next
            // Another thread wrote it.
            rx_prefetch(UnsafeRawPointer(bitPattern: next))
            item.run()
            count += 1
        }
    }

    /// Looks at the clock after each of the first pieces and then after each fourth: a look takes about as long as a
    /// small piece.
    private func isOver(after count: Int, since begin: UInt64) -> Bool {
        guard count > 0, count < 4 || count.isMultiple(of: 4) else { return false }
        return DispatchTime.now().uptimeNanoseconds - begin >= Self.longestTurn
    }

    /// Takes what was pushed, the oldest first; if nothing was, the lane is idle.
    private func takeItems(_ oldest: inout UInt) -> Bool {
        // Releasing: the turn after the next push sees what this one has done.
        let rest = newest.compareExchange(
            expected: Newest.draining, desired: Newest.idle, successOrdering: .releasing, failureOrdering: .relaxed)
        if rest.exchanged { return false }
        // Acquiring: sees the items and their links.
        var item = newest.exchange(Newest.draining, ordering: .acquiring)
        while item > Newest.draining {
            let pointer = UnsafeRawPointer(bitPattern: item).unsafelyUnwrapped
            Unmanaged<ScheduledItem>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                let older = $0.next
                $0.next = oldest
                oldest = item
                item = older
            }
        }
        return true
    }
}
