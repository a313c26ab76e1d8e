/// The observers of a subject that remembers values for later subscribers.
///
/// A value is remembered and the view of its observers is taken under one lock. The value is delivered outside the
/// lock. So a new observer receives each value once, either as a remembered value or as a sent one.
///
/// The replay also runs outside the lock. If nothing else happens, the observer joins the list when its replay is over.
/// Before a value is sent, or another observer joins the list, each observer whose replay is running gets a *gate* on
/// the list. The gate keeps the values that are sent during the replay, from any thread and also from inside the
/// replay. When no value waits at the gate, the observer replaces the gate in the same critical section. So no event
/// overtakes another event, and observers are notified in the order in which they subscribed.
@usableFromInline
final class RememberingObservers<Memory: SubjectMemory>: SubjectObservers, @unchecked Sendable {
    // @unchecked: same reason as `SubjectObservers`. `memory` and `replays` are guarded by `lock`.
    // Kernel-internal: emit, emitEnd, receiveEnd. A source of many sinks. A gate keeps the end until its replay is
    // over.
    @usableFromInline typealias Element = Memory.Element

    @exclusivity(unchecked) @usableFromInline var memory: Memory
    /// The replays that are running, in the order of their subscriptions.
    @exclusivity(unchecked) @usableFromInline var replays: [Replay] = []

    /// `admit`, formed where the type of the memory is concrete. Through the vtable it would be unspecialised code,
    /// with which a subscription takes twice as long.
    @usableFromInline let admitting: (RememberingObservers<Memory>, Sink, AnyObject, Making) -> Void

    @inlinable
    init(_ memory: Memory) {
        self.memory = memory
        admitting = { $0.admit($1, of: $2, as: $3) }
        super.init()
    }

    // Counts the replays too, because their observers are not on the list yet. After an end they do not count.
    override var isEmpty: Bool { lock.withLock { hasNone && (replays.isEmpty || !isOpen) } }

    /// Remembers a value and delivers it to all present observers. Has no effect after the end.
    @inlinable @inline(__always)
    func sendAndRemember(_ element: inout Element) {
        lock.lock()
        guard isReadyToSend || getReadyToSend() else { return lock.unlock() }
        let forgotten = memory.remember(element)
        let visit = enterLocked()
        lock.unlock()
        visit.view.deliver(&element)
        leave(visit)
        // Released here at the earliest, because its deinitialiser may be user code.
        withExtendedLifetime(forgotten) {}
    }

    /// Remembers and delivers a value, or ends the subject.
    @inlinable @inline(__always)
    func on(_ event: Event<Element>) {
        switch event {
        case .next(var element): sendAndRemember(&element)
        case .error(let error): end(error)
        case .completed: end(nil)
        }
    }

    /// Remembers a value without delivering it. Has no effect after the end.
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

    /// Puts a gate on the list for each observer whose replay is running. Returns `false` after the end. Call it with
    /// the lock held.
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

    /// The ways in which a new observer is admitted.
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

    /// Decides how to admit a new observer. Call it with the lock held, and release the result outside the lock.
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

    /// Puts the gates of the first `end` replays on the list, except for replays that already have a gate. Call it with
    /// the lock held.
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

    /// Removes a replay. Call it with the lock held.
    @inlinable
    func removeReplay(_ index: Int) -> Replay {
        defer { noteReplays() }
        return replays.remove(at: index)
    }

    /// Updates `isReadyToSend`. Called after each change of the replays, except when a replay is added.
    @inlinable
    func noteReplays() { isReadyToSend = isOpen && !replays.contains { $0.gate == nil } }

    override func take(_ key: UInt32) -> Garbage {
        let replay = replays.firstIndex { $0.key == key }.map(removeReplay)
        var garbage = super.take(key)
        // Otherwise the garbage already contains the gate, which keeps the observer alive.
        if let replay, garbage.unseen == nil { garbage.unseen = replay.gate ?? replay.sink }
        return garbage
    }

    // Inlined, because its callers are inlined.
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
        /// An end that the gate has received.
        case end((any Error)?)
        /// An end that no gate has received.
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
            case .end(let error): return sink.emitEnd(error)
            case .refuse(let ending): return refuse(sink, ending, of: subject)
            case .open, .leave: return
            }
        }
    }

    /// Decides the next step. Call it with the lock held, and release the result outside the lock.
    @inlinable
    func nextStep(_ sink: Sink) -> Step {
        if case .disposed = ending { return .leave }
        // The caller keeps the sink alive, so nothing is deinitialised here.
        guard let index = replays.firstIndex(where: { $0.sink === sink }) else { return .leave }
        if let gate = replays[index].gate { return nextStep(unsafeDowncast(gate, to: ReplayGate<Element>.self), index) }
        if index > 0, isOpen { placeGates(before: index) }
        let key = removeReplay(index).key
        return isOpen ? .open(join(.passRetained(sink), at: key)) : .refuse(ending)
    }

    /// Does the same as `nextStep(_:)`, for the replay at `index`, which has a gate.
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

/// An observer whose replay is running.
// Not generic, so that the array of replays has the same type for all subjects. Unspecialised code looks generic types
// up in each call, which took a third of the time that `flatMapLatest` takes to switch from one subject to the next.
@usableFromInline
struct Replay {
    @usableFromInline let sink: Sink
    @usableFromInline let key: UInt32
    /// The gate that is on the list instead of the observer, if there is one.
    @usableFromInline var gate: Gate?

    @inlinable
    init(sink: Sink, key: UInt32) {
        self.sink = sink
        self.key = key
    }
}

/// The entry on the list that represents an observer while its replay is running.
///
/// ```text
/// closed: keeps events ──no value waits any more──▶ open: forwards events of senders that still see it
/// ```
///
/// Not generic, so that the code for the list and the end is compiled once.
@usableFromInline
class Gate: OperatorSink, @unchecked Sendable {
    // @unchecked: `isOpen` and `ending` are guarded by the lock of `observers`.
    @usableFromInline final let observers: SubjectObservers
    @exclusivity(unchecked) @usableFromInline final var isOpen = false
    /// The end that follows the replay. The outer `nil` means that there is no end yet.
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

/// A gate together with the values that are sent during the replay.
@usableFromInline
final class ReplayGate<Element>: Gate, @unchecked Sendable {
    // @unchecked: same reason as the superclass. `waiting` is guarded by the same lock.
    @exclusivity(unchecked) @usableFromInline var waiting: ContiguousArray<Element> = []

    @inlinable
    override init(of observers: SubjectObservers, for sink: Sink, next: @escaping Next) {
        super.init(of: observers, for: sink, next: next)
    }

    /// Keeps an element, or forwards it if the replay is over.
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
