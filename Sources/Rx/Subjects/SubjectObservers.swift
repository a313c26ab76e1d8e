import Synchronization

/// The observers of a subject, read without a lock by its senders, and how the subject has ended.
///
/// Senders walk a list that grows at its end; who leaves is blanked out there. `SenderGenerations` tells which senders
/// may still see an observer that has left, or a list that another one has replaced: that is let go of when they have
/// left, and at once if there are none. An event takes two read-modify-writes, and none on the thread that is at home,
/// however many observers there are; subscribing and disposing take O(1) amortised.
///
/// The end is decided under the lock that guards the list: an observer is either on it when the subject ends, and is
/// told, or refused, and told by the one that wanted to add it.
@usableFromInline
class SubjectObservers: @unchecked Sendable {
    // @unchecked: the mutable fields are guarded by `lock`, what senders read by `generations`.

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

    @usableFromInline final let generations = SenderGenerations()
    private final let nobody = NoObservers()
    @usableFromInline final let lock = HomeLock()

    /// The list that is appended to: `nobody`, or that of `owned`.
    @exclusivity(unchecked) private final var list: ObserverListAddress
    @exclusivity(unchecked) private final var owned: ObserverList?
    @exclusivity(unchecked) private final var capacity = 0
    /// Entries, blanks among them, and observers.
    @exclusivity(unchecked) private final var count = 0
    @exclusivity(unchecked) private final var live = 0
    @exclusivity(unchecked) private final var keys = SubscriptionKeys()
    @exclusivity(unchecked) final var retired = RetiredObservers()

    @exclusivity(unchecked) @usableFromInline final var ending = Ending.open
    /// Under `lock`: `ending` is `open`. Apart from it, as subjects that remember ask for every event.
    @exclusivity(unchecked) @usableFromInline final var isOpen = true
    /// Under `lock`: it is open, and no replay runs that has no gate (`RememberingObservers`).
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

    /// Whether nobody is subscribed.
    var isEmpty: Bool { lock.withLock { live == 0 } }

    final var isDisposed: Bool {
        lock.withLock { if case .disposed = ending { true } else { false } }
    }

    // MARK: Sending

    /// Delivers a value to everyone who is subscribed at this moment.
    @inlinable @inline(__always)
    final func send<Element>(_ element: inout Element) {
        let home = generations.home.load(ordering: .relaxed)
        guard generations.isOwn(home) else { return sendElsewhere(&element, 0) }
        generations.enterHome(home)
        guard _fastPath(generations.isStill(home)) else { return sendElsewhere(&element, home) }
        let visit = generations.visit(home)
        visit.view.deliver(&element)
        if _slowPath(generations.leaveHome(home)) { reclaim(visit.number) }
    }

    /// As `send(_:)`, by a sender that is not at home.
    ///
    /// - Parameter home: see `enterElsewhere(_:)`.
    // Not inlined: a sender at home is small then, and inlined where it sends.
    @inlinable @inline(never)
    final func sendElsewhere<Element>(_ element: inout Element, _ home: UInt) {
        let visit = enterElsewhere(home)
        visit.view.deliver(&element)
        leave(visit)
    }

    /// - Parameter home: what was entered although it is the current thread's home no more; or 0.
    @usableFromInline @inline(never)
    final func enterElsewhere(_ home: UInt) -> SenderGenerations.Visit {
        if home != 0, generations.leaveHome(home) { reclaim(home & 3) }
        // Not waited for: a sender waits for nobody.
        if generations.isToConsider, lock.tryLock() {
            generations.consider()
            lock.unlock()
        }
        return generations.enter()
    }

    /// As `enter()`, where all senders enter with the lock held.
    @inlinable @inline(__always)
    final func enterLocked() -> SenderGenerations.Visit {
        let home = generations.home.load(ordering: .relaxed)
        guard generations.isOwn(home) else { return enterElsewhereLocked() }
        // Nobody ends it meanwhile: that takes the lock.
        generations.enterHome(home)
        return generations.visit(home)
    }

    @usableFromInline @inline(never)
    final func enterElsewhereLocked() -> SenderGenerations.Visit {
        if generations.isToConsider { generations.consider() }
        return generations.enterLocked()
    }

