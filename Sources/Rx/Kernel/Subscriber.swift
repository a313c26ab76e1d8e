import Synchronization

/// The subscriber's sink: the token of the last segment.
@usableFromInline
final class Subscriber: Sink, @unchecked Sendable {
    // @unchecked: as every sink.
    @usableFromInline let onEnd: (((any Error)?) -> Void)?
    @usableFromInline let onDisposed: (() -> Void)?

    private let gate = OwnerLock()
    /// Under `gate`: what `subscribe` has returned, while that is there and holds on to this.
    @exclusivity(unchecked) private var subscription: Unmanaged<Subscription>?

    @inlinable
    init(next: @escaping Next, onEnd: (((any Error)?) -> Void)?, onDisposed: (() -> Void)?) {
        self.onEnd = onEnd
        self.onDisposed = onDisposed
        super.init(token: next)
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard stop() else { return }
        onEnd?(error)
        onDisposed?()
        leaveSubscription()
    }

    @usableFromInline
    override func didDispose() { onDisposed?() }

    fileprivate func join(_ subscription: Subscription) { self.subscription = .passUnretained(subscription) }

    /// Forgets the subscription, which holds on to this no longer. Until this returns, the subscription stays in
    /// memory.
    fileprivate func forgetSubscription() { gate.withLock { subscription = nil } }

    /// The end: the subscription, which the user may keep for long, lets go of the closures.
    private func leaveSubscription() {
        let owned = gate.withLock { () -> Subscriber? in
            defer { subscription = nil }
            // Not retained, as it may be on its way out; then it waits at `gate` in `forgetSubscription()`.
            return subscription?._withUnsafeGuaranteedRef { $0.takeSubscriber() }
        }
        withExtendedLifetime(owned) {}
    }
}

/// The subscription that `subscribe` returns.
///
/// It keeps the subscriber alive until the sequence ends or is disposed, and no longer: an owner that keeps a
/// subscription in a bag would otherwise keep what its closures capture, such as the owner of the bag. The
/// closures themselves cannot be cleared in the subscriber: an event may be on its way to them on another thread.
@usableFromInline
final class Subscription: Disposable, Sendable {
    // Not counted as a resource of its own: while it matters, the subscriber is.

    /// The subscriber's address, with a reference; 0 once somebody has taken it.
    private let subscriber: Atomic<UInt>

    @usableFromInline
    init(of subscriber: Subscriber) {
        self.subscriber = Atomic(UInt(bitPattern: Unmanaged.passRetained(subscriber).toOpaque()))
        subscriber.join(self)
    }

    /// It has ended, or was disposed.
    @usableFromInline var _isFinished: Bool { subscriber.load(ordering: .relaxed) == 0 }

    deinit {
        if let subscriber = takeSubscriber() { subscriber.forgetSubscription() }
    }

    @usableFromInline
    func dispose() {
        guard let subscriber = takeSubscriber() else { return }
        subscriber.forgetSubscription()
        subscriber.dispose()
    }

    /// Returns the subscriber to the first caller.
    fileprivate func takeSubscriber() -> Subscriber? {
        // Acquiring and releasing: the one that takes it sees all that was done to it.
        let address = subscriber.exchange(0, ordering: .acquiringAndReleasing)
        return UnsafeRawPointer(bitPattern: address).map { Unmanaged.fromOpaque($0).takeRetainedValue() }
    }
}

extension ObservableBase {
    /// Feeds `subscriber` until the subscription that is returned is disposed.
    @usableFromInline
    final func subscribe(_ subscriber: Subscriber) -> any Disposable {
        subscriber.countAsSubscriber()
        // First of all: the sequence may end before `subscribe(sink:)` returns.
        let subscription = Subscription(of: subscriber)
        subscribe(sink: subscriber)
        return subscription
    }
}
