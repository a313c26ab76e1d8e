import Rx

/// A disposable that runs a closure once.
@available(*, deprecated, message: "Use 'Disposables.create(with:)'.")
public struct AnonymousDisposable: Cancelable {
    private let forwarded: any Cancelable

    /// A disposable that runs `dispose` once.
    public init(_ dispose: @escaping () -> Void) { forwarded = Disposables.create(with: dispose) }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { forwarded.isDisposed }

    /// Runs the closure, the first time it is called.
    public func dispose() { forwarded.dispose() }
}

/// The name under which a disposable that does nothing was found.
@available(*, deprecated, message: "Use 'Disposables.create()'.")
public enum NopDisposable {
    /// A disposable that does nothing.
    @available(*, deprecated, message: "Use 'Disposables.create()'.")
    public static var instance: any Disposable { Disposables.create() }
}

/// The name under which a fixed group of disposables was made.
@available(*, deprecated, message: "Use 'Disposables.create'.")
public enum StableCompositeDisposable {
    /// A disposable that disposes both.
    @available(*, deprecated, renamed: "Disposables.create(_:_:)")
    public static func create(_ first: any Disposable, _ second: any Disposable) -> any Cancelable {
        Disposables.create(first, second)
    }

    /// A disposable that disposes all three.
    @available(*, deprecated, renamed: "Disposables.create(_:_:_:)")
    public static func create(
        _ first: any Disposable, _ second: any Disposable, _ third: any Disposable
    ) -> any Cancelable { Disposables.create(first, second, third) }

    /// A disposable that disposes all of them.
    @available(*, deprecated, renamed: "Disposables.create(_:)")
    public static func create(_ disposables: [any Disposable]) -> any Cancelable { Disposables.create(disposables) }
}

extension CompositeDisposable {
    /// Adds a disposable, or disposes it at once if the group was disposed.
    @available(*, deprecated, renamed: "insert(_:)")
    @discardableResult
    public func addDisposable(_ disposable: any Disposable) -> DisposeKey? { insert(disposable) }

    /// Disposes and forgets one of them.
    @available(*, deprecated, renamed: "remove(for:)")
    public func removeDisposable(_ disposeKey: DisposeKey) { remove(for: disposeKey) }
}

extension SingleAssignmentDisposable {
    /// The disposable that is disposed; set once.
    @available(*, deprecated, message: "Use 'setDisposable(disposable)'.")
    public var disposable: any Disposable {
        @available(*, unavailable, message: "Keep the disposable that you set.")
        get { self }
        set { setDisposable(newValue) }
    }
}

extension Cancelable {
    /// Whether `dispose()` was called.
    @available(*, deprecated, renamed: "isDisposed")
    public var disposed: Bool { isDisposed }
}

/// Disposes something when it is let go of.
@available(*, deprecated, message: "Use 'DisposeBag'.")
public final class ScopedDisposable: DisposeBase, Disposable, @unchecked Sendable {
    // @unchecked: immutable.
    private let disposable: any Cancelable

    /// An owner of `disposable`.
    public init(disposable: any Disposable) { self.disposable = Disposables.create([disposable]) }

    deinit { disposable.dispose() }

    /// Disposes it now.
    public func dispose() { disposable.dispose() }
}

extension Disposable {
    /// An owner of this disposable, which disposes it when it is let go of.
    @available(*, deprecated, message: "Use 'disposed(by:)' and a 'DisposeBag'.")
    public func scopedDispose() -> ScopedDisposable { ScopedDisposable(disposable: self) }
}

/// The number of live resources; see `Resources.isTracing`.
@available(*, deprecated, renamed: "Resources.total")
public var resourceCount: Int32 { Resources.total }
