import Dispatch
import Synchronization

/// A piece of work that a scheduler has accepted, a function of a state: it runs once, unless it is disposed before.
///
/// ```text
/// waiting ──run()──▶ begun ──the work returns──▶ begun, finished ──dispose()──▶ all three: its result is disposed
///    │                 │
/// dispose()         dispose()
///    ▼                 ▼
/// disposed         begun, disposed ──the work returns──▶ all three: its result is disposed
/// ```
///
/// In virtual time, one that waits may be restarted, which is a bit of its own.
///
/// Disposing it while it waits releases the work at once, wherever the scheduler still keeps the item. The item is the
/// only allocation if the state takes no more than four words.
///
/// Not generic: to make an object of a generic class, or an `Optional` of a generic parameter, code that is not
/// specialised asks the runtime for its type, which takes longer than an allocation.
// @unchecked: the room holds work for the one that sets the first of `begun` and `disposed`, and then a result for the
// one that sets the later one of `finished` and `disposed`.
class ScheduledItem: DisposeBase, Cancelable, @unchecked Sendable {
    private enum Step {
        static let waiting: UInt8 = 0
        static let disposed: UInt8 = 1
        static let begun: UInt8 = 2
        static let finished: UInt8 = 4
        static let restarted: UInt8 = 8
    }

    private final let step = Atomic<UInt8>(Step.waiting)
    /// It has run, and left nothing to dispose. Apart from the step, as this is a plain store.
    private final let isOver = Atomic<Bool>(false)
    /// Whether it is a `RestartableItem`.
    final let isRestartable: Bool
    /// The address of the item behind it in a `SerialLane`, or what the lane notes there; or among `SpareItems`.
    final let next = Atomic<UInt>(0)
    /// The type of the state.
    @exclusivity(unchecked) private final var type: Any.Type
    /// While it waits, a function and its state, or the `LargeState`. Then, if there is something to dispose of, the
    /// result of the function. Else zeros, so that nothing in it looks like a reference.
    @exclusivity(unchecked) private final var room: (UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0)

    /// An item that is to take work.
    init(isRestartable: Bool = false) {
        type = Never.self
        self.isRestartable = isRestartable
        super.init()
    }

    convenience init<State>(_ state: __shared State, action: __shared @escaping (State) -> any Disposable) {
        self.init()
        takeWork(state, action: action)
    }

    /// Takes work. To be called for an item that is new or whose work is over, and that nobody else knows.
    @inline(__always)
    final func takeWork<State>(_ state: __shared State, action: __shared @escaping (State) -> any Disposable) {
        type = State.self
        // Relaxed: who hands it on to another thread releases.
        step.store(Step.waiting, ordering: .relaxed)
        isOver.store(false, ordering: .relaxed)
        fill(state, action: action)
    }

