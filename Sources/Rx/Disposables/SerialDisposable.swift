import Synchronization

/// A place for one disposable at a time: setting a new one disposes the one before.
///
///     let timer = SerialDisposable()
///     timer.disposable = Disposables.create { print("first") }
///     timer.disposable = Disposables.create { print("second") }  // first
///     timer.dispose()                                            // second
///
/// From any thread. What it holds is disposed outside its lock.
public final class SerialDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: all state is in `state`, which is guarded.

    // Swapped, never optional: one is destroyed by way of its type.
    private struct State {
        var current = Disposables.create()
        var isDisposed = false
    }

    private let state = Guarded(State())
    /// As `isDisposed`, for callers that may not wait for a lock.
    private let finished = Atomic<Bool>(false)

    /// An empty place.
    public override init() { super.init() }

    /// Whether the place was disposed.
    public var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// Carries no promise.
    public var _isFinished: Bool { finished.load(ordering: .relaxed) }

    /// The disposable held; one that does nothing if there is none or the place was disposed.
    ///
    /// Setting disposes the one before. After `dispose()`, setting disposes the new one at once.
    public var disposable: any Disposable {
        get { state.withLock { $0.current } }
        set {
            var released = newValue
            state.withLock { if !$0.isDisposed { swap(&released, &$0.current) } }
            released.dispose()
        }
    }

    /// Disposes what is held, and from now on what is set.
    public func dispose() {
        finished.store(true, ordering: .relaxed)
        var released = Disposables.create()
        state.withLock { state in
            state.isDisposed = true
            swap(&released, &state.current)
        }
        released.dispose()
    }
}
