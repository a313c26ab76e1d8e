import Synchronization

/// Keeps a disposable until its owner and all that have retained it have let go.
///
///     let source = RefCountDisposable(disposable: Disposables.create { print("closed") })
///     let window = source.retain()
///     source.dispose()
///     window.dispose()  // closed
///
/// From any thread. The inner disposable is disposed outside its lock, once.
public final class RefCountDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: all state is in `state`, which is guarded.

    private struct State {
        var inner: (any Disposable)?
        var isReleasedByOwner = false
        var retainCount = 0

        mutating func takeIfUnused() -> (any Disposable)? {
            guard isReleasedByOwner, retainCount == 0 else { return nil }
            let taken = inner
            inner = nil
            return taken
        }
    }

    private let state: Guarded<State>
    /// Whether the owner has let go; of that, `dispose()` is the only use.
    private let released = Atomic<Bool>(false)

    /// Keeps `disposable`.
    public init(disposable: any Disposable) {
        state = Guarded(State(inner: disposable))
        super.init()
    }

    /// Whether the inner disposable was disposed: everybody has let go.
    public var isDisposed: Bool { state.withLock { $0.inner == nil } }

    /// Carries no promise.
    public var _isFinished: Bool { released.load(ordering: .relaxed) }

    /// A share of the inner disposable, which lives until this share too is disposed. Does nothing once it is gone.
    public func retain() -> any Disposable {
        let isAlive = state.withLock { state in
            guard state.inner != nil else { return false }
            state.retainCount += 1
            return true
        }
        return isAlive ? Share(of: self) : Disposables.create()
    }

    /// Lets go on behalf of the owner. Once, however often it is called.
    public func dispose() {
        released.store(true, ordering: .relaxed)
        state.withLock { state in
            state.isReleasedByOwner = true
            return state.takeIfUnused()
        }?.dispose()
    }

    private func releaseShare() {
        state.withLock { state in
            state.retainCount -= 1
            return state.takeIfUnused()
        }?.dispose()
    }

    // @unchecked: only the one caller that wins `disposed` touches `parent`.
    private final class Share: DisposeBase, Disposable, @unchecked Sendable {
        private let disposed = Atomic<Bool>(false)
        private var parent: RefCountDisposable?

        init(of parent: RefCountDisposable) {
            self.parent = parent
            super.init()
        }

        var _isFinished: Bool { disposed.load(ordering: .relaxed) }

        func dispose() {
            guard !disposed.exchange(true, ordering: .relaxed) else { return }
            let parent = self.parent
            self.parent = nil
            parent?.releaseShare()
        }
    }
}
