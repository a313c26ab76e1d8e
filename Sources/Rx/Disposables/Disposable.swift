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

/// The root of disposable objects; it counts itself as a live resource while tracing.
open class DisposeBase: Disposable {
#if TRACE_RESOURCES
    /// Counts a disposable.
    @inlinable public init() { Resources.increment(.disposable) }

    deinit { Resources.decrement(.disposable) }
#else
    /// Counts a disposable in builds that trace.
    @inlinable public init() {}
#endif

    /// Does nothing here; what a subclass ends, it ends in its override.
    open func dispose() {}
}
