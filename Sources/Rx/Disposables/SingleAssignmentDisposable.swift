import Synchronization

/// A container for one disposable that is set once, possibly after the container was disposed.
///
///     let subscription = SingleAssignmentDisposable()
///     subscription.dispose()
///     subscription.setDisposable(Disposables.create { print("gone") })  // gone
///
/// You can use it from any thread. It uses one atomic and no lock.
public final class SingleAssignmentDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: `inner` is written before `assigned` is set. Afterwards, only the thread that sets the second of the
    // two bits accesses it.

    /// ```text
    /// empty ──setDisposable(_:)──▶ assigned ──dispose()──▶ both: disposed by `dispose()`
    ///   └──────dispose()──▶ disposed ──setDisposable(_:)──▶ both: disposed by `setDisposable(_:)`
    /// ```
    private enum State {
        static let empty: UInt8 = 0
        static let disposed: UInt8 = 1
        static let assigned: UInt8 = 2
    }

    private let state = Atomic<UInt8>(State.empty)
    private var inner: (any Disposable)?

    /// Creates an empty container.
    public override init() { super.init() }

    /// Whether the container was disposed.
    public var isDisposed: Bool { state.load(ordering: .relaxed) & State.disposed != 0 }

    /// An implementation detail that may change.
    public var _isFinished: Bool { isDisposed }

    /// Sets the disposable. Disposes it immediately if the container was disposed. Setting a second disposable is a
    /// fatal error.
    public func setDisposable(_ disposable: any Disposable) {
        let message =
            "A SingleAssignmentDisposable was set twice. Use SerialDisposable for a disposable that is replaced."
        precondition(state.load(ordering: .relaxed) & State.assigned == 0, message)
        inner = disposable
        // Releasing: a later disposal sees `inner`. Acquiring: sees an earlier disposal.
        let before = state.bitwiseOr(State.assigned, ordering: .acquiringAndReleasing).oldValue
        precondition(before & State.assigned == 0, message)
        if before & State.disposed != 0 {
            inner = nil
            disposable.dispose()
        }
    }

    /// Disposes the disposable that was set, or that is set later.
    public func dispose() {
        // Acquiring: sees `inner`. Releasing: a later setter sees the disposal.
        let before = state.bitwiseOr(State.disposed, ordering: .acquiringAndReleasing).oldValue
        guard before == State.assigned else { return }
        let released = inner
        inner = nil
        released?.dispose()
    }
}
