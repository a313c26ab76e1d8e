/// Items whose work is over, kept to take other work: an allocation less, and none that one thread makes and another
/// one gives back. Linked by themselves; for one thread at a time.
///
/// Builds that trace keep none, as each would count as a live resource.
struct SpareItems {
    /// The address of the first, which is retained once, as each; 0 if there is none.
    private(set) var first: UInt = 0
    private(set) var count = 0

    /// Keeps an item, if nothing is in it and nobody else knows it.
    @inline(__always)
    mutating func keep(_ item: consuming ScheduledItem) {
        #if !TRACE_RESOURCES
            guard item.isEmpty, isKnownUniquelyReferenced(&item) else { return }
            item.next.store(first, ordering: .relaxed)
            first = UInt(bitPattern: Unmanaged.passRetained(consume item).toOpaque())
            count &+= 1
        #endif
    }

    @inline(__always)
    mutating func take() -> ScheduledItem? {
        guard let pointer = UnsafeRawPointer(bitPattern: first) else { return nil }
        let item = Unmanaged<ScheduledItem>.fromOpaque(pointer).takeRetainedValue()
        first = item.next.load(ordering: .relaxed)
        count &-= 1
        return item
    }

    /// Gives all away, by the address of the first.
    mutating func takeAll() -> UInt {
        defer { self = SpareItems() }
        return first
    }

    /// Lets go of all, one after another.
    mutating func removeAll() { while take() != nil {} }

    /// Takes over what `takeAll()` has given away, to let go of it.
    init(first: UInt = 0) { self.first = first }
}
