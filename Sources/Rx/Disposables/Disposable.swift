/// Something that can be ended: a subscription, a timer, a connection.
public protocol Disposable {
    /// Ends it. Calling it again does nothing. From any thread.
    func dispose()
}

/// A disposable that tells whether it was disposed.
public protocol Cancelable: Disposable {
    /// Whether `dispose()` was called.
    var isDisposed: Bool { get }
}

/// The root of every disposable object; it counts itself as a live resource while tracing.
open class DisposeBase: Disposable {
#if TRACE_RESOURCES
    private let kind: Resources.Kind

    /// Counts a disposable.
    public init() {
        kind = .disposable
        Resources.increment(.disposable)
    }

    @usableFromInline
    package init(kind: Resources.Kind) {
        self.kind = kind
        Resources.increment(kind)
    }

    deinit { Resources.decrement(kind) }
#else
    /// Counts a disposable in builds that trace.
    @inlinable public init() {}

    @inlinable package init(kind: Resources.Kind) {}
#endif

    /// Does nothing here; what a subclass ends, it ends in its override.
    open func dispose() {}
}
