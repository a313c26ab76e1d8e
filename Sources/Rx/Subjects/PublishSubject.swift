/// A subject that sends each event to all present subscribers.
///
///     let names = PublishSubject<String>()
///     let subscription = names.subscribe(onNext: { print($0) })
///     names.onNext("Ada")  // Ada
///
/// Any thread may subscribe and dispose. Send events one at a time, from one thread or in turns. An observer may send,
/// subscribe and dispose from inside an event. An observer that subscribes there does not receive that event.
///
/// - Complexity: Sending takes no lock and allocates nothing. Subscribing and disposing take O(1) amortised.
public final class PublishSubject<Element>: Observable<Element>, SubjectType, Cancelable, ObserverType,
    @unchecked Sendable
{
    // @unchecked: `observers` guards what changes.
    /// The observer that sends into the subject: the subject itself.
    public typealias SubjectObserverType = PublishSubject<Element>

    @usableFromInline let observers = SubjectObservers()

    /// Creates a subject without observers.
    public override init() {
        super.init()
        countAsSubject()
    }

    deinit { SubjectObservers.dispose(.passUnretained(observers)) }

    /// Whether the subject has at least one observer.
    public var hasObservers: Bool { !observers.isEmpty }

    /// Whether `dispose()` was called.
    public var isDisposed: Bool { observers.isDisposed }

    /// Sends an event. After a stop event, or after `dispose()`, nothing is sent.
    @inlinable
    public func on(_ event: Event<Element>) {
        let sending = beginSending(to: observers)
        switch event {
        // Not checked, because a subject that has ended has no observers.
        case .next(var element): observers.send(&element)
        case .error(let error): observers.end(error)
        case .completed: observers.end(nil)
        }
        end(sending)
    }

    /// The subject as an observer.
    public func asObserver() -> PublishSubject<Element> { self }

    /// Removes all observers without an event. Later subscribers receive `RxError.disposed`.
    public func dispose() { observers.dispose() }

    @usableFromInline override func attach(_ sink: consuming Sink) { observers.subscribe(sink, of: self) }
}

extension PublishSubject {
    /// The events of the subject, for the windows and groups of a sequence. Each subscriber counts as a use of the
    /// subject's source.
    @usableFromInline
    func observable(countingIn uses: RefCountDisposable) -> Observable<Element> {
        SourceObservable { sink in
            let use = uses.retain()
            self.observers.subscribe(sink, of: self) {
                Disposables.create(SubscriptionKey.counted(of: $0, number: $1), use)
            }
            // The subject has ended, so no other code disposes the use.
            if sink.isStopped { use.dispose() }
        }
    }
}
