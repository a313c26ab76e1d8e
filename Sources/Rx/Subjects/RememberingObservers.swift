/// The observers of a subject that remembers values for later subscribers.
///
/// A value is remembered and the view of its observers taken under one lock; it is delivered outside.
/// So a new observer gets each value once: remembered or sent, never both.
///
/// It is replayed outside the lock, too. While that runs, the new observer is not on the
/// list yet but stands at a *gate*, where senders leave what they send meanwhile: on whichever thread, and
/// also from inside the replay. When nothing waits at the gate any more, the observer moves to the list in
/// the same critical section, and no event overtakes another.
@usableFromInline
final class RememberingObservers<Memory: SubjectMemory>: SubjectObservers, @unchecked Sendable {
    // @unchecked: as `SubjectObservers`; `memory` and `gates` are guarded by `lock`.
    @usableFromInline typealias Element = Memory.Element

    @exclusivity(unchecked) @usableFromInline var memory: Memory
    /// Each is a `ReplayGate<Element>`.
    @exclusivity(unchecked) @usableFromInline var gates: [Gate] = []

    /// `admit`, formed where the type of the memory is concrete: through the vtable it is unspecialised code, which
    /// takes a subscription twice the time.
    @usableFromInline let admitting: (RememberingObservers<Memory>, Sink, AnyObject, Making) -> Void

    @inlinable
    init(_ memory: Memory) {
        self.memory = memory
        admitting = { $0.admit($1, of: $2, as: $3) }
        super.init()
    }

    override var isEmpty: Bool { lock.withLock { hasNone && gates.isEmpty } }

    /// Remembers a value and delivers it to everyone who is subscribed at this moment. Nothing happens after the end.
    @inlinable @inline(__always)
    func sendAndRemember(_ element: inout Element) {
        lock.lock()
        guard isOpen else { return lock.unlock() }
        let forgotten = memory.remember(element)
        if !gates.isEmpty { leaveAtGates(element) }
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

    @usableFromInline @inline(never)
    func leaveAtGates(_ element: Element) {
        for gate in gates { unsafeDowncast(gate, to: ReplayGate<Element>.self).waiting.append(element) }
    }

    override func dispose() {
        super.dispose()
        let garbage = lock.withLock { () -> (Memory, [Gate]) in
            defer { gates = [] }
            return (memory.forget(), gates)
        }
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
        case atGate(ReplayGate<Element>, ContiguousArray<Element>)
        case late(ContiguousArray<Element>, Ending)
    }

    @inlinable
    func admit(_ sink: Sink, of subject: AnyObject, as making: Making) {
        switch lock.withLock({ admission(of: sink) }) {
        case .joined(let key, _):
            sink.connect(making(self, key))
        case .atGate(let gate, let remembered):
            sink.connect(making(self, gate.key))
            replay(remembered, through: gate, of: subject)
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
        let gate = ReplayGate<Element>(sink: sink, key: key)
        gates.append(gate)
        return .atGate(gate, remembered)
    }

    override func take(_ key: UInt32) -> Garbage {
        let gate = takeGate(key)
        var garbage = super.take(key)
        if let gate { garbage.unseen = gate }
        return garbage
    }

    /// Takes a gate away. Call it with the lock held.
    @inlinable
    func takeGate(_ key: UInt32) -> Gate? {
        for index in gates.indices where gates[index].key == key { return gates.remove(at: index) }
        return nil
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
        case join(Garbage)
        case end(Ending)
        case leave
    }

    @inlinable @inline(__always)
    func replay(_ remembered: ContiguousArray<Element>, through gate: ReplayGate<Element>, of subject: AnyObject) {
        var batch = remembered
        while true {
            Self.replay(batch, to: gate.sink)
            switch lock.withLock({ nextStep(gate) }) {
            case .replay(let waiting): batch = waiting
            case .end(let ending): return refuse(gate.sink, ending, of: subject)
            case .join, .leave: return
            }
        }
    }

    /// Decides, with the lock held, what follows. What it returns is let go of outside.
    @inlinable
    func nextStep(_ gate: ReplayGate<Element>) -> Step {
        // The caller keeps the gate, so that nothing is deinitialised here.
        guard takeGate(gate.key) != nil else { return .leave }
        if !gate.waiting.isEmpty, !gate.sink.isStopped {
            defer { gate.waiting = [] }
            gates.append(gate)
            return .replay(gate.waiting)
        }
        switch ending {
        case .open: return gate.sink.isStopped ? .leave : .join(join(.passRetained(gate.sink), at: gate.key))
        case .ended: return .end(ending)
        case .disposed: return .leave
        }
    }
}

/// Where an observer stands while its replay runs.
///
/// Not generic, so that the list of them is of one type for all subjects: unspecialised code looks generic types up in
/// each call, which took a third of what `flatMapLatest` from one subject to the next takes.
@usableFromInline
class Gate {
    @usableFromInline final let sink: Sink
    @usableFromInline final let key: UInt32

    @inlinable
    init(sink: Sink, key: UInt32) {
        self.sink = sink
        self.key = key
    }
}

/// A gate with what is sent meanwhile. Guarded by the subject's lock.
@usableFromInline
final class ReplayGate<Element>: Gate {
    @exclusivity(unchecked) @usableFromInline var waiting: ContiguousArray<Element> = []

    @inlinable
    override init(sink: Sink, key: UInt32) { super.init(sink: sink, key: key) }
}
