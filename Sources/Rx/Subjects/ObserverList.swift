import Synchronization

/// The observers of a subject in the order of their subscriptions, with room for more: what senders walk.
///
/// It is only appended to, and who leaves is blanked out, so that a sender can walk it meanwhile. Where it has no room
/// left, or blanks are the majority, the subject copies it to another one.
///
/// ```text
/// 0   how many entries a sender of each generation walks: four numbers of 32 bits
/// 16  the entries
/// ```
@usableFromInline
final class ObserverList: ManagedBuffer<UInt, UInt> {
    // The header is the number of entries that hold a reference to their sink: all, or none once another list or the
    // garbage of an event has taken the references over.

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

    // By pointer: the property of a buffer is accessed with a check by the runtime.
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
    // Retained by hand: a strong field is retained again for each delivery, which then takes five times as long.
    @usableFromInline let sink: Atomic<UInt>
    /// The key of the subscription. Under the subject's lock, as `birth`.
    var key: UInt32
    /// The generation of senders at the time of the subscription: earlier ones do not see the entry.
    var birth: UInt32

    /// Calls `body` with the sink, unless this is a blank.
    @inlinable @inline(__always)
    func withSink(_ body: (Sink) -> Void) {
        // Acquiring: what a replay has left in a sink that has replaced its gate. Others were shown by the count.
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

    /// Has another sink in the place of the one before, whose reference is the caller's.
    // Not mutating: a sender may read the entry at the same time.
    func replace(by sink: Unmanaged<Sink>) {
        // Releasing: a sender that finds the sink sees what it holds.
        self.sink.store(UInt(bitPattern: sink.toOpaque()), ordering: .releasing)
    }

    /// Takes over what another entry has, which stays as it is.
    mutating func become(_ other: UnsafePointer<ObserverEntry>) {
        (key, birth) = (other.pointee.key, other.pointee.birth)
        sink.store(other.pointee.sink.load(ordering: .relaxed), ordering: .relaxed)
    }

    /// Makes it a blank, and returns what it was.
    func taken() -> Unmanaged<Sink>? {
        defer { sink.store(0, ordering: .relaxed) }
        return current
    }
}

/// A list without room, within the subject: nobody's, before the first observer comes and after the end.
struct NoObservers: ~Copyable {
    // The counts of the generations, two in each word.
    private let first = Atomic<UInt>(0)
    private let second = Atomic<UInt>(0)

    // Unprotected: the address is that of a property which does not move.
    var address: ObserverListAddress {
        _withUnprotectedUnsafePointer(to: first) {
            ObserverListAddress(raw: UnsafeMutableRawPointer(mutating: UnsafeRawPointer($0)))
        }
    }
}

/// Where a list lies.
@usableFromInline
struct ObserverListAddress {
    @usableFromInline let raw: UnsafeMutableRawPointer

    @inlinable
    init(raw: UnsafeMutableRawPointer) { self.raw = raw }

    static func words(_ capacity: Int) -> Int { 2 + 2 * capacity }

    /// How many entries the senders of a generation walk, by the generation's number.
    @inlinable @inline(__always)
    func count(_ generation: UInt) -> UnsafePointer<Atomic<UInt32>> {
        UnsafePointer((raw + Int(4 * generation)).assumingMemoryBound(to: Atomic<UInt32>.self))
    }

    @inlinable @inline(__always)
    func entry(_ index: Int) -> UnsafeMutablePointer<ObserverEntry> {
        (raw + 16 + 16 * index).assumingMemoryBound(to: ObserverEntry.self)
    }
}

/// The observers of one moment, as a sender walks them.
@usableFromInline
struct ObserverView {
    @usableFromInline let list: ObserverListAddress
    @usableFromInline let count: Int

    @inlinable @inline(__always)
    init(list: ObserverListAddress, count: Int) {
        self.list = list
        self.count = count
    }

    /// Calls `body` with each of them that is still there.
    @inlinable @inline(__always)
    func forEach(_ body: (Sink) -> Void) {
        var entry = list.entry(0)
        let end = entry + count
        // By address, as a count is checked for overflow at each step.
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

    /// As `deliver(_:)`, to any number of them.
    // Not inlined: see `SubjectObservers.sendElsewhere`.
    @inlinable @inline(never)
    func deliverToEach<Element>(_ element: Element) {
        forEach { sink in
            var copy = element
            sink.emit(&copy)
        }
    }
}
