/// The kinds of live resources that `Rx` counts: `Resources.Kind` for modules that do not import `Rx`.
public enum TracedKind: Int, CaseIterable, Sendable {
    /// An `Observable` of any operator or source.
    case observable
    /// A subject or relay.
    case subject
    /// One operator or observer within one live subscription.
    case sink
    /// A disposable, `DisposeBag` included.
    case disposable
    /// The shared subscription of `share`, `refCount` or a connected observable.
    case connection
    /// A virtual-time scheduler.
    case scheduler
}
