/// Timers, ordered by deadline. Timers with the same deadline are ordered by insertion.
///
/// The heap has four children per node, like `TimeHeap`. Each timer knows its place in the heap, so that a cancelled
/// timer is removed immediately. Insertion and removal are O(log *n*). Removal is usually O(1) for a timer that is not
/// the first, because most nodes are leaves. The heap retains nothing.
struct DeadlineHeap {
    struct Node {
        let deadline: UInt64
        fileprivate let number: UInt64
        let timer: Unmanaged<DisposeBase>
        /// The address where the timer stores its place.
        let place: UnsafeMutablePointer<Int>
    }

    /// The place of a timer that is not in the heap.
    static let nowhere = -1

    /// Storage for `capacity` nodes, of which the first `count` are initialised.
    private var base: UnsafeMutablePointer<Node>?
    private var capacity = 0
    private var count = 0
    private var nextNumber: UInt64 = 0

    /// Frees the storage. The heap must be empty.
    func deallocate() { base?.deallocate() }

    var first: Node? { count > 0 ? base?.pointee : nil }

    mutating func insert(_ timer: DisposeBase, place: UnsafeMutablePointer<Int>, deadline: UInt64) {
        if count == capacity { resize(to: max(16, 2 * capacity)) }
        let node = Node(deadline: deadline, number: nextNumber, timer: .passUnretained(timer), place: place)
        nextNumber &+= 1
        count &+= 1
        siftUp(node, from: count &- 1)
    }

    /// Removes a timer that is in the heap.
    mutating func remove(at place: Int) {
        guard let base else { return }
        base[place].place.pointee = Self.nowhere
        count &-= 1
        if place < count {
            let node = base[count]
            if place > 0, Self.precedes(node, base[(place &- 1) / 4]) {
                siftUp(node, from: place)
            } else {
                siftDown(node, from: place)
            }
        }
        // The threshold is much less than half, so that adding and removing a single timer does not move all nodes each
        // time.
        if capacity > 64, count < capacity / 8 { resize(to: capacity / 4) }
    }

    private mutating func resize(to newCapacity: Int) {
        let new = UnsafeMutablePointer<Node>.allocate(capacity: newCapacity)
        if let base {
            new.initialize(from: base, count: count)
            base.deallocate()
        }
        base = new
        capacity = newCapacity
    }

    @inline(__always)
    private static func precedes(_ lhs: Node, _ rhs: Node) -> Bool {
        lhs.deadline != rhs.deadline ? lhs.deadline < rhs.deadline : lhs.number < rhs.number
    }

    /// Puts a node into the hole at `start`, or above it.
    private func siftUp(_ node: Node, from start: Int) {
        guard let base else { return }
        var hole = start
        while hole > 0 {
            let parent = (hole &- 1) / 4
            guard Self.precedes(node, base[parent]) else { break }
            Self.put(base[parent], at: hole, of: base)
            hole = parent
        }
        Self.put(node, at: hole, of: base)
    }

    /// Puts a node into the hole at `start`, or below it.
    private func siftDown(_ node: Node, from start: Int) {
        guard let base else { return }
        var hole = start
        while true {
            let firstChild = hole &* 4 &+ 1
            if firstChild >= count { break }
            var smallest = firstChild
            for other in firstChild &+ 1..<max(firstChild &+ 1, min(firstChild &+ 4, count))
            where Self.precedes(base[other], base[smallest]) { smallest = other }
            guard Self.precedes(base[smallest], node) else { break }
            Self.put(base[smallest], at: hole, of: base)
            hole = smallest
        }
        Self.put(node, at: hole, of: base)
    }

    @inline(__always)
    private static func put(_ node: Node, at place: Int, of base: UnsafeMutablePointer<Node>) {
        base[place] = node
        node.place.pointee = place
    }
}
