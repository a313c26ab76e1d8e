import CRx
import Synchronization

/// The sink that stores a subscriber's handler for the end.
// A separate class: when a subclass adds two references to its superclass's references, its deinitialiser retains the
// object while it runs.
@usableFromInline
class EndingSink: TokenSink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    @usableFromInline final let onEnd: (((any Error)?) -> Void)?

    @inlinable
    init(next: @escaping Next, onEnd: (((any Error)?) -> Void)?) {
        self.onEnd = onEnd
        super.init(token: next)
    }
}

/// The subscriber's sink: the token of the last segment.
@usableFromInline
class Subscriber: EndingSink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    @usableFromInline final let onDisposed: (() -> Void)?

    /// The address of the subscription, or a `SubscriptionState`. The subscription owns this subscriber, and this
    /// subscriber does not own the subscription.
    private final let subscription = Atomic<UInt>(SubscriptionState.none)

    /// ```text
    /// none ──join(_:)──▶ address ──forgetSubscription()──▶ over
    ///   │                   └──the end──▶ leaving ──────────▲
    ///   └──────────the end──────────────────────────────────┘
    /// ```
    ///
    /// At the end, the subscriber is retired in the subscription, with an atomic of the subscription. The state here is
    /// `awaited` while another thread waits to forget the subscription at the same time.
    private enum SubscriptionState {
        static var none: UInt { 0 }
        static var leaving: UInt { 1 }
        static var awaited: UInt { 2 }
        static var over: UInt { 3 }
    }

    @inlinable
    init(next: @escaping Next, onEnd: (((any Error)?) -> Void)?, onDisposed: (() -> Void)?) {
        self.onDisposed = onDisposed
        super.init(next: next, onEnd: onEnd)
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) { receiveEnd(error, tells: true) }

    /// Handles the end. Passes it to the user's function if `tells` is true.
    @inline(__always)
    final func receiveEnd(_ error: (any Error)?, tells: Bool) {
        guard stopSegment() else { return }
        if tells { onEnd?(error) }
        onDisposed?()
        leaveSubscription()
    }

    @usableFromInline
    final override func didDispose() { onDisposed?() }

    /// Makes the subscription release this subscriber at the end. Returns `false` if the sequence has already ended.
    fileprivate final func join(_ subscription: Subscription) -> Bool {
        // Releasing: makes the subscription's contents visible to the end.
        self.subscription.compareExchange(
            expected: SubscriptionState.none,
            desired: UInt(bitPattern: Unmanaged.passUnretained(subscription).toOpaque()), ordering: .releasing
        ).exchanged
    }

    /// Forgets the subscription, which no longer owns this subscriber. The subscription stays in memory until this
    /// returns.
    fileprivate final func forgetSubscription() {
        // Acquiring: everything that the end does with the subscription happens before the code that follows.
        var seen = subscription.load(ordering: .acquiring)
        while seen != SubscriptionState.over {
            if seen == SubscriptionState.awaited {
                rx_park(address, uintptr_t(seen))
                seen = subscription.load(ordering: .acquiring)
            } else {
                let next = seen == SubscriptionState.leaving ? SubscriptionState.awaited : SubscriptionState.over
                let result = subscription.compareExchange(expected: seen, desired: next, ordering: .acquiring)
                seen = result.exchanged ? next : result.original
            }
        }
    }

    /// Makes the subscription release the closures at the end. The user may keep the subscription for a long time.
    private final func leaveSubscription() {
        // Acquiring: sees the subscription's contents.
        var seen = subscription.load(ordering: .acquiring)
        while seen != SubscriptionState.over {
            let next = seen == SubscriptionState.none ? SubscriptionState.over : SubscriptionState.leaving
            let result = subscription.compareExchange(expected: seen, desired: next, ordering: .acquiring)
            if result.exchanged { return next == SubscriptionState.leaving ? leave(seen) : () }
            seen = result.original
        }
    }

    /// Makes the subscription at the address release this subscriber.
    private final func leave(_ subscription: UInt) {
        // Not retained, because the subscription may be about to be deallocated. In that case it waits in
        // `forgetSubscription()`.
        let owned = UnsafeRawPointer(bitPattern: subscription).map(Unmanaged<Subscription>.fromOpaque)?
            ._withUnsafeGuaranteedRef { $0.retire() }
        // Releasing: this thread has finished using the subscription.
        let before = self.subscription.exchange(SubscriptionState.over, ordering: .releasing)
        if before == SubscriptionState.awaited { rx_unpark(address) }
        withExtendedLifetime(owned) {}
    }

    /// The address of `subscription`, for the parking lot.
    private var address: UnsafePointer<uintptr_t> {
        withUnsafePointer(to: subscription) { UnsafeRawPointer($0).assumingMemoryBound(to: uintptr_t.self) }
    }
}

