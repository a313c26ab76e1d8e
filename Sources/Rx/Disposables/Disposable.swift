import Synchronization

/// A resource that can be ended: a subscription, a timer, a connection.
///
/// Any thread may end it, so a closure that runs on any thread may capture it.
// `@preconcurrency`: types of clients in Swift 5 mode conform as before.
@preconcurrency
public protocol Disposable: Sendable {
    /// Ends this resource. Calling it again has no effect. You can call it from any thread.
    func dispose()

    /// Whether a call of `dispose()` would have no effect, so that a bag need not keep this disposable.
    ///
    /// This is an implementation detail that may change. Types of this package implement it, and it is `false` for all
    /// other types. It is read under a bag's lock, so an implementation must not take a lock.
    var _isFinished: Bool { get }
}

extension Disposable {
    /// An implementation detail that may change.
    @inlinable public var _isFinished: Bool { false }
}

/// A disposable that reports whether it was disposed.
@preconcurrency
public protocol Cancelable: Disposable {
    /// Whether `dispose()` was called.
    var isDisposed: Bool { get }
}

/// The base class of disposable objects and of `DisposeBag`. It counts itself as a live resource in tracing builds.
///
/// The subclass decides how it is ended: subclasses with a public `dispose()` are also `Disposable` or `Cancelable`.
// @unchecked: the tag is set once and read at deinitialisation. A subclass is responsible for the state that it adds.
open class DisposeBase: @unchecked Sendable {
    #if TRACE_RESOURCES
        /// Creates and counts a disposable.
        @inlinable public init() { tag = Resources.made(.disposable, at: ObjectIdentifier(self)) }

        deinit { Resources.gone(tag) }

        /// The tag that removes this disposable from the counts.
        @exclusivity(unchecked) @usableFromInline final var tag: UInt32 = 0
    #else
        /// Creates a disposable. Tracing builds count it.
        @inlinable public init() {}
    #endif
}

/// Functions that create disposables.
///
///     let connection = Disposables.create { print("closed") }
///     connection.dispose()  // closed
///     // It runs once: this does nothing.
///     connection.dispose()
public struct Disposables {
    private init() {}

    /// Returns a disposable that does nothing.
    ///
    /// - Complexity: No allocation.
    public static func create() -> any Disposable { NopDisposable.instance }

    /// Returns a disposable that runs `dispose` once, on the first thread that disposes it, and then releases the
    /// closure.
    public static func create(with dispose: @escaping () -> Void) -> any Cancelable { AnonymousDisposable(dispose) }

    /// Returns a disposable that disposes two others, in this order.
    public static func create(_ first: any Disposable, _ second: any Disposable) -> any Cancelable {
        PairDisposable(first, second)
    }

    /// Returns a disposable that disposes three others, in this order.
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable
    ) -> any Cancelable {
        GroupDisposable([first, second, third])
    }

    /// Returns a disposable that disposes the others, in this order.
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable, _ others: any Disposable...
    ) -> any Cancelable {
        GroupDisposable([first, second, third] + others)
    }

    /// Returns a disposable that disposes the others, in the order of the array.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable { GroupDisposable(disposables) }
}

/// A disposable that does nothing.
@usableFromInline
struct NopDisposable: Disposable, Sendable {
    @usableFromInline static let instance = NopDisposable()

    @usableFromInline func dispose() {}
    @usableFromInline var _isFinished: Bool { true }
}

/// A disposable that runs a closure once.
// @unchecked: only the caller that wins `disposed` touches `action`.
final class AnonymousDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let disposed = Atomic<Bool>(false)
    private var action: (() -> Void)?

    init(_ action: @escaping () -> Void) {
        self.action = action
        super.init()
    }

    var isDisposed: Bool { disposed.load(ordering: .relaxed) }
    var _isFinished: Bool { isDisposed }

    func dispose() {
        guard !disposed.exchange(true, ordering: .relaxed) else { return }
        let action = self.action
        self.action = nil
        action?()
    }
}

/// A disposable that disposes two others, without an array.
// @unchecked: only the caller that wins `disposed` touches the pair.
private final class PairDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let disposed = Atomic<Bool>(false)
    private var first: (any Disposable)?
    private var second: (any Disposable)?

    init(_ first: any Disposable, _ second: any Disposable) {
        self.first = first
        self.second = second
        super.init()
    }

    var isDisposed: Bool { disposed.load(ordering: .relaxed) }
    var _isFinished: Bool { isDisposed }

    func dispose() {
        guard !disposed.exchange(true, ordering: .relaxed) else { return }
        let (first, second) = (self.first, self.second)
        self.first = nil
        self.second = nil
        first?.dispose()
        second?.dispose()
    }
}

/// A disposable that disposes a fixed number of others.
// @unchecked: only the caller that wins `disposed` touches the array.
private final class GroupDisposable: DisposeBase, Cancelable, @unchecked Sendable {
    private let disposed = Atomic<Bool>(false)
    private var members: [any Disposable]

    init(_ members: [any Disposable]) {
        self.members = members
        super.init()
    }

    var isDisposed: Bool { disposed.load(ordering: .relaxed) }
    var _isFinished: Bool { isDisposed }

    func dispose() {
        guard !disposed.exchange(true, ordering: .relaxed) else { return }
        let members = self.members
        self.members = []
        for member in members { member.dispose() }
    }
}
