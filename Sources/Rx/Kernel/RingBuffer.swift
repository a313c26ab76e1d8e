/// A first-in, first-out queue that keeps its capacity. Once it has grown to the size its user needs, it makes no
/// further allocations.
@usableFromInline
struct RingBuffer<Element> {
    /// A ring whose size is a power of two. The used part starts at `head`.
    @usableFromInline var ring: ContiguousArray<Element?> = []
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @inlinable init() {}

    @inlinable var isEmpty: Bool { count == 0 }

    /// The element that `popFirst` would return.
    @inlinable var first: Element? { count == 0 ? nil : ring[head] }

    /// O(1) amortised.
    @inlinable
    mutating func append(_ element: Element) {
        if count == ring.count { grow() }
        ring[(head &+ count) & (ring.count &- 1)] = element
        count &+= 1
    }

    /// O(1).
    @inlinable
    mutating func popFirst() -> Element? {
        if count == 0 { return nil }
        // Swapped, so that one step moves the element and empties its slot.
        var element: Element?
        swap(&element, &ring[head])
        head = (head &+ 1) & (ring.count &- 1)
        count &-= 1
        return element
    }

    /// Releases the elements and the storage.
    @inlinable
    mutating func removeAll() { self = RingBuffer() }

    @usableFromInline
    mutating func grow() {
        var larger = ContiguousArray<Element?>()
        larger.reserveCapacity(max(4, ring.count * 2))
        for offset in 0..<count { larger.append(ring[(head + offset) & (ring.count - 1)]) }
        while larger.count < max(4, ring.count * 2) { larger.append(nil) }
        ring = larger
        head = 0
    }
}
