import Synchronization

/// A flag that disposing sets, for code that asks between two steps of its work whether to go on.
///
///     let cancelled = BooleanDisposable()
///     let work = Observable<Int>.create { observer in
///         for number in 1... where !cancelled.isDisposed { observer.onNext(number) }
///         return cancelled
///     }
// @unchecked: its only state is atomic.
public final class BooleanDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let disposed: Atomic<Bool>

    /// A flag that is not set.
    public override convenience init() { self.init(isDisposed: false) }

    /// A flag with the given state.
    public init(isDisposed: Bool) {
        disposed = Atomic(isDisposed)
        super.init()
    }

    /// Whether `dispose()` was called. From any thread; it orders no other memory.
    public var isDisposed: Bool { disposed.load(ordering: .relaxed) }

    /// Carries no promise.
    public var _isFinished: Bool { isDisposed }

    /// Sets the flag.
    public func dispose() { disposed.store(true, ordering: .relaxed) }
}
