/// A subject that sends each event to all subscribers, and the latest value to each new subscriber.
///
///     let level = BehaviorSubject(value: 1)
///     level.onNext(2)
///     let subscription = level.subscribe(onNext: { print($0) })  // 2
///     level.onNext(3)  // 3
///
/// After a stop event, subscribers receive only that event. Any thread may subscribe and dispose. Send events one at a
/// time, from one thread or in turns. An observer may send, subscribe and dispose from inside an event. Events that are
/// sent while the latest value is being replayed to an observer reach it after the replay.
///
/// - Complexity: An event takes one uncontended lock pair, which is not held while observers are called, and allocates
///   nothing. Subscribing and disposing take O(1) amortised.
public final class BehaviorSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    // @unchecked: `observers` guards what changes.
    /// The observer that sends into the subject: the subject itself.
    public typealias SubjectObserverType = BehaviorSubject<Element>

    @usableFromInline let observers: RememberingObservers<LatestValue<Element>>

    /// Creates a subject without observers whose latest value is `value`.
    @inlinable
    public init(value: Element) {
        observers = RememberingObservers(LatestValue(value))
        super.init()
        countAsSubject()
    }

    deinit { SubjectObservers.dispose(.passUnretained(observers)) }

    /// Whether the subject has at least one observer.
    public var hasObservers: Bool { !observers.isEmpty }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { observers.isDisposed }

    /// The latest value, also after completion.
    ///
    /// - Throws: the error that ended the subject, or `RxError.disposed` after `dispose()`.
    public func value() throws -> Element {
        let (ending, value) = withExtendedLifetime(self) {
            observers.lock.withLock { (observers.ending, observers.memory.value) }
        }
        if case .ended(let error?) = ending { throw error }
        guard let value else { throw RxError.disposed(object: self) }
        return value
    }

    /// Sends an event. After a stop event, or after `dispose()`, nothing is sent or remembered.
    @inlinable
    public func on(_ event: Event<Element>) {
        let sending = beginSending(to: observers)
        observers.on(event)
        end(sending)
    }

    /// The subject as an observer.
    public func asObserver() -> BehaviorSubject<Element> { self }

    /// Removes the value, and removes all observers without an event. Later subscribers receive `RxError.disposed`.
    public func dispose() { observers.dispose() }

    @usableFromInline override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}
