import Synchronization

/// A container for one disposable at a time. Setting a new disposable disposes the previous one.
///
///     let timer = SerialDisposable()
///     timer.disposable = Disposables.create { print("first") }
///     timer.disposable = Disposables.create { print("second") }  // first
///     timer.dispose()                                            // second
///
/// You can use it from any thread. Its contents are disposed outside its lock.
public final class SerialDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: all state is in `state`, which is guarded.

    // Swapped, and never optional: an optional is destroyed through its type metadata.
    private struct State {
        var current = Disposables.create()
        var isDisposed = false
    }

    private let state = Guarded(State())
    /// The same state as `isDisposed`, for callers that must not wait for a lock.
    private let finished = Atomic<Bool>(false)

    /// Creates an empty container.
    public override init() { super.init() }

    /// Whether the container was disposed.
    public var isDisposed: Bool { state.withLock { $0.isDisposed } }

    /// An implementation detail that may change.
    public var _isFinished: Bool { finished.load(ordering: .relaxed) }

    /// The disposable in the container, or a no-op disposable if the container is empty or was disposed.
    ///
    /// Setting this property disposes the previous disposable. After `dispose()`, setting it disposes the new
    /// disposable immediately.
    public var disposable: any Disposable {
        get { state.withLock { $0.current } }
        set {
            var released = newValue
            state.withLock { if !$0.isDisposed { swap(&released, &$0.current) } }
            released.dispose()
        }
    }

    /// Disposes the contents, and any disposable that is set later.
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
