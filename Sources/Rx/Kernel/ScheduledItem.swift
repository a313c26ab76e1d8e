import Dispatch
import Synchronization

/// A piece of work that a scheduler has accepted: a function of a state. It runs once, unless it is disposed before it
/// runs.
///
/// ```text
/// waiting ──run()──▶ begun ──the work returns──▶ begun, finished ──dispose()──▶ all three: its result is disposed
///    │                 │
/// dispose()         dispose()
///    ▼                 ▼
/// disposed         begun, disposed ──the work returns──▶ all three: its result is disposed
/// ```
///
/// In virtual time, a waiting item may be restarted. A separate bit records this.
///
/// Disposing a waiting item releases its work immediately, even if the scheduler still keeps the item. If the state
/// takes at most four words, the item is the only allocation.
///
/// The class is not generic. To create an object of a generic class, or an `Optional` of a generic parameter,
/// unspecialised code requests the type from the runtime, which takes longer than an allocation.
// @unchecked: `room` holds the work for the thread that sets the first of `begun` and `disposed`. After that it holds a
// result for the thread that sets the second of `finished` and `disposed`.
class ScheduledItem: DisposeBase, Cancelable, @unchecked Sendable {
    private enum Step {
        static let waiting: UInt8 = 0
        static let disposed: UInt8 = 1
        static let begun: UInt8 = 2
        static let finished: UInt8 = 4
        static let restarted: UInt8 = 8
    }

    private final let step = Atomic<UInt8>(Step.waiting)
    /// Whether the item has run and has no result to dispose. Separate from the step, because this is a plain store.
    private final let isOver = Atomic<Bool>(false)
    /// Whether this item is a `RestartableItem`.
    final let isRestartable: Bool
    /// The next item in a `SerialLane`, or the marker that the lane stores there; or the next of `SpareItems`.
    final let next = Atomic<ItemLink>(.none)
    /// The type of the state.
    @exclusivity(unchecked) private final var type: Any.Type
    /// While the item waits, a function and its state, or the `LargeState`. After that, the result of the function, if
    /// it has to be disposed. Otherwise zeros, so that no word in it looks like a reference.
    @exclusivity(unchecked) private final var room: (UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0)

    /// Creates an item that is ready to take work.
    init(isRestartable: Bool = false) {
        type = Never.self
        self.isRestartable = isRestartable
        super.init()
    }

    convenience init<State>(_ state: __shared State, action: __shared @escaping (State) -> any Disposable) {
        self.init()
        takeWork(state, action: action)
    }

    /// Stores work. Call it only for an item that is new or whose work is over, and that no other code references.
    @inline(__always)
    final func takeWork<State>(_ state: __shared State, action: __shared @escaping (State) -> any Disposable) {
        type = State.self
        // Relaxed: the code that passes the item to another thread does a release.
        step.store(Step.waiting, ordering: .relaxed)
        isOver.store(false, ordering: .relaxed)
        fill(state, action: action)
    }

    // Not specialised, and neither is its counterpart. If the type of a state is itself an existential, the state is
    // stored with that type.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    private final func fill<State>(_ state: __shared State, action: __shared @escaping (State) -> any Disposable) {
        // Both types are two words, a function and its context, and the same kind of function for each generic
        // parameter. The function is not called until `StatefulAction` has restored its type.
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
        /// The tag that removes this item from the counts of pending work. Accessed under the same rules as the work.
        @exclusivity(unchecked) private final var pendingTag: UInt32 = 0
    #endif

    /// Counts this item as pending for a scheduler that uses real time. It is counted until the work has ended, or
    /// until the item is disposed before it runs.
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

    /// Whether the item is empty: it has run and has no result to dispose, or it was disposed before it ran.
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
        // Releasing: a later disposal sees the result. Acquiring: sees an earlier disposal.
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

    /// Starts the wait again, as if the item were disposed and its work scheduled again. Returns `false`, and changes
    /// nothing, if the item cannot be restarted or no longer waits.
    func restart() -> Bool { false }

    /// Whether the item waits and was not restarted.
    @inline(__always)
    final var isWaiting: Bool { step.load(ordering: .relaxed) == Step.waiting }

    /// Whether the item waits and was restarted in virtual time.
    final var isRestarted: Bool { step.load(ordering: .relaxed) == Step.restarted }

    /// Records a restart, on the thread of the scheduler. Returns `false` if the item no longer waits.
    @inline(__always)
    final func noteRestart() -> Bool {
        let seen = step.load(ordering: .relaxed)
        if seen == Step.waiting { step.bitwiseOr(Step.restarted, ordering: .relaxed) }
        return seen & ~Step.restarted == Step.waiting
    }

    /// Clears the record of a restart, on the same thread. Returns `false` if the item was not restarted, or was
    /// disposed.
    final func takeRestart() -> Bool {
        isRestarted && step.bitwiseAnd(~Step.restarted, ordering: .relaxed).oldValue == Step.restarted
    }

