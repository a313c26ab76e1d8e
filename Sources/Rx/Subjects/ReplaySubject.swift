/// A subject that sends each event to all present subscribers, and the most recent values to each new subscriber.
///
///     let news = ReplaySubject<String>.create(bufferSize: 2)
///     ["a", "b", "c"].forEach(news.onNext)
///     let subscription = news.subscribe(onNext: { print($0) })  // b, c
///
/// After a stop event, subscribers receive the remembered values and then that event. Any thread may subscribe and
/// dispose. Send events one at a time, from one thread or in turns. An observer may send, subscribe and dispose from
/// inside an event. Events that are sent while the values are being replayed to an observer reach it after the replay.
///
/// - Complexity: An event takes one uncontended lock pair, which is not held while observers are called, and allocates
///   nothing once the buffer is full. Subscribing takes O(s + n) for *s* observers and *n* remembered values.
public class ReplaySubject<Element>: Observable<Element>, SubjectType, ObserverType, Disposable, @unchecked Sendable {
    // @unchecked: `observers` guards what changes.
    /// The observer that sends into the subject: the subject itself.
    public typealias SubjectObserverType = ReplaySubject<Element>

    @usableFromInline final let observers: RememberingObservers<RecentValues<Element>>

    @inlinable
    init(capacity: Int) {
        observers = RememberingObservers(RecentValues(capacity: capacity))
        super.init()
        countAsSubject()
    }

    deinit { SubjectObservers.dispose(.passUnretained(observers)) }

    /// Creates a subject that remembers the last `bufferSize` values.
    ///
    /// - Parameter bufferSize: 0 or more; 0 remembers nothing.
    @inlinable
    public static func create(bufferSize: Int) -> ReplaySubject<Element> {
        ReplaySubject(capacity: RecentValues<Element>.capacity(bufferSize, unlimited: "createUnbounded()"))
    }

    /// Creates a subject that remembers every value. Its memory grows with each value.
    @inlinable
    public static func createUnbounded() -> ReplaySubject<Element> { ReplaySubject(capacity: .max) }

    /// Whether the subject has at least one observer.
    public final var hasObservers: Bool { !observers.isEmpty }

    /// Sends an event. After a stop event, or after `dispose()`, nothing is sent or remembered.
    @inlinable
    public final func on(_ event: Event<Element>) {
        let sending = beginSending(to: observers)
        observers.on(event)
        end(sending)
    }

    /// The subject as an observer.
    public final func asObserver() -> ReplaySubject<Element> { self }

    /// Removes the values, and removes all observers without an event. Later subscribers receive `RxError.disposed`.
    public final func dispose() { observers.dispose() }

    @usableFromInline final override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}
