import Synchronization

/// The observers of a subject, read without a lock by its senders, and how the subject has ended.
///
/// Senders read an immutable snapshot; subscribing and disposing publish a new one. A snapshot that has
/// been replaced may still be read, so it is kept until no sender is under way: `readers` counts them. An event takes
/// two read-modify-writes, however many observers there are. The price: what is disposed during an event is released
/// when that event, and every one that overlaps it, has been delivered; and subscribing copies the list.
///
/// The end is decided under the lock that guards the list: an observer is either on it when the subject ends, and is
/// told, or refused, and told by the one that wanted to add it.
@usableFromInline
class SubjectObservers: @unchecked Sendable {
    // @unchecked: the mutable fields are guarded by `lock`, the snapshot by `readers`.

    /// Whether a subject still takes events, and if not, what its late subscribers get.
    ///
    /// ```text
    /// open ──a stop event──▶ ended ──dispose()──▶ disposed
    ///   └─────────────────dispose()──────────────────▲
    /// ```
    @usableFromInline
    enum Ending {
        case open
        case ended((any Error)?)
        case disposed
    }

    /// Senders under way and whether replaced snapshots wait for them.
    @usableFromInline
    enum Readers {
        /// Counts one sender.
        @inlinable static var one: Int { 2 }
        /// Replaced snapshots wait: the last sender to leave lets go of them.
        @inlinable static var awaited: Int { 1 }
    }

    @usableFromInline final let readers = Atomic<Int>(0)
    /// The snapshot's address; `owned` keeps it alive.
    @usableFromInline final let current: Atomic<UInt>
    private final let keys = Atomic<UInt>(0)

    @usableFromInline final let lock = OwnerLock()
    @exclusivity(unchecked) @usableFromInline final var owned = ObserverSnapshot.empty
    @exclusivity(unchecked) private final var replaced: [ObserverSnapshot] = []
    @exclusivity(unchecked) @usableFromInline final var ending = Ending.open
    /// Under `lock`: `ending` is `open`. Apart from it, as subjects that remember ask for every event.
    @exclusivity(unchecked) @usableFromInline final var isOpen = true

    #if DEBUG
        @usableFromInline final let monitor = EventMonitor()
    #endif

    @usableFromInline
    init() { current = Atomic(Self.address(of: .empty)) }

    private static func address(of snapshot: ObserverSnapshot) -> UInt {
        UInt(bitPattern: Unmanaged.passUnretained(snapshot).toOpaque())
    }

    /// Whether nobody is subscribed.
    var isEmpty: Bool { lock.withLock { owned.count == 0 } }

    final var isDisposed: Bool {
        lock.withLock { if case .disposed = ending { true } else { false } }
    }

    // MARK: Sending

