import Synchronization

/// Disposes another disposable on a scheduler.
///
/// `subscribe(on:)` uses it so that a subscription ends on the scheduler where it began. `dispose()` may be called from
/// any thread, and calls the scheduler once.
public final class ScheduledDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: only the turn that `requested` lets through accesses `inner`. A scheduler guarantees that any
    // thread may use it.

    /// The scheduler on which the inner disposable is disposed.
    public let scheduler: any ImmediateSchedulerType
    private var inner: (any Disposable)?
    private let requested = Atomic<Bool>(false)
    private let disposed = Atomic<Bool>(false)

    /// Creates a disposable that disposes `disposable` on `scheduler`.
    public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
        self.scheduler = scheduler
        inner = disposable
        super.init()
    }

    /// Whether the scheduler has disposed the inner disposable.
    public var isDisposed: Bool { disposed.load(ordering: .relaxed) }

    /// An implementation detail that may change.
    public var _isFinished: Bool { requested.load(ordering: .relaxed) }

    /// Requests that the scheduler dispose the inner disposable.
    public func dispose() {
        guard !requested.exchange(true, ordering: .relaxed) else { return }
        _ = scheduler.schedule(self) { scheduled in
            scheduled.disposed.store(true, ordering: .relaxed)
            let inner = scheduled.inner
            scheduled.inner = nil
            inner?.dispose()
            return Disposables.create()
        }
    }
}
