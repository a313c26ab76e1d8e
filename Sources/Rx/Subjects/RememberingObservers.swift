/// The observers of a subject that remembers values for later subscribers.
///
/// A value is remembered and the view of its observers taken under one lock; it is delivered outside.
/// So a new observer gets each value once: remembered or sent, never both.
///
/// It is replayed outside the lock, too. As long as nothing else happens, the observer joins the list when its replay
/// is over. Before a value is sent, or another observer joins the list, each observer whose replay runs gets a *gate*
/// on the list, which keeps what is sent in the meantime, on whichever thread and also from inside the replay. When
/// nothing waits at the gate any more, the observer takes the gate's place in the same critical section. So no event
/// overtakes another, and observers are notified in the order in which they subscribed.
@usableFromInline
final class RememberingObservers<Memory: SubjectMemory>: SubjectObservers, @unchecked Sendable {
    // @unchecked: as `SubjectObservers`; `memory` and `replays` are guarded by `lock`.
    @usableFromInline typealias Element = Memory.Element

    @exclusivity(unchecked) @usableFromInline var memory: Memory
    /// The replays that run, in the order of their subscriptions.
    @exclusivity(unchecked) @usableFromInline var replays: [Replay] = []

    /// `admit`, formed where the type of the memory is concrete: through the vtable it is unspecialised code, which
    /// takes a subscription twice the time.
    @usableFromInline let admitting: (RememberingObservers<Memory>, Sink, AnyObject, Making) -> Void

    @inlinable
    init(_ memory: Memory) {
        self.memory = memory
        admitting = { $0.admit($1, of: $2, as: $3) }
        super.init()
    }

    // Not on the list until its replay is over. An end forgets them.
    override var isEmpty: Bool { lock.withLock { hasNone && (replays.isEmpty || !isOpen) } }

    /// Remembers a value and delivers it to everyone who is subscribed at this moment. Nothing happens after the end.
    @inlinable @inline(__always)
    func sendAndRemember(_ element: inout Element) {
        lock.lock()
        guard isReadyToSend || getReadyToSend() else { return lock.unlock() }
        let forgotten = memory.remember(element)
        let visit = enterLocked()
        lock.unlock()
        visit.view.deliver(&element)
        leave(visit)
        // Here at the earliest: its deinitialiser may be user code.
        withExtendedLifetime(forgotten) {}
    }

    /// Remembers and delivers a value, or ends.
    @inlinable @inline(__always)
    func on(_ event: Event<Element>) {
        switch event {
        case .next(var element): sendAndRemember(&element)
        case .error(let error): end(error)
        case .completed: end(nil)
        }
    }

    /// Remembers a value without delivering it. Nothing happens after the end.
    @inlinable @inline(__always)
    func rememberOnly(_ element: Element) {
        lock.lock()
        guard isOpen else { return lock.unlock() }
        let forgotten = memory.remember(element)
        lock.unlock()
        withExtendedLifetime(forgotten) {}
    }

    override func dispose() {
        super.dispose()
        let garbage = lock.withLock { () -> (Memory, [Replay]) in
            defer { replays = [] }
            return (memory.forget(), replays)
        }
        withExtendedLifetime(garbage) {}
    }

    /// Puts a gate in the place of each observer whose replay runs. `false` after the end. With the lock held.
    @usableFromInline @inline(never)
    func getReadyToSend() -> Bool {
        if isOpen { placeGates(before: replays.count) }
        return isOpen
    }

    // MARK: Subscribing

    @usableFromInline
    override func subscribe(_ sink: consuming Sink, of subject: AnyObject, as making: Making) {
        admitting(self, sink, subject, making)
    }

    /// The ways in which a new observer is taken up.
    @usableFromInline
    enum Admission {
        case joined(UInt32, Garbage)
        case replaying(UInt32, ContiguousArray<Element>)
        case late(ContiguousArray<Element>, Ending)
    }

    @inlinable
    func admit(_ sink: Sink, of subject: AnyObject, as making: Making) {
        switch lock.withLock({ admission(of: sink) }) {
        case .joined(let key, _):
            sink.connect(making(self, key))
        case .replaying(let key, let remembered):
            sink.connect(making(self, key))
            replay(remembered, to: sink, of: subject)
        case .late(let remembered, let ending):
            Self.send(remembered, to: sink)
            refuse(sink, ending, of: subject)
        }
    }

    /// Decides, with the lock held, where a new observer stands. What it returns is let go of outside.
    @inlinable
    func admission(of sink: Sink) -> Admission {
        let remembered = memory.recall(ending)
        guard isOpen else { return .late(remembered, ending) }
        let key = takeKey()
        guard remembered.isEmpty else {
            replays.append(Replay(sink: sink, key: key))
            isReadyToSend = false
            return .replaying(key, remembered)
        }
        if !isReadyToSend { _ = getReadyToSend() }
        return .joined(key, join(.passRetained(sink), at: key))
    }

    /// Puts the gates of the first `end` replays on the list, except of those that have one. With the lock held.
    @usableFromInline @inline(never)
    func placeGates(before end: Int) {
        for index in 0..<end where replays[index].gate == nil {
            let gate = ReplayGate<Element>(of: self, for: replays[index].sink) { address, sink in
                sink.receive(address) { (gate: ReplayGate<Element>, element: inout Element) in gate.pass(&element) }
            }
            replays[index].gate = gate
            append(.passRetained(gate), at: replays[index].key)
        }
        noteReplays()
    }

