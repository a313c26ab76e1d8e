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
    var resourceKind: Resources.Kind { .disposable }

    /// Counts a disposable.
    public init() { Resources.increment(resourceKind) }

    deinit { Resources.decrement(resourceKind) }
#else
    /// Counts a disposable in builds that trace.
    @inlinable public init() {}
#endif

    /// Does nothing here; what a subclass ends, it ends in its override.
    open func dispose() {}
}
