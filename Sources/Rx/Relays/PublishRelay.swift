/// A relay that sends each value to all current subscribers, and never ends.
///
///     let names = PublishRelay<String>()
///     let subscription = names.subscribe(onNext: { print($0) })
///     names.accept("Ada")  // Ada
///
/// It behaves like a `PublishSubject` that accepts only values: no mistake can end it. Any thread may subscribe and
/// dispose. Send values one at a time, from one thread or in turns. An observer may send, subscribe and dispose while
/// it receives a value. An observer that subscribes at that point does not receive that value.
///
/// - Complexity: Sending takes no lock and allocates nothing. Subscribing and disposing take O(1) amortised.
public final class PublishRelay<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: `observers` guards the mutable state.
    @usableFromInline let observers = SubjectObservers()

    /// Creates a relay without observers.
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
