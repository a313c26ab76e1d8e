/// The subscriber's sink: the token of the last segment, and what `subscribe` returns.
@usableFromInline
final class Subscriber: Sink {
    @usableFromInline let onEnd: (((any Error)?) -> Void)?
    @usableFromInline let onDisposed: (() -> Void)?

    @inlinable
    init(next: @escaping Next, onEnd: (((any Error)?) -> Void)?, onDisposed: (() -> Void)?) {
        self.onEnd = onEnd
        self.onDisposed = onDisposed
        super.init(token: next)
    }

    @usableFromInline
    override func end(_ error: (any Error)?) {
        let claim = stop()
        guard claim.isWon else { return }
        onEnd?(error)
        releaseUpstream(claim)
        onDisposed?()
    }

    @usableFromInline
    override func didDispose() { onDisposed?() }
}
