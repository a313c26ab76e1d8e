import Synchronization

/// The observers of a subject, and the way in which the subject has ended. Senders read the observers without a lock.
///
/// Senders walk a list to which observers are appended. The entry of an observer that leaves becomes a blank.
/// `SenderEpochs` determines which senders may still see an observer that has left, or a list that was replaced by
/// another list. Such an object is released when those senders have left, or immediately if there are no such senders.
/// An event takes two read-modify-writes, for any number of observers. On the bias owner it takes no read-modify-write.
/// Subscribing and disposing take O(1) amortised.
///
/// The end is decided under the lock that guards the list. An observer that is on the list when the subject ends is
/// notified of the end. A later observer is refused, and the thread that subscribes it notifies it.
@usableFromInline
class SubjectObservers: @unchecked Sendable {
    // @unchecked: the mutable fields are guarded by `lock`, and the data that senders read by `epochs`.
    // Kernel-internal: emitEndOnce, markConnected, upstreamPlace. A source of many sinks, which it connects under
    // its lock.

    /// Whether a subject still accepts events. If it does not, this determines the end that late subscribers receive.
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

    @usableFromInline final let epochs = SenderEpochs()
    private final let nobody = NoObservers()
    @usableFromInline final let lock = BiasedLock()

    /// The list to which observers are appended: the list of `owned`, or `nobody`.
    @exclusivity(unchecked) private final var list: ObserverListAddress
    @exclusivity(unchecked) private final var owned: ObserverList?
    @exclusivity(unchecked) private final var capacity = 0
    /// The number of entries, including blanks. `live` is the number of observers.
    @exclusivity(unchecked) private final var count = 0
    @exclusivity(unchecked) private final var live = 0
    @exclusivity(unchecked) private final var keys = SubscriptionKeys()
    @exclusivity(unchecked) final var retired = RetiredObservers()

    @exclusivity(unchecked) @usableFromInline final var ending = Ending.open
    /// Whether `ending` is `open`. Guarded by `lock`. Stored separately, because subjects that remember values check it
    /// for every event.
    @exclusivity(unchecked) @usableFromInline final var isOpen = true
    /// Whether the subject is open and each running replay has a gate (`RememberingObservers`). Guarded by `lock`.
    @exclusivity(unchecked) @usableFromInline final var isReadyToSend = true

    #if DEBUG
        @usableFromInline final let monitor = EventMonitor()
    #endif

    @usableFromInline
    init() {
        list = ObserverListAddress(raw: UnsafeMutableRawPointer(bitPattern: 16).unsafelyUnwrapped)
        list = nobody.address
        publish()
    }

    /// Whether there are no subscribers.
    var isEmpty: Bool { lock.withLock { live == 0 } }

    final var isDisposed: Bool {
        lock.withLock { if case .disposed = ending { true } else { false } }
    }

    // MARK: Sending

    /// Delivers a value to all present observers.
    @inlinable @inline(__always)
    final func send<Element>(_ element: inout Element) {
        let owner = epochs.owner.load(ordering: .relaxed)
        guard epochs.isOwn(owner) else { return sendElsewhere(&element, 0) }
        epochs.enterAsOwner(owner)
        guard _fastPath(epochs.isStill(owner)) else { return sendElsewhere(&element, owner) }
        let visit = epochs.visit(owner)
        visit.view.deliver(&element)
        if _slowPath(epochs.leaveAsOwner(owner)) { reclaim(visit.number) }
    }

    /// Does the same as `send(_:)`, for a sender that is not the bias owner.
    ///
    /// - Parameter owner: see `enterElsewhere(_:)`.
    // Not inlined, so that the code for the bias owner is small and is inlined at the sender.
    @inlinable @inline(never)
    final func sendElsewhere<Element>(_ element: inout Element, _ owner: UInt) {
        let visit = enterElsewhere(owner)
        visit.view.deliver(&element)
        leave(visit)
    }

