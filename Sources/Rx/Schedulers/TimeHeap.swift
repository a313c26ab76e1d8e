import CRx

/// Tells which of two nodes comes first.
protocol TimeOrder {
    associatedtype Time
    /// Whether `lhs` comes before `rhs`, or at the same time and `isOlder`.
    func precedes(_ lhs: Time, _ rhs: Time, isOlder: Bool) -> Bool
    /// The time of a tick, where times are ticks.
    func time(atTick tick: Int) -> Time?
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

    func time(atTick tick: Int) -> Int? { tick }
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

    func time(atTick tick: Int) -> Time? { nil }
}

/// Scheduled items by their times: the earliest first, of equal ones the one that was inserted first.
///
/// Items are put in order when the first is asked for. Many whose times are integers are sorted at once by their
/// digits, O(1) an item. Others go into a heap of four children a node, half as deep as a binary one: O(log *n*) to
/// insert and take. The first is that of the sorted ones or that of the heap. Nodes are moved, so that nothing is
/// retained on the way.
///
/// Disposed items are left where they are and skipped; when the heap has doubled since it was last looked through, they
/// are taken out, so that a timer that is restarted for each event does not fill it. An item that was restarted keeps
/// its node, too, until that comes first: then it gets another one, with the number of the moment of the restart.
final class TimeHeap<Order: TimeOrder> {
    private struct Node {
        let time: Order.Time
        let number: Int
        let item: ScheduledItem
    }

    let order: Order
    /// Room for `capacity` nodes, of which the first `count` are there: of these the first `heaped` are a heap, those
    /// behind it have been inserted since, in their order.
    @exclusivity(unchecked) private var base: UnsafeMutablePointer<Node>
    @exclusivity(unchecked) private var capacity = 64
    @exclusivity(unchecked) private var count = 0
    @exclusivity(unchecked) private var heaped = 0
    @exclusivity(unchecked) private var nextNumber = 0
    /// What the clock shows, where times are ticks.
    @exclusivity(unchecked) var now = 0
    /// The scheduler that items are restarted on, which keeps the heap; where times are ticks.
    unowned(unsafe) var scheduler: (any RestartedTimers)?
    let thread = OwnThread()
    /// The nodes that were sorted at once, of which those from `head` to `end` are there still, and what there is room
    /// for.
    @exclusivity(unchecked) private var sorted: UnsafeMutablePointer<Node>
    @exclusivity(unchecked) private var sortedCapacity = 0
    @exclusivity(unchecked) private var head = 0
    @exclusivity(unchecked) private var end = 0
    /// How many nodes have each digit; made for the first sorting.
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

    /// The time of the first item that was not disposed.
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

    /// The place that an item has gained by a restart, and the tick from which it was computed.
    private func restartedPlace(
        of item: ScheduledItem, at time: Order.Time
    ) -> (time: Order.Time, number: Int, tick: Int)? {
        guard item.isRestartable, let scheduler else { return nil }
        let item = unsafeDowncast(item, to: RestartableItem.self)
        let (tick, number) = item.lastRestart
        // At the tick at which it was placed: only its number is another one.
        if tick == item.placedAt { return (time, number, tick) }
        return order.time(atTick: scheduler.dueTick(from: tick, after: item.seconds)).map { ($0, number, tick) }
    }

    private func insert(_ item: ScheduledItem, time: Order.Time, number: Int) {
        if count == capacity { makeRoom() }
        // Those without order keep theirs by their numbers, which this one's may be in between.
        putInOrder()
        (base + count).initialize(to: Node(time: time, number: number, item: item))
        count &+= 1
        putInOrder()
    }

    /// Gives the present tick and a number, as to an item that is inserted.
    @inline(__always)
    func mark() -> (tick: Int, number: Int) {
        defer { nextNumber &+= 1 }
        return (now, nextNumber)
    }

    /// Takes out the first item. There is one, as `firstTime()` has said.
    @discardableResult
    func removeFirst() -> ScheduledItem {
        isSortedFirst ? removeFirstOfSorted() : removeFirstOfHeap()
    }

    /// The times of the waiting items, in order.
    // Not specialised: only who debugs a scheduler asks for it, and its sort takes 4 KB.
    @_semantics("optimize.sil.specialize.generic.never")
    var times: [Order.Time] {
        ((0..<count).map { base + $0 } + (head..<end).map { sorted + $0 })
            .filter { !$0.pointee.item.isDisposed }
            .map { node in
                let (time, number, item) = (node.pointee.time, node.pointee.number, node.pointee.item)
                guard item.isRestarted, let place = restartedPlace(of: item, at: time) else { return (time, number) }
                return (place.time, place.number)
            }
            .sorted { order.precedes($0.0, $1.0, isOlder: $0.1 < $1.1) }
            .map(\.0)
    }

    // MARK: The first of both

    @inline(__always)
    private var first: UnsafeMutablePointer<Node>? {
        isSortedFirst ? sorted + head : count > 0 ? base : nil
    }

    /// Whether there are sorted nodes, and the first of them comes before those of the heap.
    @inline(__always)
    private var isSortedFirst: Bool {
        head < end && (count == 0 || precedes(sorted + head, base))
    }

    private func removeFirstOfSorted() -> ScheduledItem {
        let first = (sorted + head).move()
        head &+= 1
        if head < end {
            // In memory items lie in the order in which they were made, which is not that of their times.
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
            // Each comes to be a child of the first some time before it is first itself.
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

    /// Lets go of the disposed items, and grows if that has not made room for as many as there are.
    private func makeRoom() {
        let (old, oldCount, oldHeaped) = (base, count, heaped)
        capacity = max(64, 2 * (0..<oldCount).count { !old[$0].item.isDisposed })
        base = .allocate(capacity: capacity)
        (count, heaped) = (0, 0)
        for index in 0..<oldCount {
            if old[index].item.isDisposed {
                // Runs nothing of the user's: its work was let go of when it was disposed.
                (old + index).deinitialize(count: 1)
            } else {
                (base + count).initialize(to: (old + index).move())
                count += 1
                if index < oldHeaped { heaped = count }
            }
        }
        old.deallocate()
        // A heap that has lost nothing is one still.
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

    /// Takes the node at `start` down to a leaf, each time in exchange for the first of its children, and from there
    /// up to where it belongs, which is mostly near: one comparison a level less than to ask on the way down.
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
    /// As many nodes as it takes to make counting their digits worth it.
    private static var many: Int { 256 }
    /// As many that counting the digits fits into the nearest cache.
    private static var digitBits: Int { 11 }

    /// Sorts the nodes that were inserted, if they are many and no others are there, from the last digit of their times
    /// to the first. Nodes of the same digit keep their order, so that those of the same time end in the order in which
    /// they were inserted.
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
