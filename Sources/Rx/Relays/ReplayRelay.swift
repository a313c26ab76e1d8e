/// Sends each value to everyone who is subscribed, the most recent values to everyone who subscribes, and never ends.
///
///     let news = ReplayRelay<String>.create(bufferSize: 2)
///     ["a", "b", "c"].forEach(news.accept)
///     let subscription = news.subscribe(onNext: { print($0) })  // b, c
///
/// A `ReplaySubject` that takes values only: no mistake can end it. Any thread may subscribe and dispose; values are to
/// be sent one at a time, by one thread or in turns. What is sent while the values are being replayed to an observer
/// reaches it after them.
///
/// - Complexity: A value takes one uncontended lock pair, which is not held while observers are called, and allocates
///   nothing once the buffer is full; subscribing takes O(s + n) for *s* observers and *n* remembered values.
public final class ReplayRelay<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: `observers` guards what changes.
    @usableFromInline let observers: RememberingObservers<RecentValues<Element>>

    @inlinable
    init(capacity: Int) {
        observers = RememberingObservers(RecentValues(capacity: capacity))
        super.init()
        countAsSubject()
    }

    deinit { SubjectObservers.dispose(.passUnretained(observers)) }

    /// A relay that remembers the last `bufferSize` values.
    ///
    /// - Parameter bufferSize: 0 or more; 0 remembers nothing.
    @inlinable
    public static func create(bufferSize: Int) -> ReplayRelay<Element> {
        ReplayRelay(capacity: RecentValues<Element>.capacity(bufferSize, unlimited: "createUnbound()"))
    }

    /// A relay that remembers every value. Its memory grows with each.
    @inlinable
    public static func createUnbound() -> ReplayRelay<Element> { ReplayRelay(capacity: .max) }

    /// Sends a value, and remembers it.
    @inlinable
    public func accept(_ element: Element) { sendAndRemember(element, by: observers) }

    @usableFromInline override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}
