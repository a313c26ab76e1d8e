/// Makes disposables.
public struct Disposables {
    private init() {}

    /// A disposable that does nothing. No allocation.
    public static func create() -> any Disposable { NopDisposable.instance }
}

/// Nothing to dispose.
@usableFromInline
struct NopDisposable: Disposable, Sendable {
    @usableFromInline static let instance = NopDisposable()

    @usableFromInline func dispose() {}
}