    /// Ends a sender's visit.
    @inlinable @inline(__always)
    final func leave(_ visit: SenderGenerations.Visit) {
        if _slowPath(generations.leave(visit)) { reclaim(visit.number) }
    }

    @usableFromInline @inline(never)
    final func reclaim(_ number: UInt) {
        let garbage = lock.withLock { () -> Garbage in
            retired.drained(number, of: generations, list: list, count: count)
            return Garbage(seen: retired.takeReleased())
        }
        withExtendedLifetime(garbage) {}
    }

    /// Ends the sequence of all observers and refuses later ones. The first call wins.
    @usableFromInline
    final func end(_ error: (any Error)?) { close(error)?.forEach { $0.endOnce(error) } }

    /// The observers that a subject had when it ended, who are to be told of it.
    struct Left {
        private let view: ObserverView
        private let garbage: Garbage

        fileprivate init(_ view: ObserverView, _ garbage: Garbage) {
            self.view = view
            self.garbage = garbage
        }

        func forEach(_ body: (Sink) -> Void) { withExtendedLifetime(garbage) { view.forEach(body) } }
    }

    /// Refuses later observers and forgets those that there are; `nil` unless this call ended the subject.
    final func close(_ error: (any Error)?) -> Left? {
        lock.withLock {
            guard isOpen else { return nil }
            let view = ObserverView(list: list, count: count)
            return Left(view, abandon(.ended(error)))
        }
    }

    /// Forgets all observers without an event, and refuses later ones. The subject's deinitialiser calls it too: what
    /// an observer keeps of its subscription is never to keep other observers.
    func dispose() {
        let garbage = lock.withLock { (ending, abandon(.disposed)) }
        withExtendedLifetime(garbage) {}
    }

    /// Disposes the observers of a subject that goes.
    // Unmanaged: the compiler would retain them for the call.
    static func dispose(_ observers: Unmanaged<SubjectObservers>) {
        observers._withUnsafeGuaranteedRef { $0.dispose() }
    }

    // MARK: Subscribing

    /// Makes the subscription of an observer, with the lock held.
    @usableFromInline typealias Making = (SubjectObservers, UInt32) -> any Disposable

    /// Adds an observer, or ends it if the subject has ended.
    ///
    /// - Parameters:
    ///   - subject: named in `RxError.disposed`.
    ///   - making: makes the subscription of an observer that was added, which is then connected.
    @usableFromInline
    func subscribe(_ sink: consuming Sink, of subject: AnyObject, as making: Making) {
        // By hand: its reference goes to the list.
        let sink = Unmanaged.passRetained(consume sink)
        lock.lock()
        guard isOpen else {
            let ending = ending
            lock.unlock()
            return refuse(sink.takeRetainedValue(), ending, of: subject)
        }
        let key = takeKey()
        let garbage = join(sink, at: key)
        // With the lock held, so that nobody takes it off meanwhile.
        let isInTime = sink._withUnsafeGuaranteedRef { sink in
            sink.upstreamPlace.initialize(to: making(self, key))
            return sink.markConnected()
        }
        if isInTime { lock.unlock() } else { unlock(disposing: sink) }
        withExtendedLifetime(garbage) {}
    }

    /// Gives the lock up, and disposes the subscription of an observer that has ended meanwhile.
    private final func unlock(disposing sink: Unmanaged<Sink>) {
        // Taken with the lock held, as the list alone keeps the observer.
        let subscription = sink._withUnsafeGuaranteedRef { $0.upstreamPlace.pointee.take() }
        lock.unlock()
        subscription?.dispose()
    }

