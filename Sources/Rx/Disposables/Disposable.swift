/// Something that can be ended: a subscription, a timer, a connection.
///
/// As any thread may end it, a closure that runs anywhere may capture it.
// `@preconcurrency`: for clients in Swift 5 mode a type of theirs conforms as it always has.
@preconcurrency
public protocol Disposable: Sendable {
    /// Ends it. Calling it again does nothing. From any thread.
    func dispose()

    /// Whether `dispose()` has nothing to do any more, so that a bag need not keep this.
    ///
    /// Carries no promise: it is for types of this package, and `false` for all others. It is asked under a bag's lock,
    /// so it takes none itself.
    var _isFinished: Bool { get }
}

extension Disposable {
    /// Carries no promise.
    @inlinable public var _isFinished: Bool { false }
}

/// A disposable that tells whether it was disposed.
@preconcurrency
public protocol Cancelable: Disposable {
    /// Whether `dispose()` was called.
    var isDisposed: Bool { get }
}

/// The root of disposable objects and of `DisposeBag`; it counts itself as a live resource while tracing.
///
/// How it is ended is the subclass's affair: those that have a public `dispose()` are `Disposable` or `Cancelable` too.
// @unchecked: the tag is set once and read at the end; what a subclass adds, it answers for.
open class DisposeBase: @unchecked Sendable {
    #if TRACE_RESOURCES
        /// Counts a disposable.
        @inlinable public init() { tag = Resources.made(.disposable, at: ObjectIdentifier(self)) }

        deinit { Resources.gone(tag) }

        /// The tag that it leaves the counts by.
        @exclusivity(unchecked) @usableFromInline final var tag: UInt32 = 0
    #else
        /// Counts a disposable in builds that trace.
        @inlinable public init() {}
    #endif
}