    // Not specialised, nor is its counterpart: a state whose type is an existential itself is kept as one of that type.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private final func fill<State>(_ state: __shared State, action: __shared @escaping (State) -> any Disposable) {
        // Both are two words, a function and its context, and the same kind of function for each generic parameter. It
        // is not called before `StatefulAction` has its type back.
        let action = unsafeBitCast(StatefulAction(run: action), to: ErasedAction.self)
        whole.initializeMemory(as: ErasedAction.self, to: action)
        if Self.fits(State.self) {
            placeOfState.initializeMemory(as: State.self, to: state)
        } else {
            placeOfState.initializeMemory(as: AnyObject.self, to: LargeState(state))
        }
    }

    deinit {
        switch step.load(ordering: .relaxed) {
        case Step.waiting, Step.restarted: releaseWork()
        case Step.begun | Step.finished: _ = takeResult()
        default: break
        }
    }

    // MARK: Pending work

    #if TRACE_RESOURCES
        /// The tag that it leaves the counts of pending work by; touched as the work is.
        @exclusivity(unchecked) private final var pendingTag: UInt32 = 0
    #endif

    /// A scheduler that keeps real time has taken it: until the work has ended, or it is disposed before, it is counted
    /// as pending.
    @inline(__always)
    final func countAsPending(after span: RxTimeInterval = .nanoseconds(0)) {
        #if TRACE_RESOURCES
            pendingTag = Pending.work(ObjectIdentifier(self), after: span.seconds)
        #endif
    }

    @inline(__always)
    private final func countAsOver() {
        #if TRACE_RESOURCES
            Resources.gone(pendingTag)
            pendingTag = 0
        #endif
    }

    // MARK: Running and disposing

    final var isDisposed: Bool { step.load(ordering: .relaxed) & Step.disposed != 0 }

    final var _isFinished: Bool { isOver.load(ordering: .relaxed) || isDisposed }

    /// Whether there is nothing in it any more: it has run and left nothing to dispose, or was disposed before.
    @inline(__always)
    final var isEmpty: Bool {
        isOver.load(ordering: .relaxed) || step.load(ordering: .relaxed) == Step.disposed
    }

    /// Runs the work, unless the item was disposed or has run.
    final func run() {
        let before = step.bitwiseOr(Step.begun, ordering: .acquiringAndReleasing).oldValue
        guard before == Step.waiting else { return }
        stopWaiting()
        func perform<State>(_ type: State.Type) -> any Disposable { self.perform(type) }
        let result = _openExistential(type, do: perform)
        countAsOver()
        guard !result._isFinished else { return isOver.store(true, ordering: .relaxed) }
        whole.initializeMemory(as: (any Disposable).self, to: result)
        // Releasing: a later disposal sees the result. Acquiring: sees that it was disposed already.
        let stepBefore = step.bitwiseOr(Step.finished, ordering: .acquiringAndReleasing).oldValue
        if stepBefore & Step.disposed != 0 { takeResult().dispose() }
    }

    final func dispose() {
        let before = step.bitwiseOr(Step.disposed, ordering: .acquiringAndReleasing).oldValue
        if before & ~Step.restarted == Step.waiting {
            stopWaiting()
            releaseWork()
        } else if before == Step.begun | Step.finished {
            takeResult().dispose()
        }
    }

    // MARK: Restarting

    /// Begins the wait again, as if the item were disposed and its work scheduled once more. `false` if it cannot be
    /// restarted, or does not wait any more: then nothing has changed.
    func restart() -> Bool { false }

    /// Whether it waits, and was not restarted.
    @inline(__always)
    final var isWaiting: Bool { step.load(ordering: .relaxed) == Step.waiting }

    /// Whether it waits, and was restarted in virtual time.
    final var isRestarted: Bool { step.load(ordering: .relaxed) == Step.restarted }

    /// Notes a restart, by the thread of the scheduler. `false` if the item does not wait any more.
    @inline(__always)
    final func noteRestart() -> Bool {
        let seen = step.load(ordering: .relaxed)
        if seen == Step.waiting { step.bitwiseOr(Step.restarted, ordering: .relaxed) }
        return seen & ~Step.restarted == Step.waiting
    }

    /// Forgets that it was restarted, by the same thread. `false` if it was not, or was disposed.
    final func takeRestart() -> Bool {
        isRestarted && step.bitwiseAnd(~Step.restarted, ordering: .relaxed).oldValue == Step.restarted
    }

    /// Lets go of what makes it wait. Called once, before the work begins or is let go of.
    func stopWaiting() {}

    /// Lets go of the work, which will not be done.
    private final func releaseWork() {
        countAsOver()
        func release<State>(_ type: State.Type) { drop(type) }
        _openExistential(type, do: release)
        empty()
    }

    // MARK: The room

    // No tuple and no closure of generic types is made here: code that is not specialised asks the runtime for theirs.

    /// Whether a state lies in the room itself.
    @inline(__always)
    private static func fits<State>(_ type: State.Type) -> Bool {
        MemoryLayout<State>.size <= 32 && MemoryLayout<State>.alignment <= 8
    }

    /// The address of the room, which is that of a stored property of an object, and so stays.
    @inline(__always)
    private final var whole: UnsafeMutableRawPointer {
        withUnsafeMutablePointer(to: &room) { UnsafeMutableRawPointer($0) }
    }

    /// Behind the function.
    @inline(__always)
    private final var placeOfState: UnsafeMutableRawPointer { whole + MemoryLayout<ErasedAction>.stride }

    @inline(__always)
    private final func takeAction() -> ErasedAction { whole.assumingMemoryBound(to: ErasedAction.self).move() }

    private final func takeLargeState() -> AnyObject { placeOfState.assumingMemoryBound(to: AnyObject.self).move() }

    @inline(__always)
    private final func empty() { room = (0, 0, 0, 0, 0, 0) }

    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private final func perform<State>(_ type: State.Type) -> any Disposable {
        let action = unsafeBitCast(takeAction(), to: StatefulAction<State>.self)
        if Self.fits(type) {
            let state = placeOfState.assumingMemoryBound(to: type).move()
            empty()
            return action.run(state)
        }
        let large = takeLargeState()
        empty()
        // It was made as one, with this type.
        return action.run(unsafeDowncast(large, to: LargeState<State>.self).state)
    }

    /// Lets go of the function and its state.
    private final func drop<State>(_ type: State.Type) {
        _ = takeAction()
        if Self.fits(type) {
            placeOfState.assumingMemoryBound(to: type).deinitialize(count: 1)
        } else {
            _ = takeLargeState()
        }
    }

    /// Takes the result out of the room.
    private final func takeResult() -> any Disposable {
        let result = whole.assumingMemoryBound(to: (any Disposable).self).move()
        empty()
        return result
    }
}

/// A function in a struct, here and below: one that is itself a generic argument is wrapped in another.
private struct StatefulAction<State> {
    let run: (State) -> any Disposable
}

/// A function whose parameter's type is not known.
private struct ErasedAction {
    let code: () -> Void
}

/// A state that takes more than four words.
private final class LargeState<State> {
    let state: State
    init(_ state: State) { self.state = state }
}

/// Items whose work is over, kept to take other work: an allocation less, and none that one thread makes and another
/// one gives back. Linked by themselves; for one thread at a time.
///
/// Builds that trace keep none, as each would count as a live resource.
struct SpareItems {
    /// The address of the first, which is retained once, as each; 0 if there is none.
    private(set) var first: UInt = 0
    private(set) var count = 0

    /// Keeps an item, if nothing is in it and nobody else knows it.
    @inline(__always)
    mutating func keep(_ item: consuming ScheduledItem) {
        #if !TRACE_RESOURCES
            guard item.isEmpty, isKnownUniquelyReferenced(&item) else { return }
            item.next.store(first, ordering: .relaxed)
            first = UInt(bitPattern: Unmanaged.passRetained(consume item).toOpaque())
            count &+= 1
        #endif
    }

    @inline(__always)
    mutating func take() -> ScheduledItem? {
        guard let pointer = UnsafeRawPointer(bitPattern: first) else { return nil }
        let item = Unmanaged<ScheduledItem>.fromOpaque(pointer).takeRetainedValue()
        first = item.next.load(ordering: .relaxed)
        count &-= 1
        return item
    }

    /// Gives all away, by the address of the first.
    mutating func takeAll() -> UInt {
        defer { self = SpareItems() }
        return first
    }

    /// Lets go of all, one after another.
    mutating func removeAll() { while take() != nil {} }

    /// Takes over what `takeAll()` has given away, to let go of it.
    init(first: UInt = 0) { self.first = first }
}