    /// - Parameter owner: the value of `owner` with which the current thread entered before it found that it is no
    ///   longer the bias owner, or 0.
    @usableFromInline @inline(never)
    final func enterElsewhere(_ owner: UInt) -> SenderEpochs.Visit {
        if owner != 0, epochs.leaveAsOwner(owner) { reclaim(owner & 3) }
        // `tryLock`, because a sender never waits.
        if epochs.isToConsider, lock.tryLock() {
            epochs.consider()
            lock.unlock()
        }
        return epochs.enter()
    }

    /// Begins a sender's visit, for subjects whose senders all enter with the lock held.
    @inlinable @inline(__always)
    final func enterLocked() -> SenderEpochs.Visit {
        let owner = epochs.owner.load(ordering: .relaxed)
        guard epochs.isOwn(owner) else { return enterElsewhereLocked() }
        // No other thread revokes the bias in the meantime, because that requires the lock.
        epochs.enterAsOwner(owner)
        return epochs.visit(owner)
    }

    @usableFromInline @inline(never)
    final func enterElsewhereLocked() -> SenderEpochs.Visit {
        if epochs.isToConsider { epochs.consider() }
        return epochs.enterLocked()
    }

    /// Ends a sender's visit.
    @inlinable @inline(__always)
    final func leave(_ visit: SenderEpochs.Visit) {
        if _slowPath(epochs.leave(visit)) { reclaim(visit.number) }
    }

    @usableFromInline @inline(never)
    final func reclaim(_ number: UInt) {
        let garbage = lock.withLock { () -> Garbage in
            retired.drained(number, of: epochs, list: list, count: count)
            return Garbage(seen: retired.takeReleased())
        }
        withExtendedLifetime(garbage) {}
    }

    /// Ends the sequence for all observers and refuses later observers. The first call wins.
    @usableFromInline
    final func end(_ error: (any Error)?) { close(error)?.forEach { $0.emitEndOnce(error) } }

    /// The observers that a subject had when it ended. The caller notifies them of the end.
    struct Left {
        private let view: ObserverView
        private let garbage: Garbage

        fileprivate init(_ view: ObserverView, _ garbage: Garbage) {
            self.view = view
            self.garbage = garbage
        }

        func forEach(_ body: (Sink) -> Void) { withExtendedLifetime(garbage) { view.forEach(body) } }
    }

    /// Refuses later observers and removes the present ones. Returns `nil` unless this call ended the subject.
    final func close(_ error: (any Error)?) -> Left? {
        lock.withLock {
            guard isOpen else { return nil }
            let view = ObserverView(list: list, count: count)
            return Left(view, abandon(.ended(error)))
        }
    }

    /// Removes all observers without an event, and refuses later ones. The subject's deinitialiser also calls it,
    /// because an observer that keeps its subscription must not keep other observers alive.
    func dispose() {
        let garbage = lock.withLock { (ending, abandon(.disposed)) }
        withExtendedLifetime(garbage) {}
    }

    /// Disposes the observers of a subject that is being deinitialised.
    // Unmanaged, because the compiler would retain the observers for the call.
    static func dispose(_ observers: Unmanaged<SubjectObservers>) {
        observers._withUnsafeGuaranteedRef { $0.dispose() }
    }

    // MARK: Subscribing

    /// Creates the subscription of an observer. Called with the lock held.
    @usableFromInline typealias Making = (SubjectObservers, UInt32) -> any Disposable

    /// Adds an observer, or ends it if the subject has ended.
    ///
    /// - Parameters:
    ///   - subject: the subject that is named in `RxError.disposed`.
    ///   - making: creates the subscription of an observer that was added. The subscription is then connected.
    @usableFromInline
    func subscribe(_ sink: consuming Sink, of subject: AnyObject, as making: Making) {
        // Unmanaged, because the list takes over this reference.
        let sink = Unmanaged.passRetained(consume sink)
        lock.lock()
        guard isOpen else {
            let ending = ending
            lock.unlock()
            return refuse(sink.takeRetainedValue(), ending, of: subject)
        }
        let key = takeKey()
        let garbage = join(sink, at: key)
        // The lock is still held, so that no other thread removes the observer in the meantime.
        let isInTime = sink._withUnsafeGuaranteedRef { sink in
            sink.upstreamPlace.initialize(to: making(self, key))
            return sink.markConnected()
        }
        if isInTime { lock.unlock() } else { unlock(disposing: sink) }
        withExtendedLifetime(garbage) {}
    }