    /// Adds an observer to `subject`, whose observers these are, until it is disposed.
    @usableFromInline
    final func subscribe(_ sink: consuming Sink, of subject: AnyObject) {
        subscribe(sink, of: subject, as: SubscriptionKey.counted)
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

    /// Takes an observer off, if it is still there.
    final func remove(_ key: UInt32) {
        let garbage = lock.withLock { take(key) }
        withExtendedLifetime(garbage) {}
    }

    // MARK: With the lock held

    /// The entries that no sender sees any more: to be let go of outside the lock, as that may run user code.
    @usableFromInline
    struct Garbage {
        var unseen: AnyObject?
        var seen: [RetiredObservers.Item]?
    }

    /// A number for a subscription.
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

    /// Whether there is no observer on the list.
    final var hasNone: Bool { live == 0 }

    /// Adds an observer behind all others, with a reference; returns what is to be let go of.
    @usableFromInline
    final func join(_ sink: Unmanaged<Sink>, at key: UInt32) -> Garbage {
        append(sink, at: key)
        return Garbage(seen: retired.takeReleased())
    }

    /// As `join`, where the caller leaves the garbage to the next one.
    @usableFromInline
    final func append(_ sink: Unmanaged<Sink>, at key: UInt32) {
        if count == capacity { copy() }
        list.entry(count).pointee.fill(sink, key: key, birth: retired.generation)
        keys.set(key, to: count)
        live += 1
        setCount(count + 1)
    }

    /// Takes an observer off, if it is still there; returns what is to be let go of.
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

    /// Has `sink` take the place of a gate, if that is still there; returns what is to be let go of.
    @usableFromInline
    final func replace(_ gate: Sink, at key: UInt32, by sink: Sink) -> Garbage {
        guard isOpen, let index = index(of: key) else { return Garbage() }
        let entry = list.entry(index)
        // Else the observer has left, and another one may have its number.
        guard let current = entry.pointee.current, current.toOpaque() == Unmanaged.passUnretained(gate).toOpaque()
        else { return Garbage() }
        entry.pointee.replace(by: .passRetained(sink))
        let newest = newest
        let isSeen = newest.map { $0 >= entry.pointee.birth } ?? false
        if isSeen { retire(current.takeRetainedValue(), birth: entry.pointee.birth, seen: newest) }
        return Garbage(unseen: isSeen ? nil : current.takeRetainedValue(), seen: retired.takeReleased())
    }

    /// Keeps what was taken off until no sender sees it.
    private final func retire(_ object: AnyObject, birth: UInt32, seen newest: UInt32?) {
        retired.retire(object, birth: birth, seen: newest, by: generations, list: list, count: count)
    }

    private final func index(of key: UInt32) -> Int? {
        if !keys.isSearched { return keys.index(of: key) }
        return (0..<count).first {
            list.entry($0).pointee.key == key && !list.entry($0).pointee.isBlank
        }
    }

    /// The newest generation that has senders.
    // Not asked of `retired`, which would be copied for it.
    private final var newest: UInt32? { generations.isQuiet() ? retired.newestClosed : retired.generation }

    /// Gives the room of blanks at the end back where no sender may still come to it. Returns the newest generation
    /// that has senders.
    private final func trim() -> UInt32? {
        var end = count
        // A few at a time: if a sender comes in between, it was for nothing.
        while end > 0, count - end < 4, list.entry(end - 1).pointee.isBlank { end -= 1 }
        guard end < count else { return newest }
        // First the count, then the question: who comes later sees the room as free.
        let before = count
        setCount(end)
        guard let newest else { return nil }
        while end < before, list.entry(end).pointee.birth <= newest { end += 1 }
        if end != count { setCount(end) }
        return newest
    }

    private final func setCount(_ newCount: Int) {
        count = newCount
        // Releasing: the entries.
        list.count(generations.open).pointee.store(UInt32(newCount), ordering: .releasing)
    }

    /// Moves to another list, which has no blanks and as much room again.
    private final func copy() {
        let (old, birth) = (list, retired.listBirth)
        let room = max(2, 2 * live)
        // Swapped, not assigned: the compiler would retain both.
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
        retired.listBirth = retired.generation
        publish()
        guard let replaced = other else { return }
        replaced.disown()
        retire(replaced, birth: birth, seen: newest)
    }

    /// Shows the list to those who send from now on.
    private final func publish() {
        setCount(count)
        // Releasing: the list.
        generations.slot(generations.open).pointee.list.store(UInt(bitPattern: list.raw), ordering: .releasing)
    }

    /// Ends the subject, and hides the observers from those who send from now on. Their list is the caller's then, and
    /// is kept for senders that see it.
    private final func abandon(_ ending: Ending) -> Garbage {
        isOpen = false
        isReadyToSend = false
        self.ending = ending
        guard let replaced = owned else { return Garbage(seen: retired.takeReleased()) }
        // With all its references: senders go on walking it.
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
