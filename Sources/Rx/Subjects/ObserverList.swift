import Synchronization

/// The observers of a subject in the order of their subscriptions, with room for more observers. Senders walk this
/// list.
///
/// The list is append-only, and the entry of an observer that leaves becomes a blank, so that senders can walk the list
/// at the same time. If the list is full, or most of its entries are blanks, the subject copies it to a new list.
///
/// ```text
/// 0   for each epoch, the number of entries that its senders walk: four 32-bit numbers
/// 16  the entries
/// ```
@usableFromInline
final class ObserverList: ManagedBuffer<UInt, UInt> {
    // The header is the number of entries that hold a reference to their sink. These are all entries, or none after
    // another list has taken over the references.

    /// A list without entries.
    static func make(capacity: Int) -> ObserverList {
        let words = ObserverListAddress.words(capacity)
        let list = create(minimumCapacity: words) { _ in UInt(capacity) }
        list.withUnsafeMutablePointerToElements { $0.initialize(repeating: 0, count: words) }
        return unsafeDowncast(list, to: ObserverList.self)
    }

    var address: ObserverListAddress {
        withUnsafeMutablePointerToElements { ObserverListAddress(raw: UnsafeMutableRawPointer($0)) }
    }

    // By pointer, because the runtime checks the access to the property of a buffer.
    private var referenceCount: UnsafeMutablePointer<UInt> { withUnsafeMutablePointerToHeader { $0 } }

    /// Gives up the references without releasing them, because they have a new owner.
    func disown() { referenceCount.pointee = 0 }

    deinit {
        let address = address
        for index in 0..<Int(referenceCount.pointee) { address.entry(index).pointee.taken()?.release() }
    }
}

/// An entry of a list.
@usableFromInline
struct ObserverEntry: ~Copyable {
    /// The sink's address; 0 is a blank.
    // Retained manually. A strong field is retained again for each delivery, which then takes five times as long.
    @usableFromInline let sink: Atomic<UInt>
    /// The key of the subscription. Guarded by the subject's lock, and so is `birth`.
    var key: UInt32
    /// The epoch that was open at the time of the subscription. Senders of earlier epochs do not see the
    /// entry.
    var birth: UInt32

    /// Calls `body` with the sink, unless this is a blank.
    @inlinable @inline(__always)
    func withSink(_ body: (Sink) -> Void) {
        // Acquiring: sees the state that a replay has left in a sink that replaces its gate. The count has published
        // the other sinks.
        guard let address = UnsafeRawPointer(bitPattern: sink.load(ordering: .acquiring)) else { return }
        Unmanaged<Sink>.fromOpaque(address)._withUnsafeGuaranteedRef(body)
    }

    var isBlank: Bool { sink.load(ordering: .relaxed) == 0 }

    var current: Unmanaged<Sink>? {
        UnsafeRawPointer(bitPattern: sink.load(ordering: .relaxed)).map(Unmanaged.fromOpaque)
    }

    mutating func fill(_ sink: Unmanaged<Sink>, key: UInt32, birth: UInt32) {
        (self.key, self.birth) = (key, birth)
        self.sink.store(UInt(bitPattern: sink.toOpaque()), ordering: .relaxed)
    }

    /// Replaces the sink of the entry. The caller receives the reference to the previous sink.
    // Not mutating: a sender may read the entry at the same time.
    func replace(by sink: Unmanaged<Sink>) {
        // Releasing: a sender that finds the sink sees its state.
        self.sink.store(UInt(bitPattern: sink.toOpaque()), ordering: .releasing)
    }

    /// Copies the contents of another entry, which stays unchanged.
    mutating func become(_ other: UnsafePointer<ObserverEntry>) {
        (key, birth) = (other.pointee.key, other.pointee.birth)
        sink.store(other.pointee.sink.load(ordering: .relaxed), ordering: .relaxed)
    }

    /// Turns the entry into a blank, and returns its previous sink.
    func taken() -> Unmanaged<Sink>? {
        defer { sink.store(0, ordering: .relaxed) }
        return current
    }
}

/// A list without room, which is stored within the subject. It is used before the first observer subscribes and after
/// the end.
struct NoObservers: ~Copyable {
    // The counts of the epochs, two in each word.
    private let first = Atomic<UInt>(0)
    private let second = Atomic<UInt>(0)

    // Unprotected: the address of a property that does not move.
    var address: ObserverListAddress {
        _withUnprotectedUnsafePointer(to: first) {
            ObserverListAddress(raw: UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0)))
        }
    }
}

/// The address of a list.
@usableFromInline
struct ObserverListAddress {
    @usableFromInline let raw: UnsafeMutableRawPointer

    @inlinable
    init(raw: UnsafeMutableRawPointer) { self.raw = raw }

    static func words(_ capacity: Int) -> Int { 2 + 2 * capacity }

    /// The number of entries that the senders of an epoch walk, by the epoch's slot number.
    @inlinable @inline(__always)
    func count(_ epoch: UInt) -> UnsafePointer<Atomic<UInt32>> {
        UnsafePointer((raw + Int(4 * epoch)).assumingMemoryBound(to: Atomic<UInt32>.self))
    }

    @inlinable @inline(__always)
    func entry(_ index: Int) -> UnsafeMutablePointer<ObserverEntry> {
        (raw + 16 + 16 * index).assumingMemoryBound(to: ObserverEntry.self)
    }
}

/// The observers at one moment, as a sender walks them.
@usableFromInline
struct ObserverView {
    // Kernel-internal: emit. A source of many sinks.
    @usableFromInline let list: ObserverListAddress
    @usableFromInline let count: Int

    @inlinable @inline(__always)
    init(list: ObserverListAddress, count: Int) {
        self.list = list
        self.count = count
    }

    /// Calls `body` with each observer that is still on the list.
    @inlinable @inline(__always)
    func forEach(_ body: (Sink) -> Void) {
        var entry = list.entry(0)
        let end = entry + count
        // By address, because a count is checked for overflow at each step.
        while entry < end {
            entry.pointee.withSink(body)
            entry += 1
        }
    }

    /// Delivers a value to each observer. Each receives a separate copy, so that a change by one observer is not
    /// visible to the next one.
    @inlinable @inline(__always)
    func deliver<Element>(_ element: inout Element) {
        if count == 1 { return list.entry(0).pointee.withSink { $0.emit(&element) } }
        deliverToEach(element)
    }

    /// Does the same as `deliver(_:)`, for any number of observers.
    // Not inlined: see `SubjectObservers.sendElsewhere`.
    @inlinable @inline(never)
    func deliverToEach<Element>(_ element: Element) {
        forEach { sink in
            var copy = element
            sink.emit(&copy)
        }
    }
}
