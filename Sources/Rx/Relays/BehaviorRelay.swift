/// A relay that sends each value to all subscribers and the latest value to each new subscriber, and never ends.
///
///     let level = BehaviorRelay(value: 1)
///     let subscription = level.subscribe(onNext: { print($0) })  // 1
///     level.accept(level.value + 1)  // 2
///
/// It behaves like a `BehaviorSubject` that accepts only values: no mistake can end it, so it always has a value. Any
/// thread may subscribe, dispose and read `value`. Send values one at a time, from one thread or in turns. An observer
/// may send, subscribe and dispose while it receives a value.
///
/// - Complexity: Sending a value takes one uncontended lock pair, which is not held while observers are called, and
///   allocates nothing. Subscribing and disposing take O(1) amortised.
public final class BehaviorRelay<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: `observers` guards the mutable state.
    @usableFromInline let observers: RememberingObservers<LatestValue<Element>>

    /// Creates a relay without observers whose latest value is `value`.
    @inlinable
    public init(value: Element) {
        observers = RememberingObservers(LatestValue(value))
        super.init()
        countAsSubject()
    }

    deinit { SubjectObservers.dispose(.passUnretained(observers)) }

    /// The latest value. Reading it and then sending is two steps: another thread may send in between.
    @inlinable
    public var value: Element {
        // Always has a value: only a subject can be disposed, and the deinitialiser runs later.
        withExtendedLifetime(self) { observers.lock.withLock { observers.memory.value } }.unsafelyUnwrapped
    }

    /// Sends a value, and stores it as the latest value.
    @inlinable
    public func accept(_ element: Element) { sendAndRemember(element, by: observers) }

    @usableFromInline override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}