    /// Releases the resource that makes the item wait. Called once, before the work starts or is released.
    func stopWaiting() {}

    /// Releases the work, which will not run.
    private final func releaseWork() {
        countAsOver()
        func release<State>(_ type: State.Type) { drop(type) }
        _openExistential(type, do: release)
        empty()
    }

    // MARK: Storage

    // This code creates no tuples or closures of generic types, because unspecialised code requests their types from
    // the runtime.

    /// Returns whether a state is stored in `room` itself.
    @inline(__always)
    private static func fits<State>(_ type: State.Type) -> Bool {
        MemoryLayout<State>.size <= 32 && MemoryLayout<State>.alignment <= 8
    }

    /// The address of `room`. It is stable, because it is the address of a stored property of an object.
    @inline(__always)
    private final var whole: UnsafeMutableRawPointer {
        withUnsafeMutablePointer(to: &room) { UnsafeMutableRawPointer($0) }
    }

    /// The address of the state, which follows the function.
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
        // The object was created as a `LargeState` with this type.
        return action.run(unsafeDowncast(large, to: LargeState<State>.self).state)
    }

    /// Releases the function and its state.
    private final func drop<State>(_ type: State.Type) {
        _ = takeAction()
        if Self.fits(type) {
            placeOfState.assumingMemoryBound(to: type).deinitialize(count: 1)
        } else {
            _ = takeLargeState()
        }
    }

    /// Moves the result out of `room`.
    private final func takeResult() -> any Disposable {
        let result = whole.assumingMemoryBound(to: (any Disposable).self).move()
        empty()
        return result
    }
}

/// The function is wrapped in a structure, here and below: a function that is itself a generic argument is wrapped in
/// another function.
private struct StatefulAction<State> {
    let run: (State) -> any Disposable
}

/// A function whose parameter type is erased.
private struct ErasedAction {
    let code: () -> Void
}

/// A state that takes more than four words.
private final class LargeState<State> {
    let state: State
    init(_ state: State) { self.state = state }
}

/// A link to a scheduled item, which it does not own; or no link, or a marker that the owner of the link defines.
struct ItemLink: AtomicRepresentable, Equatable {
    /// The address of the item, 0 or 1.
    private let word: UInt

    @inline(__always)
    private init(word: UInt) { self.word = word }

    @inline(__always)
    init(_ item: Unmanaged<ScheduledItem>) { word = UInt(bitPattern: item.toOpaque()) }

    static var none: ItemLink { ItemLink(word: 0) }
    static var marker: ItemLink { ItemLink(word: 1) }

    /// The item. The link is neither `none` nor `marker`.
    @inline(__always)
    var item: Unmanaged<ScheduledItem> { .fromOpaque(UnsafeRawPointer(bitPattern: word).unsafelyUnwrapped) }

    /// The address of the item, to prefetch it.
    @inline(__always)
    var address: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: word) }

    @inline(__always)
    static func encodeAtomicRepresentation(_ link: consuming ItemLink) -> UInt.AtomicRepresentation {
        UInt.encodeAtomicRepresentation(link.word)
    }

    @inline(__always)
    static func decodeAtomicRepresentation(_ word: consuming UInt.AtomicRepresentation) -> ItemLink {
        ItemLink(word: UInt.decodeAtomicRepresentation(word))
    }
}

/// Items whose work is over, kept for other work. This saves an allocation, and avoids allocating memory on one thread
/// and freeing it on another. The items form a linked list, for use by one thread at a time.
///
/// Tracing builds keep no items, because each would count as a live resource.
struct SpareItems {
    /// The first item, or `none` if the list is empty. Each item is retained once.
    private(set) var first: ItemLink
    private(set) var count = 0

    /// Keeps an item if it is empty and no other code references it.
    @inline(__always)
    mutating func keep(_ item: consuming ScheduledItem) {
        #if !TRACE_RESOURCES
            guard item.isEmpty, isKnownUniquelyReferenced(&item) else { return }
            item.next.store(first, ordering: .relaxed)
            first = ItemLink(.passRetained(consume item))
            count &+= 1
        #endif
    }

    @inline(__always)
    mutating func take() -> ScheduledItem? {
        if first == .none { return nil }
        let item = first.item.takeRetainedValue()
        first = item.next.load(ordering: .relaxed)
        count &-= 1
        return item
    }

    /// Removes all items, and returns the first one with ownership of all of them.
    mutating func takeAll() -> ItemLink {
        defer { self = SpareItems() }
        return first
    }

    /// Releases all items, one after another.
    mutating func removeAll() { while take() != nil {} }

    /// Takes ownership of the items that `takeAll()` returned, to release them.
    init(first: ItemLink = .none) { self.first = first }
}