    /// Takes a replay off. With the lock held.
    @inlinable
    func removeReplay(_ index: Int) -> Replay {
        defer { noteReplays() }
        return replays.remove(at: index)
    }

    /// Is called after each change of the replays, except where one is added.
    @inlinable
    func noteReplays() { isReadyToSend = isOpen && !replays.contains { $0.gate == nil } }

    override func take(_ key: UInt32) -> Garbage {
        let replay = replays.firstIndex { $0.key == key }.map(removeReplay)
        var garbage = super.take(key)
        // Else it is the gate, which keeps the observer.
        if let replay, garbage.unseen == nil { garbage.unseen = replay.gate ?? replay.sink }
        return garbage
    }

    // Inlined, as what calls it.
    @inlinable @inline(__always)
    static func send(_ values: ContiguousArray<Element>, to sink: Sink) {
        for var value in values {
            if sink.isStopped { return }
            sink.emit(&value)
        }
    }

    /// The step that follows a batch of the replay.
    @usableFromInline
    enum Step {
        case replay(ContiguousArray<Element>)
        /// An end that came to the gate.
        case end((any Error)?)
        /// An end of which no gate knows.
        case refuse(Ending)
        case open(Garbage)
        /// The observer has left, or the subject was disposed.
        case leave
    }

    @inlinable @inline(__always)
    func replay(_ remembered: ContiguousArray<Element>, to sink: Sink, of subject: AnyObject) {
        var batch = remembered
        while true {
            Self.send(batch, to: sink)
            switch lock.withLock({ nextStep(sink) }) {
            case .replay(let waiting): batch = waiting
            case .end(let error): return sink.end(error)
            case .refuse(let ending): return refuse(sink, ending, of: subject)
            case .open, .leave: return
            }
        }
    }

    /// Decides, with the lock held, what follows. What it returns is let go of outside.
    @inlinable
    func nextStep(_ sink: Sink) -> Step {
        if case .disposed = ending { return .leave }
        // The caller keeps the sink, so that nothing is deinitialised here.
        guard let index = replays.firstIndex(where: { $0.sink === sink }) else { return .leave }
        if let gate = replays[index].gate { return nextStep(unsafeDowncast(gate, to: ReplayGate<Element>.self), index) }
        if index > 0, isOpen { placeGates(before: index) }
        let key = removeReplay(index).key
        return isOpen ? .open(join(.passRetained(sink), at: key)) : .refuse(ending)
    }

    /// As `nextStep(_:)`, of the replay at `index`, which has a gate.
    @usableFromInline @inline(never)
    func nextStep(_ gate: ReplayGate<Element>, _ index: Int) -> Step {
        if !gate.waiting.isEmpty, !gate.down.isStopped {
            defer { gate.waiting = [] }
            return .replay(gate.waiting)
        }
        gate.isOpen = true
        let key = removeReplay(index).key
        if case .some(let error) = gate.ending { return .end(error) }
        return .open(replace(gate, at: key, by: gate.down))
    }
}

/// An observer whose replay runs.
// Not generic, so that the list of them is of one type for all subjects: unspecialised code looks generic types up in
// each call, which took a third of what `flatMapLatest` from one subject to the next takes.
@usableFromInline
struct Replay {
    @usableFromInline let sink: Sink
    @usableFromInline let key: UInt32
    /// What is on the list in its place, if anything.
    @usableFromInline var gate: Gate?

    @inlinable
    init(sink: Sink, key: UInt32) {
        self.sink = sink
        self.key = key
    }
}

/// Stands on the list for an observer while its replay runs.
///
/// ```text
/// closed: keeps what comes ──nothing waits any more──▶ open: passes on what a sender has still found it for
/// ```
///
/// Not generic, so that what concerns the list and the end is compiled once.
@usableFromInline
class Gate: OperatorSink, @unchecked Sendable {
    // @unchecked: `isOpen` and `ending` are guarded by the lock of `observers`.
    @usableFromInline final let observers: SubjectObservers
    @exclusivity(unchecked) @usableFromInline final var isOpen = false
    /// The end that follows the replay, if it has come: the outer `nil` says that it has not.
    @exclusivity(unchecked) @usableFromInline final var ending: (any Error)??

    @inlinable
    init(of observers: SubjectObservers, for sink: Sink, next: @escaping Next) {
        self.observers = observers
        super.init(next: next, down: sink)
    }

    @usableFromInline
    final override func receiveEnd(_ error: (any Error)?) {
        let isOpen = observers.lock.withLock {
            if !self.isOpen { ending = .some(error) }
            return self.isOpen
        }
        if isOpen { down.receiveEnd(error) }
    }
}

/// A gate with what is sent in the meantime.
@usableFromInline
final class ReplayGate<Element>: Gate, @unchecked Sendable {
    // @unchecked: as its superclass; `waiting` too.
    @exclusivity(unchecked) @usableFromInline var waiting: ContiguousArray<Element> = []

    @inlinable
    override init(of observers: SubjectObservers, for sink: Sink, next: @escaping Next) {
        super.init(of: observers, for: sink, next: next)
    }

    /// Keeps an element, or passes it on once the replay is over.
    @inlinable
    func pass(_ element: inout Element) {
        observers.lock.lock()
        if isOpen {
            observers.lock.unlock()
            return down.emit(&element)
        }
        waiting.append(element)
        observers.lock.unlock()
    }
}
