/// A relay that sends each value to all subscribers and the most recent values to each new subscriber, and never ends.
///
///     let news = ReplayRelay<String>.create(bufferSize: 2)
///     ["a", "b", "c"].forEach(news.accept)
///     let subscription = news.subscribe(onNext: { print($0) })  // b, c
///
/// It behaves like a `ReplaySubject` that accepts only values: no mistake can end it. Any thread may subscribe and
/// dispose. Send values one at a time, from one thread or in turns. Values that are sent while earlier values are being
/// replayed to an observer reach it after them.
///
/// - Complexity: Sending a value takes one uncontended lock pair, which is not held while observers are called, and
///   allocates nothing once the buffer is full. Subscribing takes O(s + n) for *s* observers and *n* stored values.
public final class ReplayRelay<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: `observers` guards the mutable state.
    @usableFromInline let observers: RememberingObservers<RecentValues<Element>>

    @inlinable
    init(capacity: Int) {
        observers = RememberingObservers(RecentValues(capacity: capacity))
        super.init()
        countAsSubject()
    }

    deinit { SubjectObservers.dispose(.passUnretained(observers)) }

    /// Creates a relay that stores the last `bufferSize` values.
    ///
    /// - Parameter bufferSize: 0 or more. With 0, no value is stored.
    @inlinable
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        ReplayRelay(capacity: RecentValues<Element>.capacity(bufferSize, unlimited: "createUnbound()"))
    }

    /// Creates a relay that stores every value. Its memory grows with each value.
    @inlinable
    public static func createUnbound() -> ReplayRelay<Element> { ReplayRelay(capacity: .max) }

    /// Sends a value, and stores it.
    @inlinable
    public func accept(_ element: Element) { sendAndRemember(element, by: observers) }

    @usableFromInline override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}
