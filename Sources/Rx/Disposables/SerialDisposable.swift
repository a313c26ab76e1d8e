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

    private struct State {
        var current: (any Disposable)?
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
        get { state.withLock { $0.current } ?? Disposables.create() }
        set {
            let released: (any Disposable)? = state.withLock { state in
                if state.isDisposed { return newValue }
                let previous = state.current
                state.current = newValue
                return previous
            }
            released?.dispose()
        }
    }

    /// Disposes what is held, and from now on what is set.
    public func dispose() {
        finished.store(true, ordering: .relaxed)
        let released: (any Disposable)? = state.withLock { state in
            state.isDisposed = true
            let current = state.current
            state.current = nil
            return current
        }
        released?.dispose()
    }
}
