import CRx

/// The order of nodes in a heap.
protocol TimeOrder {
    associatedtype Time
    /// Returns whether `lhs` is before `rhs`, or at the same time and `isOlder`.
    func precedes(_ lhs: Time, _ rhs: Time, isOlder: Bool) -> Bool
    /// Returns the time of a tick, for times that are ticks.
    func time(atTick tick: Int) -> Time?
}

/// The order of integers.
struct IntegerOrder: TimeOrder {
    @inline(__always)
    func precedes(_ lhs: Int, _ rhs: Int, isOlder: Bool) -> Bool {
        // Both sides are computed: if times are in random order, a branch on them is mispredicted half of the time.
        let isBefore = lhs < rhs
        let isAtOnce = lhs == rhs
        return isBefore != (isAtOnce && isOlder)
    }

    func time(atTick tick: Int) -> Int? { tick }
}

/// The order that a converter defines for its times.
struct ConvertedOrder<Time>: TimeOrder {
    let compare: (Time, Time) -> VirtualTimeComparison

    func precedes(_ lhs: Time, _ rhs: Time, isOlder: Bool) -> Bool {
        switch compare(lhs, rhs) {
        case .lessThan: true
        case .equal: isOlder
        case .greaterThan: false
        }
    }

    func time(atTick tick: Int) -> Time? { nil }
}

/// Scheduled items, ordered by time. Items of the same time are ordered by insertion.
///
/// Items are put in order when the first item is requested. Large batches with integer times are radix-sorted, at O(1)
/// per item. Other items go into a heap with four children per node, which is half as deep as a binary heap: insertion
/// and removal are O(log *n*). The first item is either the first sorted item or the first item of the heap. Nodes are
/// moved, so that nothing is retained.
///
/// Disposed items stay in the heap and are skipped. When the heap has doubled since the last scan, disposed items are
/// removed, so that a timer that is restarted for each event does not fill it. A restarted item also keeps its node
/// until that node becomes the first. It then gets another node, with the number from the time of the restart.
final class TimeHeap<Order: TimeOrder> {
    private struct Node {
        let time: Order.Time
        let number: Int
        let item: ScheduledItem
    }

    let order: Order
    /// Storage for `capacity` nodes, of which the first `count` are initialised. The first `heaped` nodes form a heap.
    /// The nodes after them were inserted since, and are in the order of insertion.
    @exclusivity(unchecked) private var base: UnsafeMutablePointer<Node>
    @exclusivity(unchecked) private var capacity = 64
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var heaped = 0
    @exclusivity(unchecked) private var nextNumber = 0
    /// The current time of the clock, for times that are ticks.
    @exclusivity(unchecked) var now = 0
    /// The scheduler on which items are restarted. It owns the heap. For times that are ticks.
    unowned(unsafe) var scheduler: (any RestartedTimers)?
    let thread = OwnThread()
    /// The nodes that were sorted as a batch, and the capacity of their storage. The nodes from `head` to `end` remain.
    @exclusivity(unchecked) private var sorted: UnsafeMutablePointer<Node>
    @exclusivity(unchecked) private var sortedCapacity = 0
    @exclusivity(unchecked) private var head = 0
    @exclusivity(unchecked) private var end = 0
    /// The number of nodes with each digit. Allocated for the first sort.
    @exclusivity(unchecked) private var places: UnsafeMutablePointer<Int>?

    init(order: Order) {
        self.order = order
        base = .allocate(capacity: capacity)
        sorted = base
    }

    deinit {
        base.deinitialize(count: count)
        base.deallocate()
        guard sortedCapacity > 0 else { return }
        (sorted + head).deinitialize(count: end - head)
        sorted.deallocate()
        places?.deallocate()
    }

    /// Adds an item that is due at `time`.
    func insert(_ item: ScheduledItem, at time: Order.Time) {
        if count == capacity { makeRoom() }
        (base + count).initialize(to: Node(time: time, number: nextNumber, item: item))
        nextNumber &+= 1
        count &+= 1
    }

