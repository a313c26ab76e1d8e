/// What a `Completable` has to say: that it is done, or why not.
@frozen
public enum CompletableEvent: Sendable {
    /// The sequence has failed.
    case error(any Error)
    /// It is done.
    case completed
}
