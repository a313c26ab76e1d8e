import Synchronization

/// A flag that disposing sets, for code that checks between two steps of its work whether to continue.
///
///     let cancelled = BooleanDisposable()
///     let work = Observable<Int>.create { observer in
///         for number in 1... where !cancelled.isDisposed { observer.onNext(number) }
///         return cancelled
///     }
// @unchecked: its only state is atomic.
public final class BooleanDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let disposed: Atomic<Bool>

    /// Creates a flag that is not set.
    public override convenience init() { self.init(isDisposed: false) }

    /// Creates a flag with the given state.
    public init(isDisposed: Bool) {
        disposed = Atomic(isDisposed)
        super.init()
    }

    /// Whether `dispose()` was called. You can read it from any thread. It orders no other memory accesses.
    public var isDisposed: Bool { disposed.load(ordering: .relaxed) }

    /// An implementation detail that may change.
    public var _isFinished: Bool { isDisposed }

    /// Sets the flag.
    public func dispose() { disposed.store(true, ordering: .relaxed) }
}
