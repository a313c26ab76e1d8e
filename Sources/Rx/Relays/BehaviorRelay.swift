/// Sends each value to everyone who is subscribed, the latest value to everyone who subscribes, and never ends.
///
///     let level = BehaviorRelay(value: 1)
///     let subscription = level.subscribe(onNext: { print($0) })  // 1
///     level.accept(level.value + 1)  // 2
///
/// A `BehaviorSubject` that takes values only: no mistake can end it, so it always has a value. Any thread may
/// subscribe, dispose and read `value`; values are to be sent one at a time, by one thread or in turns. An observer may
/// send, subscribe and dispose from inside a value.
///
/// - Complexity: A value takes one uncontended lock pair, which is not held while observers are called, and allocates
///   nothing; subscribing and disposing take O(1) amortised.
public final class BehaviorRelay<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: `observers` guards what changes.
    @usableFromInline let observers: RememberingObservers<LatestValue<Element>>

    /// A relay without observers whose latest value is `value`.
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
        // Never forgotten: only a subject can be disposed, and the deinitialiser comes later.
        withExtendedLifetime(self) { observers.lock.withLock { observers.memory.value } }.unsafelyUnwrapped
    }

    /// Sends a value, and remembers it.
    @inlinable
    public func accept(_ element: Element) { sendAndRemember(element, by: observers) }

    @usableFromInline override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}
