/// A subject that sends its last value when it completes, to present and later observers.
///
///     let result = AsyncSubject<Int>()
///     let subscription = result.subscribe(onNext: { print($0) })
///     result.onNext(1)
///     result.onNext(2)
///     result.onCompleted()  // 2
///
/// An error is forwarded without a value. Any thread may subscribe and dispose. Send events one at a time, from one
/// thread or in turns.
///
/// - Complexity: A value takes one uncontended lock pair, which is not held while observers are called, and allocates
///   nothing. Subscribing and disposing take O(1) amortised.
public final class AsyncSubject<Element>: Observable<Element>, SubjectType, ObserverType, @unchecked Sendable {
    // @unchecked: `observers` guards what changes.
    // Kernel-internal: emit, emitEndOnce. A source of many sinks.
    /// The observer that sends into the subject: the subject itself.
    public typealias SubjectObserverType = AsyncSubject<Element>

    @usableFromInline let observers: RememberingObservers<FinalValue<Element>>

    /// Creates a subject without observers or values.
    @inlinable
    public override init() {
        observers = RememberingObservers(FinalValue())
        super.init()
        countAsSubject()
    }

    deinit { SubjectObservers.dispose(.passUnretained(observers)) }

    /// Whether the subject has at least one observer.
    public var hasObservers: Bool { !observers.isEmpty }

    /// Handles an event. After a stop event, further events are ignored.
    @inlinable
    public func on(_ event: Event<Element>) {
        let sending = beginSending(to: observers)
        switch event {
        case .next(let element): observers.rememberOnly(element)
        case .error(let error): observers.end(error)
        case .completed: complete()
        }
        end(sending)
    }

    @usableFromInline
    func complete() {
        guard let left = observers.close(nil) else { return }
        if let value = observers.lock.withLock({ observers.memory.value }) {
            left.forEach { sink in
                var copy = value
                sink.emit(&copy)
            }
        }
        left.forEach { $0.emitEndOnce(nil) }
    }

    /// The subject as an observer.
    public func asObserver() -> AsyncSubject<Element> { self }

    @usableFromInline override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}
