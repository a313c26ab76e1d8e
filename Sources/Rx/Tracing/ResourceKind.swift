/// What kind of live resource is counted.
@frozen
public enum ResourceKind: Int, CaseIterable, Sendable {
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

extension ResourceKind {
    /// The raw value as code in other modules may use it without a call.
    @inlinable @inline(__always)
    package var index: Int {
        switch self {
        case .observable: 0
        case .subject: 1
        case .sink: 2
        case .disposable: 3
        case .connection: 4
        case .scheduler: 5
        }
    }
}
