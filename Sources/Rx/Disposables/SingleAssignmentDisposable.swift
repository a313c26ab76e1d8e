import Synchronization

/// A place for one disposable that is set once, possibly after the place was disposed.
///
///     let subscription = SingleAssignmentDisposable()
///     subscription.dispose()
///     subscription.setDisposable(Disposables.create { print("gone") })  // gone
///
/// From any thread. One atomic and no lock.
public final class SingleAssignmentDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    // @unchecked: `inner` is written before `assigned` is set, and afterwards touched only by the one that sets the
    // later one of the two bits.

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

    /// An empty place.
    public override init() { super.init() }

    /// Whether the place was disposed.
    public var isDisposed: Bool { state.load(ordering: .relaxed) & State.disposed != 0 }

    /// Carries no promise.
    public var _isFinished: Bool { isDisposed }

    /// Sets the disposable; disposes it at once if the place was disposed. Setting a second one is a fatal error.
    public func setDisposable(_ disposable: any Disposable) {
        let message =
            "A SingleAssignmentDisposable was set twice. Use SerialDisposable for a disposable that is replaced."
        precondition(state.load(ordering: .relaxed) & State.assigned == 0, message)
        inner = disposable
        // Releasing: a later disposal sees `inner`. Acquiring: sees that it was disposed already.
        let before = state.bitwiseOr(State.assigned, ordering: .acquiringAndReleasing).oldValue
        precondition(before & State.assigned == 0, message)
        if before & State.disposed != 0 {
            inner = nil
            disposable.dispose()
        }
    }

    /// Disposes what was set, or what will be.
    public func dispose() {
        // Acquiring: sees `inner`. Releasing: a later setter sees the disposal.
        let before = state.bitwiseOr(State.disposed, ordering: .acquiringAndReleasing).oldValue
        guard before == State.assigned else { return }
        let released = inner
        inner = nil
        released?.dispose()
    }
}
