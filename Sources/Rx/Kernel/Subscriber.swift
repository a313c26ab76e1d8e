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
            return subscription?._withUnsafeGuaranteedRef { $0.retire() }
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

    /// The subscriber's address, with a reference, how many calls of `dispose()` use it, and whether it is to go.
    ///
    /// ```text
    /// held ──borrow()──▶ held, in use ──retire──▶ retired, in use ──the last retire──▶ gone
    ///   └──────────retire, when it has ended by itself────────────────────────────────▲
    /// ```
    ///
    /// Each `dispose()` has stopped the subscriber before it retires it: whichever of two returns first, no event
    /// follows on its thread. So a subscriber is retired only when it is stopped, and gone only when nobody uses it.
    private let subscriber: Atomic<UInt>

    /// The parts of `subscriber`: a heap address of 64-bit systems leaves its lowest bits and its upper sixteen free.
    private enum Word {
        static var retired: UInt { 1 }
        static var oneUser: UInt { 1 << 48 }
        static var address: UInt { (oneUser - 1) & ~retired }
    }

    @usableFromInline
    init(of subscriber: Subscriber) {
        self.subscriber = Atomic(UInt(bitPattern: Unmanaged.passRetained(subscriber).toOpaque()))
        subscriber.join(self)
    }

    /// It has ended, or was disposed.
    @usableFromInline var _isFinished: Bool {
        let word = subscriber.load(ordering: .relaxed)
        return word == 0 || word & Word.retired != 0
    }

    deinit {
        if let subscriber = retire() { subscriber.forgetSubscription() }
    }

    @usableFromInline
    func dispose() {
        guard let subscriber = borrow() else { return }
        let last = subscriber._withUnsafeGuaranteedRef { subscriber -> Subscriber? in
            let isFirst = subscriber.stop()
            subscriber.forgetSubscription()
            subscriber.releaseUpstream()
            if isFirst { subscriber.didDispose() }
            return retire(after: Word.oneUser)
        }
        withExtendedLifetime(last) {}
    }

    /// The subscriber, alive until `retire(after:)`; `nil` once it is retired, and so stopped.
    private func borrow() -> Unmanaged<Subscriber>? {
        // Acquiring: who finds it retired has stopped before what comes next here.
        var seen = subscriber.load(ordering: .acquiring)
        while seen != 0, seen & Word.retired == 0 {
            let result = subscriber.weakCompareExchange(
                expected: seen, desired: seen + Word.oneUser, successOrdering: .acquiring, failureOrdering: .acquiring)
            if result.exchanged {
                return UnsafeRawPointer(bitPattern: seen & Word.address).map(Unmanaged.fromOpaque)
            }
            seen = result.original
        }
        return nil
    }

    /// Has the subscriber, which is stopped, go when the last call that uses it returns. The reference to it, if nobody
    /// does.
    ///
    /// - Parameter use: `Word.oneUser` to give back what `borrow()` has lent.
    fileprivate func retire(after use: UInt = 0) -> Subscriber? {
        var seen = subscriber.load(ordering: .relaxed)
        while seen != 0 {
            let rest = seen - use
            let isLast = rest < Word.oneUser
            // Acquiring and releasing: who lets it go sees all that was done to it.
            let result = subscriber.weakCompareExchange(
                expected: seen, desired: isLast ? 0 : rest | Word.retired,
                successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if result.exchanged {
                guard isLast else { return nil }
                return UnsafeRawPointer(bitPattern: rest & Word.address).map {
                    Unmanaged.fromOpaque($0).takeRetainedValue()
                }
            }
            seen = result.original
        }
        return nil
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
