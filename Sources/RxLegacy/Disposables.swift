import Rx

/// A disposable that runs a closure once.
@available(*, deprecated, message: "Use 'Disposables.create(with:)'.")
public struct AnonymousDisposable: Cancelable {
    private let forwarded: any Cancelable

    /// Creates a disposable that runs `dispose` once.
    public init(_ dispose: @escaping () -> Void) { forwarded = Disposables.create(with: dispose) }

    /// Whether `dispose()` has been called.
    public var isDisposed: Bool { forwarded.isDisposed }

    /// Runs the closure on the first call.
    public func dispose() { forwarded.dispose() }
}

/// The former namespace of a disposable that does nothing.
@available(*, deprecated, message: "Use 'Disposables.create()'.")
public enum NopDisposable {
    /// A disposable that does nothing.
    @available(*, deprecated, message: "Use 'Disposables.create()'.")
    public static var instance: any Disposable { Disposables.create() }
}

/// The former namespace of fixed groups of disposables.
@available(*, deprecated, message: "Use 'Disposables.create'.")
public enum StableCompositeDisposable {
    /// Returns a disposable that disposes both disposables.
    @available(*, deprecated, renamed: "Disposables.create(_:_:)")
    public static func create(_ first: any Disposable, _ second: any Disposable) -> any Cancelable {
        Disposables.create(first, second)
    }

    /// Returns a disposable that disposes all three disposables.
    @available(*, deprecated, renamed: "Disposables.create(_:_:_:)")
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable
    ) -> any Cancelable { Disposables.create(first, second, third) }

    /// Returns a disposable that disposes all given disposables.
    @available(*, deprecated, renamed: "Disposables.create(_:)")
    public static func create(_ disposables: [any Disposable]) -> any Cancelable { Disposables.create(disposables) }
}

extension CompositeDisposable {
    /// Adds a disposable to the group. Disposes it immediately if the group has been disposed.
    @available(*, deprecated, renamed: "insert(_:)")
    @discardableResult
    public func addDisposable(_ disposable: any Disposable) -> DisposeKey? { insert(disposable) }

    /// Disposes one disposable and removes it from the group.
    @available(*, deprecated, renamed: "remove(for:)")
    public func removeDisposable(_ disposeKey: DisposeKey) { remove(for: disposeKey) }
}

extension SingleAssignmentDisposable {
    /// The disposable to dispose. It may be set once.
    @available(*, deprecated, message: "Use 'setDisposable(disposable)'.")
    public var disposable: any Disposable {
        @available(*, unavailable, message: "Keep the disposable that you set.")
        get { self }
        set { setDisposable(newValue) }
    }
}

extension Cancelable {
    /// Whether `dispose()` has been called.
    @available(*, deprecated, renamed: "isDisposed")
    public var disposed: Bool { isDisposed }
}

/// Disposes a disposable when it is deallocated.
@available(*, deprecated, message: "Use 'DisposeBag'.")
public final class ScopedDisposable: DisposeBase, Disposable, @unchecked Sendable {
    // @unchecked: immutable.
    private let disposable: any Cancelable

    /// Creates an owner of `disposable`.
    public init(disposable: any Disposable) { self.disposable = Disposables.create([disposable]) }

    deinit { disposable.dispose() }

    /// Disposes the owned disposable immediately.
    public func dispose() { disposable.dispose() }
}

extension Disposable {
    /// Returns an owner of this disposable. The owner disposes it when the owner is deallocated.
    @available(*, deprecated, message: "Use 'disposed(by:)' and a 'DisposeBag'.")
    public func scopedDispose() -> ScopedDisposable { ScopedDisposable(disposable: self) }
}

/// The number of live resources. See `Resources.isTracing`.
@available(*, deprecated, renamed: "Resources.total")
public var resourceCount: Int32 { Resources.total }
