/// The observers of a subject at one moment: immutable, in one allocation.
@usableFromInline
final class ObserverSnapshot: ManagedBuffer<Int, SubjectSubscription> {
    /// Nobody. Shared, so that the last one to leave allocates nothing.
    // Unsafe: immutable, and it has no elements.
    nonisolated(unsafe) static let empty = make(count: 0) { _ in }

    @usableFromInline
    var count: Int { header }

    private static func make(count: Int, fill: (UnsafeMutablePointer<SubjectSubscription>) -> Void) -> ObserverSnapshot {
        let snapshot = create(minimumCapacity: count) { _ in count }
        snapshot.withUnsafeMutablePointerToElements(fill)
        return unsafeDowncast(snapshot, to: ObserverSnapshot.self)
    }

    deinit {
        _ = withUnsafeMutablePointers { header, elements in elements.deinitialize(count: header.pointee) }
    }

    /// These observers and one more. O(s) for *s* observers.
    func adding(_ subscription: SubjectSubscription) -> ObserverSnapshot {
        withUnsafeMutablePointerToElements { old in
            Self.make(count: count + 1) { new in
                new.initialize(from: old, count: count)
                (new + count).initialize(to: subscription)
            }
        }
    }

    /// These observers without one of them, or `nil` if it is not among them. O(s) for *s* observers.
    func removing(_ subscription: SubjectSubscription) -> ObserverSnapshot? {
        withUnsafeMutablePointerToElements { old in
            guard let index = (0..<count).first(where: { old[$0] === subscription }) else { return nil }
            if count == 1 { return .empty }
            return Self.make(count: count - 1) { new in
                new.initialize(from: old, count: index)
                (new + index).initialize(from: old + index + 1, count: count - index - 1)
            }
        }
    }
}

/// One observer's place in a subject.
@usableFromInline
final class SubjectSubscription: DisposeBase {
    @usableFromInline let sink: Sink
    private let observers: SubjectObservers

    init(sink: Sink, observers: SubjectObservers) {
        self.sink = sink
        self.observers = observers
        super.init(kind: .disposable)
    }

    @usableFromInline
    override func dispose() { observers.remove(self) }
}
