import Synchronization

/// Keeps a disposable until its owner and all retained shares have released it.
///
///     let source = RefCountDisposable(disposable: Disposables.create { print("closed") })
///     let window = source.retain()
///     source.dispose()
///     window.dispose()  // closed
///
/// You can use it from any thread. The inner disposable is disposed once, outside the lock.
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
    /// Whether the owner has released the inner disposable, which is the only effect of `dispose()`.
    private let released = Atomic<Bool>(false)

    /// Creates a reference count for `disposable`.
    public init(disposable: any Disposable) {
        state = Guarded(State(inner: disposable))
        super.init()
    }

    /// Whether the inner disposable was disposed, because the owner and all shares have released it.
    public var isDisposed: Bool { state.withLock { $0.inner == nil } }

    /// An implementation detail that may change.
    public var _isFinished: Bool { released.load(ordering: .relaxed) }

    /// Returns a share of the inner disposable. The inner disposable is kept until this share is disposed too. If the
    /// inner disposable was already disposed, the share does nothing.
    public func retain() -> any Disposable {
        let isAlive = state.withLock { state in
            guard state.inner != nil else { return false }
            state.retainCount += 1
            return true
        }
        return isAlive ? Share(of: self) : Disposables.create()
    }

    /// Releases the owner's share of the inner disposable. Further calls have no effect.
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

    // @unchecked: only the caller that wins `disposed` touches `parent`.
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