    /// Releases the lock, and disposes the subscription of an observer that ended before it was connected.
    private final func unlock(disposing sink: Unmanaged<Sink>) {
        // Takes the subscription while the lock is held, because only the list keeps the observer alive.
        let subscription = sink._withUnsafeGuaranteedRef { $0.upstreamPlace.pointee.take() }
        lock.unlock()
        subscription?.dispose()
    }

    /// Adds an observer to `subject`, to which these observers belong. The observer stays until it is disposed.
    @usableFromInline
    final func subscribe(_ sink: consuming Sink, of subject: AnyObject) {
        subscribe(sink, of: subject, as: SubscriptionKey.counted)
    }

    /// Notifies a late subscriber of the end of the subject.
    @usableFromInline
    final func refuse(_ sink: Sink, _ ending: Ending, of subject: AnyObject) {
        switch ending {
        case .open: break
        case .ended(let error): sink.emitEndOnce(error)
        // Created on demand, because an error that is stored in the subject would keep the subject alive.
        case .disposed: sink.emitEndOnce(RxError.disposed(object: subject))
        }
    }

    /// Removes an observer, if it is still on the list.
    final func remove(_ key: UInt32) {
        let garbage = lock.withLock { take(key) }
        withExtendedLifetime(garbage) {}
    }

    // MARK: With the lock held

    /// The objects that no sender sees any more. Release them outside the lock, because their deinitialisers may run
    /// user code.
    @usableFromInline
    struct Garbage {
        var unseen: AnyObject?
        var seen: [RetiredObservers.Item]?
    }

    /// Returns a free key for a subscription.
    @usableFromInline
    final func takeKey() -> UInt32 {
        let wasSearched = keys.isSearched
        let number = keys.take()
        if wasSearched, !keys.isSearched { enterKeys() }
        return number
    }

    private final func enterKeys() {
        for index in 0..<count where !list.entry(index).pointee.isBlank {
            keys.set(list.entry(index).pointee.key, to: index)
        }
    }

    /// Whether there are no observers on the list.
    final var hasNone: Bool { live == 0 }

    /// Appends an observer to the list, which takes over the reference. Returns the objects to release.
    @usableFromInline
    final func join(_ sink: Unmanaged<Sink>, at key: UInt32) -> Garbage {
        append(sink, at: key)
        return Garbage(seen: retired.takeReleased())
    }

    /// Does the same as `join(_:at:)`, but leaves the objects to the next call that returns them.
    @usableFromInline
    final func append(_ sink: Unmanaged<Sink>, at key: UInt32) {
        if count == capacity { copy() }
        list.entry(count).pointee.fill(sink, key: key, birth: retired.epoch)
        keys.set(key, to: count)
        live += 1
        setCount(count + 1)
    }

    /// Removes an observer, if it is still on the list. Returns the objects to release.
    func take(_ key: UInt32) -> Garbage {
        guard isOpen else { return Garbage() }
        let index = index(of: key)
        keys.giveBack(key)
        guard let index, let sink = list.entry(index).pointee.taken() else { return Garbage() }
        live -= 1
        let newest = trim()
        let birth = list.entry(index).pointee.birth
        let isSeen = newest.map { $0 >= birth } ?? false
        if isSeen { retire(sink.takeRetainedValue(), birth: birth, seen: newest) }
        if owned != nil, count - live > live + 8 || (capacity > 64 && live < capacity / 8) { copy() }
        return Garbage(unseen: isSeen ? nil : sink.takeRetainedValue(), seen: retired.takeReleased())
    }

