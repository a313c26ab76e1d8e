import CRx

/// Tells which of two nodes comes first.
protocol TimeOrder {
    associatedtype Time
    /// Whether `lhs` comes before `rhs`, or at the same time and `isOlder`.
    func precedes(_ lhs: Time, _ rhs: Time, isOlder: Bool) -> Bool
}

/// The order of integers.
struct IntegerOrder: TimeOrder {
    @inline(__always)
    func precedes(_ lhs: Int, _ rhs: Int, isOlder: Bool) -> Bool {
        // Both sides are computed: a branch on times that come in any order is mispredicted half of the time.
        let isBefore = lhs < rhs
        let isAtOnce = lhs == rhs
        return isBefore != (isAtOnce && isOlder)
    }
}

/// The order that a converter gives to its times.
struct ConvertedOrder<Time>: TimeOrder {
    let compare: (Time, Time) -> VirtualTimeComparison

    func precedes(_ lhs: Time, _ rhs: Time, isOlder: Bool) -> Bool {
        switch compare(lhs, rhs) {
        case .lessThan: true
        case .equal: isOlder
        case .greaterThan: false
        }
    }
}

/// Scheduled items by their times: the earliest first, of equal ones the one that was inserted first.
///
/// A heap of four children a node, half as deep as a binary one: O(log *n*) to insert and take. Nodes are moved, so
/// that nothing is retained on the way. Disposed items are left where they are and skipped; when the heap has doubled
/// since it was last looked through, they are taken out, so that a timer that is restarted for each event does not fill
/// it.
final class TimeHeap<Order: TimeOrder> {
    private struct Node {
        let time: Order.Time
        let number: Int
        let item: ScheduledItem
    }

    let order: Order
    /// Room for `capacity` nodes, of which the first `count` are there.
    @exclusivity(unchecked) private var base: UnsafeMutablePointer<Node>
    @exclusivity(unchecked) private var capacity = 64
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var nextNumber = 0

    init(order: Order) {
        self.order = order
        base = .allocate(capacity: capacity)
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
    }

    /// Adds an item that is due at `time`.
    func insert(_ item: ScheduledItem, at time: Order.Time) {
        if count == capacity { makeRoom() }
        (base + count).initialize(to: Node(time: time, number: nextNumber, item: item))
        nextNumber &+= 1
        count &+= 1
        siftUp(from: count &- 1, to: 0)
    }

    /// The time of the first item that was not disposed.
    func firstTime() -> Order.Time? {
        while count > 0 {
            if !base.pointee.item.isDisposed { return base.pointee.time }
            removeFirst()
        }
        return nil
    }

    /// Takes out the first item. There is one.
    @discardableResult
    func removeFirst() -> ScheduledItem {
        let first = base.move()
        count &-= 1
        if count > 0 {
            base.initialize(to: (base + count).move())
            siftDown(from: 0)
            // In memory items lie in the order in which they were made, which is not that of their times. Each comes to
            // be a child of the first some time before it is first itself.
            for place in 1..<max(1, min(5, count)) {
                rx_prefetch(Unmanaged.passUnretained(base[place].item).toOpaque())
            }
        }
        return first.item
    }

    /// The times of the waiting items, in order.
    var times: [Order.Time] {
        (0..<count).filter { !base[$0].item.isDisposed }
            .sorted { order.precedes(base[$0].time, base[$1].time, isOlder: base[$0].number < base[$1].number) }
            .map { base[$0].time }
    }

    /// Lets go of the disposed items, and grows if that has not made room for as many as there are.
    private func makeRoom() {
        let (old, oldCount) = (base, count)
        capacity = max(64, 2 * (0..<oldCount).count { !old[$0].item.isDisposed })
        base = .allocate(capacity: capacity)
        count = 0
        for index in 0..<oldCount {
            if old[index].item.isDisposed {
                // Runs nothing of the user's: its work was let go of when it was disposed.
                (old + index).deinitialize(count: 1)
            } else {
                (base + count).initialize(to: (old + index).move())
                count += 1
            }
        }
        old.deallocate()
        // A heap that has lost nothing is one still.
        if count == oldCount { return }
        for index in stride(from: (count - 2) / 4, through: 0, by: -1) where count > 1 { siftDown(from: index) }
    }

    private func siftUp(from start: Int, to top: Int) {
        let base = self.base
        var hole = start
        guard hole > top else { return }
        guard precedes(base + hole, base + (hole &- 1) / 4) else { return }
        let node = (base + hole).move()
        repeat {
            let parent = (hole &- 1) / 4
            guard
                order.precedes(
                    node.time, (base + parent).pointee.time, isOlder: node.number < (base + parent).pointee.number)
            else { break }
            (base + hole).initialize(to: (base + parent).move())
            hole = parent
        } while hole > top
        (base + hole).initialize(to: node)
    }

    /// Takes the node at `start` down to a leaf, each time in exchange for the first of its children, and from there
    /// up to where it belongs, which is mostly near: one comparison a level less than to ask on the way down.
    private func siftDown(from start: Int) {
        let base = self.base
        let count = self.count
        let node = (base + start).move()
        var hole = start
        while true {
            let firstChild = hole &* 4 &+ 1
            if firstChild >= count { break }
            let end = min(firstChild &+ 4, count)
            var smallest = base + firstChild
            var other = firstChild &+ 1
            while other < end {
                if precedes(base + other, smallest) { smallest = base + other }
                other &+= 1
            }
            (base + hole).initialize(to: smallest.move())
            hole = smallest - base
        }
        (base + hole).initialize(to: node)
        siftUp(from: hole, to: start)
    }

    @inline(__always)
    private func precedes(_ lhs: UnsafeMutablePointer<Node>, _ rhs: UnsafeMutablePointer<Node>) -> Bool {
        order.precedes(lhs.pointee.time, rhs.pointee.time, isOlder: lhs.pointee.number < rhs.pointee.number)
    }
}
