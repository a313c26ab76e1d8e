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
    @available(*, deprecated, renamed: "Disposables.create()", message: "Use 'Disposables.create()'.")
    public static var instance: any Disposable { Disposables.create() }
}

/// The number of live resources; see `Resources.isTracing`.
@available(*, deprecated, renamed: "Resources.total")
public var resourceCount: Int32 { Resources.total }