    /// Replaces a gate with `sink`, if the gate is still on the list. Returns the objects to release.
    @usableFromInline
    final func replace(_ gate: Sink, at key: UInt32, by sink: Sink) -> Garbage {
        guard isOpen, let index = index(of: key) else { return Garbage() }
        let entry = list.entry(index)
        // If the entry has a different sink, the observer has left, and a later observer may have its key.
        guard let current = entry.pointee.current, current.toOpaque() == Unmanaged.passUnretained(gate).toOpaque()
        else { return Garbage() }
        entry.pointee.replace(by: .passRetained(sink))
        let newest = newest
        let isSeen = newest.map { $0 >= entry.pointee.birth } ?? false
        if isSeen { retire(current.takeRetainedValue(), birth: entry.pointee.birth, seen: newest) }
        return Garbage(unseen: isSeen ? nil : current.takeRetainedValue(), seen: retired.takeReleased())
    }

    /// Keeps an object that was removed from the list until no sender sees it.
    private final func retire(_ object: AnyObject, birth: UInt32, seen newest: UInt32?) {
        retired.retire(object, birth: birth, seen: newest, by: epochs, list: list, count: count)
    }

    private final func index(of key: UInt32) -> Int? {
        if !keys.isSearched { return keys.index(of: key) }
        return (0..<count).first {
            list.entry($0).pointee.key == key && !list.entry($0).pointee.isBlank
        }
    }

    /// The newest epoch that has senders.
    // Not a method of `retired`, because a call of it would copy `retired`.
    private final var newest: UInt32? { epochs.isQuiet() ? retired.newestClosed : retired.epoch }

    /// Frees the blanks at the end of the list that no sender can reach any more. Returns the newest epoch that
    /// has senders.
    private final func trim() -> UInt32? {
        var end = count
        // At most four at a time, because a sender that enters in between makes this work useless.
        while end > 0, count - end < 4, list.entry(end - 1).pointee.isBlank { end -= 1 }
        guard end < count else { return newest }
        // First sets the count and then checks for senders, so that a sender that enters later sees the lower count.
        let before = count
        setCount(end)
        guard let newest else { return nil }
        while end < before, list.entry(end).pointee.birth <= newest { end += 1 }
        if end != count { setCount(end) }
        return newest
    }

    private final func setCount(_ newCount: Int) {
        count = newCount
        // Releasing: publishes the entries.
        list.count(epochs.open).pointee.store(UInt32(newCount), ordering: .releasing)
    }

    /// Copies the observers to a new list, which has no blanks and has room for twice the number of observers.
    private final func copy() {
        let (old, birth) = (list, retired.listBirth)
        let room = max(2, 2 * live)
        // Uses `swap`, because with an assignment the compiler would retain both lists.
        var other: ObserverList? = ObserverList.make(capacity: room)
        swap(&owned, &other)
        list = owned.unsafelyUnwrapped.address
        var end = 0
        for index in 0..<count where !old.entry(index).pointee.isBlank {
            list.entry(end).pointee.become(old.entry(index))
            keys.set(old.entry(index).pointee.key, to: end)
            end += 1
        }
        (capacity, count) = (room, end)
        retired.listBirth = retired.epoch
        publish()
        guard let replaced = other else { return }
        replaced.disown()
        retire(replaced, birth: birth, seen: newest)
    }

    /// Publishes the list to senders that enter after this call.
    private final func publish() {
        setCount(count)
        // Releasing: publishes the list.
        epochs.slot(epochs.open).pointee.list.store(UInt(bitPattern: list.raw), ordering: .releasing)
    }

    /// Ends the subject, and hides its observers from senders that enter after this call. Returns the list to the
    /// caller, and also keeps it for senders that may see it.
    private final func abandon(_ ending: Ending) -> Garbage {
        isOpen = false
        isReadyToSend = false
        self.ending = ending
        guard let replaced = owned else { return Garbage(seen: retired.takeReleased()) }
        // The list keeps all its references, because senders may still walk it.
        let birth = min(retired.listBirth, list.entry(0).pointee.birth)
        (owned, list, capacity, count, live) = (nil, nobody.address, 0, 0, 0)
        keys.reset()
        publish()
        if let newest, newest >= birth {
            retire(replaced, birth: birth, seen: newest)
        }
        return Garbage(unseen: replaced, seen: retired.takeReleased())
    }
}
