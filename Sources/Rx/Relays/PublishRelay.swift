/// Sends each value to everyone who is subscribed at that moment, and never ends.
///
///     let names = PublishRelay<String>()
///     let subscription = names.subscribe(onNext: { print($0) })
///     names.accept("Ada")  // Ada
///
/// A `PublishSubject` that takes values only: no mistake can end it. Any thread may subscribe and dispose; values are
/// to be sent one at a time, by one thread or in turns. An observer may send, subscribe and dispose from inside a
/// value; an
/// observer that subscribes there does not get that value.
///
/// - Complexity: Sending takes no lock and allocates nothing; subscribing and disposing take O(1) amortised.
public final class PublishRelay<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: `observers` guards what changes.
    @usableFromInline let observers = SubjectObservers()

    /// A relay without observers.
    public override init() {
        super.init()
        countAsSubject()
    }

    deinit { SubjectObservers.dispose(.passUnretained(observers)) }

    /// Sends a value.
    @inlinable
    public func accept(_ element: Element) { send(element, to: observers) }

    @usableFromInline override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}