    /// Returns the time of the first item that was not disposed.
    func firstTime() -> Order.Time? {
        if heaped < count { putInOrder() }
        while let first {
            if first.pointee.item.isWaiting { return first.pointee.time }
            let time = first.pointee.time
            let item = removeFirst()
            guard item.takeRestart(), let place = restartedPlace(of: item, at: time) else { continue }
            unsafeDowncast(item, to: RestartableItem.self).placedAt = place.tick
            insert(item, time: place.time, number: place.number)
        }
        return nil
    }

    /// Returns the new time and number of a restarted item, and the tick from which the time was computed.
    private func restartedPlace(
        of item: ScheduledItem, at time: Order.Time
    ) -> (time: Order.Time, number: Int, tick: Int)? {
        guard item.isRestartable, let scheduler else { return nil }
        let item = unsafeDowncast(item, to: RestartableItem.self)
        let (tick, number) = item.lastRestart
        // The tick at which the item was placed has not changed: only its number has.
        if tick == item.placedAt { return (time, number, tick) }
        return order.time(atTick: scheduler.dueTick(from: tick, after: item.seconds)).map { ($0, number, tick) }
    }

    private func insert(_ item: ScheduledItem, time: Order.Time, number: Int) {
        if count == capacity { makeRoom() }
        // Nodes that are not in the heap yet keep their order by their numbers, and this node's number may be between
        // them.
        putInOrder()
        (base + count).initialize(to: Node(time: time, number: number, item: item))
        count &+= 1
        putInOrder()
    }

    /// Returns the current tick and a new number, like the number of an item that is inserted.
    @inline(__always)
    func mark() -> (tick: Int, number: Int) {
        defer { nextNumber &+= 1 }
        return (now, nextNumber)
    }

    /// Removes and returns the first item. `firstTime()` must have returned a time before.
    @discardableResult
    func removeFirst() -> ScheduledItem {
        isSortedFirst ? removeFirstOfSorted() : removeFirstOfHeap()
    }

    /// The times of the waiting items, in order.
    // Not specialised: it is used only to debug a scheduler, and its sort takes 4 KB.
    @_semantics("optimize.sil.specialize.generic.never")
    var times: [Order.Time] {
        let nodes = (0..<count).map { base + $0 } + (head..<end).map { sorted + $0 }
        let places = nodes.filter { !$0.pointee.item.isDisposed }.map { node -> (time: Order.Time, number: Int) in
            let (time, number, item) = (node.pointee.time, node.pointee.number, node.pointee.item)
            guard item.isRestarted, let place = restartedPlace(of: item, at: time) else { return (time, number) }
            return (place.time, place.number)
        }
        return places.sorted { order.precedes($0.time, $1.time, isOlder: $0.number < $1.number) }.map(\.time)
    }

    // MARK: The first of the sorted nodes and the heap

    @inline(__always)
    private var first: UnsafeMutablePointer<Node>? {
        isSortedFirst ? sorted + head : count > 0 ? base : nil
    }

    /// Whether there are sorted nodes, and the first of them precedes the first node of the heap.
    @inline(__always)
    private var isSortedFirst: Bool {
        head < end && (count == 0 || precedes(sorted + head, base))
    }

    private func removeFirstOfSorted() -> ScheduledItem {
        let first = (sorted + head).move()
        head &+= 1
        if head < end {
            // In memory, items are in the order of their allocation, which is not the order of their times.
            rx_prefetch(Unmanaged.passUnretained(sorted[min(head &+ 4, end &- 1)].item).toOpaque())
        }
        return first.item
    }

