/// The observers of a subject at one moment: immutable, in one allocation.
@usableFromInline
final class ObserverSnapshot: ManagedBuffer<Int, ObserverSnapshot.Entry> {
    /// One observer, and the number that its subscription knows it by.
    @usableFromInline
    struct Entry {
        // Retained by hand, once for each snapshot it is in: a strong field is retained again for each delivery, which
        // then takes five times as long.
        @usableFromInline let sink: Unmanaged<Sink>
        let key: UInt

        @inlinable @inline(__always)
        func emit<Element>(_ element: inout Element) {
            sink._withUnsafeGuaranteedRef { $0.emit(&element) }
        }
    }

    /// Nobody. Shared, so that the last one to leave allocates nothing.
    // Unsafe: immutable, and it has no elements.
    nonisolated(unsafe) static let empty = make(count: 0) { _ in }

    @usableFromInline
    var count: Int { header }

    private static func make(count: Int, fill: (UnsafeMutablePointer<Entry>) -> Void) -> ObserverSnapshot {
        let snapshot = create(minimumCapacity: count) { _ in count }
        snapshot.withUnsafeMutablePointerToElements { entries in
            fill(entries)
            for index in 0..<count { _ = entries[index].sink.retain() }
        }
        return unsafeDowncast(snapshot, to: ObserverSnapshot.self)
    }

    deinit {
        withUnsafeMutablePointers { count, entries in
            for index in 0..<count.pointee { entries[index].sink.release() }
        }
    }

    /// Delivers a value to each of them. Each gets a copy of its own, so that what one changes the next does not see.
    @inlinable @inline(__always)
    func deliver<Element>(_ element: inout Element) {
        withUnsafeMutablePointers { count, observers in
            if count.pointee == 1 { return observers[0].emit(&element) }
            for index in 0..<count.pointee {
                var copy = element
                observers[index].emit(&copy)
            }
        }
    }

    /// Ends everyone's sequence.
    func end(_ error: (any Error)?) {
        withUnsafeMutablePointers { count, observers in
            for index in 0..<count.pointee { observers[index].sink._withUnsafeGuaranteedRef { $0.endOnce(error) } }
        }
    }

    /// These observers and one more. O(s) for *s* observers.
    @usableFromInline
    func adding(_ sink: Sink, key: UInt) -> ObserverSnapshot {
        withUnsafeMutablePointerToElements { old in
            Self.make(count: count + 1) { new in
                new.initialize(from: old, count: count)
                (new + count).initialize(to: Entry(sink: .passUnretained(sink), key: key))
            }
        }
    }

    /// These observers without one of them, or `nil` if it is not among them. O(s) for *s* observers.
    func removing(_ key: UInt) -> ObserverSnapshot? {
        withUnsafeMutablePointerToElements { old in
            guard let index = (0..<count).first(where: { old[$0].key == key }) else { return nil }
            if count == 1 { return .empty }
            return Self.make(count: count - 1) { new in
                new.initialize(from: old, count: index)
                (new + index).initialize(from: old + index + 1, count: count - index - 1)
            }
        }
    }
}
