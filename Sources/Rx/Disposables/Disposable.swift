import Synchronization

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

/// Makes disposables.
///
///     let connection = Disposables.create { print("closed") }
///     connection.dispose()  // closed
///     // It runs once: this does nothing.
///     connection.dispose()
public struct Disposables {
    private init() {}

    /// A disposable that does nothing.
    ///
    /// - Complexity: No allocation.
    public static func create() -> any Disposable { NopDisposable.instance }

    /// A disposable that runs `dispose` once, on the thread that disposes it first, and then releases it.
    public static func create(with dispose: @escaping () -> Void) -> any Cancelable { AnonymousDisposable(dispose) }

    /// A disposable that disposes two others, in this order.
    public static func create(_ first: any Disposable, _ second: any Disposable) -> any Cancelable {
        PairDisposable(first, second)
    }

    /// A disposable that disposes three others, in this order.
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable
    ) -> any Cancelable {
        GroupDisposable([first, second, third])
    }

    /// A disposable that disposes the others, in this order.
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable, _ others: any Disposable...
    ) -> any Cancelable {
        GroupDisposable([first, second, third] + others)
    }

    /// A disposable that disposes the others, in the order of the array.
    public static func create(_ disposables: [any Disposable]) -> any Cancelable { GroupDisposable(disposables) }
}

/// Nothing to dispose.
@usableFromInline
struct NopDisposable: Disposable, Sendable {
    @usableFromInline static let instance = NopDisposable()

    @usableFromInline func dispose() {}
    @usableFromInline var _isFinished: Bool { true }
}

/// Runs a closure once.
// @unchecked: only the one caller that wins `disposed` touches `action`.
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

/// Disposes two others, without an array.
// @unchecked: only the one caller that wins `disposed` touches the pair.
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

/// Disposes a fixed number of others.
// @unchecked: only the one caller that wins `disposed` touches the array.
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
