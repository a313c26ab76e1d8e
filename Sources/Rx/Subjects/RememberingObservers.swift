/// The observers of a subject that remembers values for later subscribers.
///
/// A value is remembered and the view of its observers taken under one lock; it is delivered outside.
/// So a new observer gets each value once: remembered or sent, never both.
///
/// It is replayed outside the lock, too. While that runs, a *gate* is on the list in the observer's place: it keeps
/// what is sent in the meantime, on whichever thread and also from inside the replay. When nothing waits at the gate
/// any more, the observer takes the gate's place in the same critical section. So no event overtakes another, and
/// observers are notified in the order in which they subscribed.
@usableFromInline
final class RememberingObservers<Memory: SubjectMemory>: SubjectObservers, @unchecked Sendable {
    // @unchecked: as `SubjectObservers`; `memory` is guarded by `lock`.
    @usableFromInline typealias Element = Memory.Element

    @exclusivity(unchecked) @usableFromInline var memory: Memory

    /// `admit`, formed where the type of the memory is concrete: through the vtable it is unspecialised code, which
    /// takes a subscription twice the time.
    @usableFromInline let admitting: (RememberingObservers<Memory>, Sink, AnyObject, Making) -> Void

    @inlinable
    init(_ memory: Memory) {
        self.memory = memory
        admitting = { $0.admit($1, of: $2, as: $3) }
        super.init()
    }

    /// Remembers a value and delivers it to everyone who is subscribed at this moment. Nothing happens after the end.
    @inlinable @inline(__always)
    func sendAndRemember(_ element: inout Element) {
        lock.lock()
        guard isOpen else { return lock.unlock() }
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
        let garbage = lock.withLock { memory.forget() }
        withExtendedLifetime(garbage) {}
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
        case atGate(ReplayGate<Element>, ContiguousArray<Element>, Garbage)
        case late(ContiguousArray<Element>, Ending)
    }

    @inlinable
    func admit(_ sink: Sink, of subject: AnyObject, as making: Making) {
        switch lock.withLock({ admission(of: sink) }) {
        case .joined(let key, _):
            sink.connect(making(self, key))
        case .atGate(let gate, let remembered, _):
            sink.connect(making(self, gate.key))
            replay(remembered, through: gate)
        case .late(let remembered, let ending):
            Self.replay(remembered, to: sink)
            refuse(sink, ending, of: subject)
        }
    }

    /// Decides, with the lock held, where a new observer stands. What it returns is let go of outside.
    @inlinable
    func admission(of sink: Sink) -> Admission {
        let remembered = memory.recall(ending)
        guard isOpen else { return .late(remembered, ending) }
        let key = takeKey()
        if remembered.isEmpty { return .joined(key, join(.passRetained(sink), at: key)) }
        let gate = ReplayGate<Element>(of: self, for: sink, key: key) { address, sink in
            sink.receive(address) { (gate: ReplayGate<Element>, element: inout Element) in gate.pass(&element) }
        }
        return .atGate(gate, remembered, join(.passRetained(gate), at: key))
    }

    // Inlined, as what calls it.
    @inlinable @inline(__always)
    static func replay(_ values: ContiguousArray<Element>, to sink: Sink) {
        for var value in values {
            if sink.isStopped { return }
            sink.emit(&value)
        }
    }

    /// The step that follows a batch of the replay.
    @usableFromInline
    enum Step {
        case replay(ContiguousArray<Element>)
        case end((any Error)?)
        case open(Garbage)
        /// The subject was disposed.
        case leave
    }

    @inlinable @inline(__always)
    func replay(_ remembered: ContiguousArray<Element>, through gate: ReplayGate<Element>) {
        var batch = remembered
        while true {
            Self.replay(batch, to: gate.down)
            switch lock.withLock({ nextStep(gate) }) {
            case .replay(let waiting): batch = waiting
            case .end(let error): return gate.down.end(error)
            case .open, .leave: return
            }
        }
    }

    /// Decides, with the lock held, what follows. What it returns is let go of outside.
    @inlinable
    func nextStep(_ gate: ReplayGate<Element>) -> Step {
        if case .disposed = ending { return .leave }
        if !gate.waiting.isEmpty, !gate.down.isStopped {
            defer { gate.waiting = [] }
            return .replay(gate.waiting)
        }
        gate.isOpen = true
        if case .some(let error) = gate.ending { return .end(error) }
        return .open(replace(gate, at: gate.key, by: gate.down))
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
    @usableFromInline final let key: UInt32
    @exclusivity(unchecked) @usableFromInline final var isOpen = false
    /// The end that follows the replay, if it has come: the outer `nil` says that it has not.
    @exclusivity(unchecked) @usableFromInline final var ending: (any Error)??

    @inlinable
    init(of observers: SubjectObservers, for sink: Sink, key: UInt32, next: @escaping Next) {
        self.observers = observers
        self.key = key
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
    override init(of observers: SubjectObservers, for sink: Sink, key: UInt32, next: @escaping Next) {
        super.init(of: observers, for: sink, key: key, next: next)
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
