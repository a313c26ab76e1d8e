import Rx

/// The methods that created sequences before version 3.
extension ObservableType {
    /// Returns a sequence that delivers the given values, then completes.
    @available(*, deprecated, renamed: "of(_:)")
    @inlinable
    public static func sequenceOf(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> { from(elements, scheduler: scheduler) }

    /// Returns a sequence that delivers one value, then completes.
    @available(*, deprecated, renamed: "just(_:)")
    @inlinable
    public static func returnElement(_ element: Element) -> Observable<Element> { just(element) }

    /// Returns a sequence that fails with `error` immediately.
    @available(*, deprecated, renamed: "error(_:)")
    @inlinable
    public static func failWith(_ error: any Error) -> Observable<Element> { self.error(error) }
}

extension Sequence {
    /// Returns a sequence that delivers the elements, then completes.
    @available(*, deprecated, message: "Use 'Observable.from'.")
    @inlinable
    public func toObservable(
        _ scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> { .from(self, scheduler: scheduler) }
}

extension Optional {
    /// Returns a sequence that delivers the value, if there is one, then completes.
    @available(*, deprecated, message: "Use 'Observable.from(optional:)'.")
    @inlinable
    public func toObservable() -> Observable<Wrapped> { .from(optional: self) }

    /// Returns a sequence that delivers the value, if there is one, then completes. The events are actions of
    /// `scheduler`.
    @available(*, deprecated, message: "Use 'Observable.from(optional:scheduler:)'.")
    @inlinable
    public func toObservable(_ scheduler: any ImmediateSchedulerType) -> Observable<Wrapped> {
        .from(optional: self, scheduler: scheduler)
    }
}

// The global functions that created sequences before version 2.

/// Returns a sequence that delivers one value, then completes.
@available(*, deprecated, renamed: "Observable.just(_:)")
public func just<Element>(_ element: Element) -> Observable<Element> { .just(element) }

/// Returns a sequence that completes immediately.
@available(*, deprecated, renamed: "Observable.empty()")
public func empty<Element>() -> Observable<Element> { .empty() }

/// Returns a sequence that never sends an event.
@available(*, deprecated, renamed: "Observable.never()")
public func never<Element>() -> Observable<Element> { .never() }

/// Returns a sequence that delivers the given values, then completes.
@available(*, deprecated, renamed: "Observable.of(_:)")
public func sequenceOf<Element>(_ elements: Element...) -> Observable<Element> { .from(elements) }

/// Returns a sequence that delivers one value, then completes.
@available(*, deprecated, renamed: "Observable.just(_:)")
public func returnElement<Element>(_ element: Element) -> Observable<Element> { .just(element) }

/// Returns a sequence that fails with `error` immediately.
@available(*, deprecated, renamed: "Observable.error(_:)")
public func failWith<Element>(_ error: any Error) -> Observable<Element> { .error(error) }

/// Returns a sequence that runs `subscribe` for each subscriber.
@available(*, deprecated, message: "Use 'Observable.create { … }'.")
public func create<Element>(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
    .create(subscribe)
}

/// Calls `observableFactory` for each subscriber and subscribes to the sequence that it returns.
@available(*, deprecated, message: "Use 'Observable.deferred { … }'.")
public func deferred<Element>(_ observableFactory: @escaping () throws -> Observable<Element>) -> Observable<Element> {
    .deferred(observableFactory)
}

/// Returns a sequence that delivers `count` numbers from `start`, then completes.
@available(*, deprecated, renamed: "Observable.range(start:count:)")
public func range(_ start: Int, _ count: Int) -> Observable<Int> { .range(start: start, count: count) }

/// Delivers 0, 1, 2 …, one value every `period` seconds.
@available(*, deprecated, message: "Use 'Observable<Int>.interval(.seconds(1), scheduler: scheduler)'.")
public func interval(_ period: Double, _ scheduler: any SchedulerType) -> Observable<Int> {
    .interval(RxTimeInterval(seconds: period), scheduler: scheduler)
}

/// Delivers 0, 1, 2 … of the inferred type, one value every `period` seconds.
@available(*, deprecated, message: "Use 'Observable<Int>.interval(.seconds(1), scheduler: scheduler)'.")
@_disfavoredOverload
public func interval<Element: RxAbstractInteger>(
    _ period: Double, _ scheduler: any SchedulerType
) -> Observable<Element> { .interval(RxTimeInterval(seconds: period), scheduler: scheduler) }

/// Delivers 0 after `dueTime` seconds, then completes.
@available(*, deprecated, message: "Use 'Observable<Int>.timer(.seconds(1), scheduler: scheduler)'.")
public func timer(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Int> {
    .timer(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
}

/// Delivers 0 after `dueTime` seconds, then 1, 2 … every `period` seconds.
@available(
    *, deprecated, message: "Use 'Observable<Int>.timer(.seconds(1), period: .seconds(1), scheduler: scheduler)'."
)
public func timer(_ dueTime: Double, _ period: Double, _ scheduler: any SchedulerType) -> Observable<Int> {
    .timer(RxTimeInterval(seconds: dueTime), period: RxTimeInterval(seconds: period), scheduler: scheduler)
}

// The operators of arrays of sequences in versions 2 and 3.

extension Collection where Element: ObservableType {
    /// Combines the latest values of all sequences at each new value of a sequence. The results begin after each
    /// sequence has delivered a value.
    @available(*, deprecated, message: "Use 'Observable.combineLatest(collection) { … }'.")
    @inlinable
    public func combineLatest<Result>(
        _ resultSelector: @escaping ([Element.Element]) throws -> Result
    ) -> Observable<Result> { .combineLatest(self, resultSelector: resultSelector) }
    // There is no `zip`: in an extension of a collection, it would hide Swift's function of that name.
}

extension Sequence where Element: ObservableConvertibleType {
    /// Delivers the values of the sequences, one sequence after the other.
    @available(*, deprecated, message: "Use 'Observable.concat(sequences)'.")
    @inlinable
    public func concat() -> Observable<Element.Element> { .concat(lazy.map { $0.asObservable() }) }

    /// Delivers the events of the sequence that sends an event first.
    @available(*, deprecated, message: "Use 'Observable.amb(sequences)'.")
    @inlinable
    public func amb() -> Observable<Element.Element> { .amb(map { $0.asObservable() }) }

    /// Subscribes to the first sequence. Each time a sequence fails, continues with the next one.
    @available(*, deprecated, message: "Use 'Observable.catch(sequence: sequences)'.")
    @inlinable
    public func catchError() -> Observable<Element.Element> { .catch(sequence: lazy.map { $0.asObservable() }) }
}