    /// Delivers a value to everyone who is subscribed at this moment.
    @inlinable @inline(__always)
    final func send<Element>(_ element: inout Element) {
        // Sequentially consistent, as in `publish`: either a writer sees this reader, or this reader sees the new
        // snapshot.
        readers.wrappingAdd(Readers.one, ordering: .sequentiallyConsistent)
        let address = UnsafeRawPointer(bitPattern: current.load(ordering: .sequentiallyConsistent)).unsafelyUnwrapped
        Unmanaged<ObserverSnapshot>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.deliver(&element) }
        if readers.wrappingSubtract(Readers.one, ordering: .sequentiallyConsistent).newValue == Readers.awaited {
            reclaim()
        }
    }

    /// Ends the sequence of all observers and refuses later ones. The first call wins.
    @usableFromInline
    final func end(_ error: (any Error)?) { close(error)?.end(error) }

    /// The observers that are to be told of the end; `nil` unless this call ended the subject.
    final func close(_ error: (any Error)?) -> ObserverSnapshot? {
        let closed = lock.withLock { () -> (last: ObserverSnapshot, garbage: Garbage)? in
            guard isOpen else { return nil }
            isOpen = false
            ending = .ended(error)
            return (owned, publish(.empty))
        }
        return closed?.last
    }

    /// Forgets all observers without an event, and refuses later ones.
    func dispose() {
        let garbage = lock.withLock { () -> (Ending, Garbage) in
            let before = ending
            isOpen = false
            ending = .disposed
            return (before, publish(.empty))
        }
        withExtendedLifetime(garbage) {}
    }

    // MARK: Subscribing

    /// The number of a subscription to come; no two of this subject are alike.
    final func makeKey() -> UInt { keys.wrappingAdd(1, ordering: .relaxed).newValue }

    /// Adds an observer, or ends it if the subject has ended.
    ///
    /// - Parameters:
    ///   - key: from `makeKey()`, to `remove` it by.
    ///   - subscription: what removes it; connected once the observer is added.
    ///   - subject: named in `RxError.disposed`.
    @usableFromInline
    func subscribe(_ sink: Sink, key: UInt, subscription: any Disposable, of subject: AnyObject) {
        let (ending, garbage) = lock.withLock { () -> (Ending, Garbage) in
            (self.ending, isOpen ? publish(owned.adding(sink, key: key)) : Garbage())
        }
        withExtendedLifetime(garbage) {}
        if case .open = ending { return sink.connect(subscription) }
        refuse(sink, ending, of: subject)
    }

    /// Tells a late subscriber how the subject has ended.
    @usableFromInline
    final func refuse(_ sink: Sink, _ ending: Ending, of subject: AnyObject) {
        switch ending {
        case .open: break
        case .ended(let error): sink.endOnce(error)
        // Made when asked for: kept in the subject, it would keep the subject.
        case .disposed: sink.endOnce(RxError.disposed(object: subject))
        }
    }

    /// Removes an observer, if it is still there.
    func remove(_ key: UInt) {
        let garbage = lock.withLock { owned.removing(key).map { publish($0) } }
        withExtendedLifetime(garbage) {}
    }

    // MARK: Reclaiming

    /// Snapshots that nobody reads any more: to be let go of outside the lock, as that may run user code.
    @usableFromInline
    struct Garbage {
        var last: ObserverSnapshot?
        var earlier: [ObserverSnapshot] = []
    }

    /// Replaces the snapshot. Call it with the lock held.
    @usableFromInline
    final func publish(_ snapshot: ObserverSnapshot) -> Garbage {
        let old = owned
        owned = snapshot
        current.store(Self.address(of: snapshot), ordering: .sequentiallyConsistent)
        guard readers.load(ordering: .sequentiallyConsistent) > Readers.awaited else { return Garbage(last: old) }
        replaced.append(old)
        // The readers may have left meanwhile; the last one then saw no mark and left the work to us.
        return readers.bitwiseOr(Readers.awaited, ordering: .sequentiallyConsistent).newValue == Readers.awaited
            ? takeReplaced() : Garbage()
    }

    @usableFromInline @inline(never)
    final func reclaim() {
        let garbage = lock.withLock { takeReplaced() }
        withExtendedLifetime(garbage) {}
    }

    private final func takeReplaced() -> Garbage {
        // With no reader under way now, later ones find the current snapshot.
        guard
            readers.compareExchange(expected: Readers.awaited, desired: 0, ordering: .sequentiallyConsistent).exchanged
        else {
            return Garbage()
        }
        defer { replaced = [] }
        return Garbage(earlier: replaced)
    }
}

/// One observer's subscription to a subject: disposing it takes the observer off the list.
///
/// It knows neither the observer nor, strongly, the subject. A subject that is dropped with live
/// subscribers therefore lets go of them, and a subscription that outlives its subject has nothing to do.
final class SubjectSubscription: DisposeBase, Disposable, @unchecked Sendable {
    // @unchecked: what is weak is only read.
    private weak var observers: SubjectObservers?
    private let key: UInt

    init(observers: SubjectObservers, key: UInt) {
        self.observers = observers
        self.key = key
        super.init()
    }

    func dispose() { observers?.remove(key) }
}

extension SubjectObservers {
    /// Adds an observer to `subject`, whose observers these are, until it is disposed.
    @usableFromInline
    final func subscribe(_ sink: Sink, of subject: AnyObject) {
        let key = makeKey()
        subscribe(sink, key: key, subscription: SubjectSubscription(observers: self, key: key), of: subject)
    }
}
