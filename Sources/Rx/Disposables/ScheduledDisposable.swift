import Synchronization

/// Disposes another disposable on a scheduler.
///
/// `subscribe(on:)` uses it, so that a subscription ends where it began. `dispose()` may be called from
/// any thread and asks the scheduler once.
public final class ScheduledDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: `inner` is touched only by the one turn that `requested` lets through; using `scheduler`
    // from any thread is what a scheduler promises.

    /// Where the other is disposed.
    public let scheduler: any ImmediateSchedulerType
    private var inner: (any Disposable)?
    private let requested = Atomic<Bool>(false)
    private let disposed = Atomic<Bool>(false)

    /// Will dispose `disposable` on `scheduler`.
    public init(scheduler: any ImmediateSchedulerType, disposable: any Disposable) {
        self.scheduler = scheduler
        inner = disposable
        super.init()
    }

    /// Whether the scheduler has disposed the other.
    public var isDisposed: Bool { disposed.load(ordering: .relaxed) }

    /// Carries no promise.
    public var _isFinished: Bool { requested.load(ordering: .relaxed) }

    /// Asks the scheduler to dispose the other.
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