/// The subscription that `subscribe` returns.
///
/// It keeps the subscriber alive only until the sequence ends or is disposed. Otherwise an owner that keeps a
/// subscription in a bag would also keep everything that its closures capture, such as the owner of the bag. The
/// closures themselves cannot be cleared in the subscriber, because another thread may be delivering an event to them.
@usableFromInline
final class Subscription: Disposable, Sendable {
    // Not counted as a separate resource: while the subscription is in use, the subscriber is counted.

    /// The subscriber's address with a reference, the number of `dispose()` calls that use it, and whether it is
    /// retired.
    ///
    /// ```text
    /// held ──borrow()──▶ held, in use ──retire──▶ retired, in use ──the last retire──▶ gone
    ///   └──────────retire, when it has ended by itself────────────────────────────────▲
    /// ```
    ///
    /// Each `dispose()` call stops the subscriber before it retires it. After either of two calls has returned, no
    /// event follows on its thread. So a subscriber is retired only after it has stopped, and released only when no
    /// call uses it.
    private let subscriber: Atomic<UInt>

    /// The parts of `subscriber`. On 64-bit systems, a heap address leaves its lowest bits and its upper sixteen bits
    /// free.
    private enum Word {
        static var retired: UInt { 1 }
        static var oneUser: UInt { 1 << 48 }
        static var address: UInt { (oneUser - 1) & ~retired }
    }

    /// Takes ownership of the reference to `subscriber`.
    fileprivate init(of subscriber: Unmanaged<Subscriber>) {
        self.subscriber = Atomic(UInt(bitPattern: subscriber.toOpaque()))
        if !subscriber._withUnsafeGuaranteedRef({ $0.join(self) }) { withExtendedLifetime(retire()) {} }
    }

    /// Whether the sequence has ended or was disposed.
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
            let isFirst = subscriber.stopSegment()
            // If this call was first, no end uses the subscription any longer.
            if !isFirst { subscriber.forgetSubscription() }
            subscriber.releaseUpstream()
            if isFirst { subscriber.didDispose() }
            return retire(after: Word.oneUser)
        }
        withExtendedLifetime(last) {}
    }

    /// Returns the subscriber, which stays alive until `retire(after:)`. Returns `nil` if the subscriber is retired,
    /// and so stopped.
    private func borrow() -> Unmanaged<Subscriber>? {
        // Acquire: a thread that sees `retired` also sees the subscriber stopped.
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

    /// Releases the subscriber, which is stopped, when the last call that uses it returns. Returns the reference to it
    /// if no call uses it.
    ///
    /// - Parameter use: `Word.oneUser` to return the use that `borrow()` has counted.
    fileprivate func retire(after use: UInt = 0) -> Subscriber? {
        var seen = subscriber.load(ordering: .relaxed)
        while seen != 0 {
            let rest = seen - use
            let isLast = rest < Word.oneUser
            // Acquiring and releasing: the thread that releases the subscriber sees all earlier changes to it.
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
    /// Feeds `subscriber` until the returned subscription is disposed.
    @usableFromInline
    final func subscribe(_ subscriber: consuming Subscriber) -> any Disposable {
        // Managed manually: the compiler would retain the subscriber while it subscribes to the source.
        let subscriber = Unmanaged.passRetained(consume subscriber)
        let hasEnded = subscriber._withUnsafeGuaranteedRef {
            $0.countAsSubscriber()
            subscribe(sink: $0)
            return $0.isStopped
        }
        guard hasEnded else { return Subscription(of: subscriber) }
        // Many sequences have already ended at this point. They need no subscription.
        subscriber.release()
        return NopDisposable.instance
    }
}
