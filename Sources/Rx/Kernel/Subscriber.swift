import CRx
import Synchronization

/// What a subscriber does at the end.
// A class of its own: the deinitialiser of one that adds two references to those of its superclass retains the object
// meanwhile.
@usableFromInline
class EndingSink: TokenSink, @unchecked Sendable {
    // @unchecked: as every sink.
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
    // @unchecked: as every sink.
    @usableFromInline final let onDisposed: (() -> Void)?

    /// The address of the subscription, which holds on to this and is not held by it; or a `SubscriptionState`.
    private final let subscription = Atomic<UInt>(SubscriptionState.none)

    /// ```text
    /// none ──join(_:)──▶ address ──forgetSubscription()──▶ over
    ///   │                   └──the end──▶ leaving ──────────▲
    ///   └──────────the end──────────────────────────────────┘
    /// ```
    ///
    /// The end leaves a subscription by an atomic of that one; it is `awaited` while another thread wants to forget the
    /// subscription meanwhile.
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

    /// Takes the end, and tells it to the user's function if `tells`.
    @inline(__always)
    final func receiveEnd(_ error: (any Error)?, tells: Bool) {
        guard stop() else { return }
        if tells { onEnd?(error) }
        onDisposed?()
        leaveSubscription()
    }

    @usableFromInline
    final override func didDispose() { onDisposed?() }

    /// Has the subscription let go of this at the end. Returns `false` if the end has come already.
    fileprivate final func join(_ subscription: Subscription) -> Bool {
        // Releasing: what the end is to find in the subscription.
        self.subscription.compareExchange(
            expected: SubscriptionState.none,
            desired: UInt(bitPattern: Unmanaged.passUnretained(subscription).toOpaque()), ordering: .releasing
        ).exchanged
    }

    /// Forgets the subscription, which holds on to this no longer. Until this returns, the subscription stays in
    /// memory.
    fileprivate final func forgetSubscription() {
        // Acquiring: what the end has done with the subscription comes before what follows here.
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

    /// The end: the subscription, which the user may keep for long, lets go of the closures.
    private final func leaveSubscription() {
        // Acquiring: the subscription.
        var seen = subscription.load(ordering: .acquiring)
        while seen != SubscriptionState.over {
            let next = seen == SubscriptionState.none ? SubscriptionState.over : SubscriptionState.leaving
            let result = subscription.compareExchange(expected: seen, desired: next, ordering: .acquiring)
            if result.exchanged { return next == SubscriptionState.leaving ? leave(seen) : () }
            seen = result.original
        }
    }

    /// Has the subscription at the address let go of this.
    private final func leave(_ subscription: UInt) {
        // Not retained, as it may be on its way out; then it waits in `forgetSubscription()`.
        let owned = UnsafeRawPointer(bitPattern: subscription).map(Unmanaged<Subscription>.fromOpaque)?
            ._withUnsafeGuaranteedRef { $0.retire() }
        // Releasing: that nothing is done with the subscription any more.
        let before = self.subscription.exchange(SubscriptionState.over, ordering: .releasing)
        if before == SubscriptionState.awaited { rx_unpark(address) }
        withExtendedLifetime(owned) {}
    }

    /// Where `subscription` lives, for the parking lot.
    private var address: UnsafePointer<uintptr_t> {
        withUnsafePointer(to: subscription) { UnsafeRawPointer($0).assumingMemoryBound(to: uintptr_t.self) }
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

    /// Takes over the reference to `subscriber`.
    fileprivate init(of subscriber: Unmanaged<Subscriber>) {
        self.subscriber = Atomic(UInt(bitPattern: subscriber.toOpaque()))
        if !subscriber._withUnsafeGuaranteedRef({ $0.join(self) }) { withExtendedLifetime(retire()) {} }
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
            // Where this was first, no end looks for the subscription any more.
            if !isFirst { subscriber.forgetSubscription() }
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
    final func subscribe(_ subscriber: consuming Subscriber) -> any Disposable {
        // By hand: the compiler would retain it while the source is subscribed.
        let subscriber = Unmanaged.passRetained(consume subscriber)
        let hasEnded = subscriber._withUnsafeGuaranteedRef {
            $0.countAsSubscriber()
            subscribe(sink: $0)
            return $0.isStopped
        }
        guard hasEnded else { return Subscription(of: subscriber) }
        // Many sequences have ended by now: they need no subscription.
        subscriber.release()
        return NopDisposable.instance
    }
}