    private func removeFirstOfHeap() -> ScheduledItem {
        let first = base.move()
        count &-= 1
        heaped = count
        if count > 0 {
            base.initialize(to: (base + count).move())
            siftDown(from: 0)
            // Each item is a child of the first node for some time before it becomes the first itself.
            for place in 1..<max(1, min(5, count)) {
                rx_prefetch(Unmanaged.passUnretained(base[place].item).toOpaque())
            }
        }
        return first.item
    }

    private func putInOrder() {
        while heaped < count {
            siftUp(from: heaped, to: 0)
            heaped &+= 1
        }
    }

    /// Releases the disposed items, and resizes the storage to twice the number of the remaining items, at least 64.
    private func makeRoom() {
        let (old, oldCount, oldHeaped) = (base, count, heaped)
        capacity = max(64, 2 * (0..<oldCount).count { !old[$0].item.isDisposed })
        base = .allocate(capacity: capacity)
        (count, heaped) = (0, 0)
        for index in 0..<oldCount {
            if old[index].item.isDisposed {
                // This runs no user code: the work was released when the item was disposed.
                (old + index).deinitialize(count: 1)
            } else {
                (base + count).initialize(to: (old + index).move())
                count += 1
                if index < oldHeaped { heaped = count }
            }
        }
        old.deallocate()
        // A heap that has lost no nodes is still a heap.
        if heaped == oldHeaped { return }
        for index in stride(from: (heaped - 2) / 4, through: 0, by: -1) where heaped > 1 { siftDown(from: index) }
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

    /// Moves the node at `start` down to a leaf by exchanging it with the first of its children at each level, and then
    /// up to its position, which is usually near the leaf. This saves one comparison per level compared to checking on
    /// the way down.
    private func siftDown(from start: Int) {
        let base = self.base
        let count = heaped
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

extension TimeHeap where Order == IntegerOrder {
    /// The minimum number of nodes for which counting their digits is worthwhile.
    private static var many: Int { 256 }
    /// The number of bits in a digit, chosen so that the counts of digits fit into the nearest cache.
    private static var digitBits: Int { 11 }

    /// Radix-sorts the inserted nodes by time, if there are many of them and no other nodes. It starts with the last
    /// digit. Nodes with the same digit keep their order, so that nodes of the same time stay in the order of
    /// insertion.
    @inline(__always)
    func sortMany() { if count >= Self.many, heaped == 0, head == end { sort() } }

    private func sort() {
        var least = Int.max, most = Int.min
        for place in 0..<count {
            least = min(least, base[place].time)
            most = max(most, base[place].time)
        }
        let spread = UInt(bitPattern: most &- least)
        if sortedCapacity < count {
            if sortedCapacity > 0 { sorted.deallocate() }
            sorted = .allocate(capacity: capacity)
            sortedCapacity = capacity
        }
        let places = self.places ?? .allocate(capacity: 1 << Self.digitBits)
        self.places = places
        var from = base, to = sorted
        var shift = 0
        while shift < Int.bitWidth, spread >> shift > 0 {
            places.initialize(repeating: 0, count: 1 << Self.digitBits)
            for place in 0..<count { places[digit(of: from + place, above: least, at: shift)] &+= 1 }
            var sum = 0
            for digit in 0..<1 << Self.digitBits { (places[digit], sum) = (sum, sum &+ places[digit]) }
            for place in 0..<count {
                let digit = digit(of: from + place, above: least, at: shift)
                (to + places[digit]).initialize(to: (from + place).move())
                places[digit] &+= 1
            }
            swap(&from, &to)
            shift &+= Self.digitBits
        }
        if from == base {
            swap(&base, &sorted)
            swap(&capacity, &sortedCapacity)
        }
        (head, end) = (0, count)
        count = 0
    }

    @inline(__always)
    private func digit(of node: UnsafeMutablePointer<Node>, above least: Int, at shift: Int) -> Int {
        Int(truncatingIfNeeded: UInt(bitPattern: node.pointee.time &- least) >> shift) & (1 << Self.digitBits - 1)
    }
}
