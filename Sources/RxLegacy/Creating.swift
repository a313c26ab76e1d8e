import Rx

/// How sequences were made before version 3.
extension ObservableType {
    /// The given values, then completion.
    @available(*, deprecated, renamed: "of(_:)")
    @inlinable
    public static func sequenceOf(
        _ elements: Element..., scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> { from(elements, scheduler: scheduler) }

    /// One value, then completion.
    @available(*, deprecated, renamed: "just(_:)")
    @inlinable
    public static func returnElement(_ element: Element) -> Observable<Element> { just(element) }

    /// No values: `error` at once.
    @available(*, deprecated, renamed: "error(_:)")
    @inlinable
    public static func failWith(_ error: any Error) -> Observable<Element> { self.error(error) }
}

extension Sequence {
    /// The elements, then completion.
    @available(*, deprecated, message: "Use 'Observable.from'.")
    @inlinable
    public func toObservable(
        _ scheduler: any ImmediateSchedulerType = CurrentThreadScheduler.instance
    ) -> Observable<Element> { .from(self, scheduler: scheduler) }
}

extension Optional {
    /// The value if there is one, then completion.
    @available(*, deprecated, message: "Use 'Observable.from(optional:)'.")
    @inlinable
    public func toObservable() -> Observable<Wrapped> { .from(optional: self) }

    /// The value if there is one, then completion, as actions of `scheduler`.
    @available(*, deprecated, message: "Use 'Observable.from(optional:scheduler:)'.")
    @inlinable
    public func toObservable(_ scheduler: any ImmediateSchedulerType) -> Observable<Wrapped> {
        .from(optional: self, scheduler: scheduler)
    }
}

// Sequences made by functions that belonged to no type, as they were before version 2.

/// One value, then completion.
@available(*, deprecated, renamed: "Observable.just(_:)")
public func just<Element>(_ element: Element) -> Observable<Element> { .just(element) }

/// Completion at once.
@available(*, deprecated, renamed: "Observable.empty()")
public func empty<Element>() -> Observable<Element> { .empty() }

/// Nothing, ever.
@available(*, deprecated, renamed: "Observable.never()")
public func never<Element>() -> Observable<Element> { .never() }

/// The given values, then completion.
@available(*, deprecated, renamed: "Observable.of(_:)")
public func sequenceOf<Element>(_ elements: Element...) -> Observable<Element> { .from(elements) }

/// One value, then completion.
@available(*, deprecated, renamed: "Observable.just(_:)")
public func returnElement<Element>(_ element: Element) -> Observable<Element> { .just(element) }

/// No values: `error` at once.
@available(*, deprecated, renamed: "Observable.error(_:)")
public func failWith<Element>(_ error: any Error) -> Observable<Element> { .error(error) }

/// A sequence that `subscribe` produces for each subscriber.
@available(*, deprecated, message: "Use 'Observable.create { … }'.")
public func create<Element>(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
    .create(subscribe)
}

/// A sequence that `observableFactory` makes anew for each subscriber.
@available(*, deprecated, message: "Use 'Observable.deferred { … }'.")
public func deferred<Element>(_ observableFactory: @escaping () throws -> Observable<Element>) -> Observable<Element> {
    .deferred(observableFactory)
}

/// `count` numbers from `start`, then completion.
@available(*, deprecated, renamed: "Observable.range(start:count:)")
public func range(_ start: Int, _ count: Int) -> Observable<Int> { .range(start: start, count: count) }

/// 0, 1, 2 …, one every `period` seconds.
@available(*, deprecated, message: "Use 'Observable<Int>.interval(.seconds(1), scheduler: scheduler)'.")
public func interval(_ period: Double, _ scheduler: any SchedulerType) -> Observable<Int> {
    .interval(RxTimeInterval(seconds: period), scheduler: scheduler)
}

/// 0, 1, 2 … of the type that is asked for, one every `period` seconds.
@available(*, deprecated, message: "Use 'Observable<Int>.interval(.seconds(1), scheduler: scheduler)'.")
@_disfavoredOverload
public func interval<Element: RxAbstractInteger>(
    _ period: Double, _ scheduler: any SchedulerType
) -> Observable<Element> { .interval(RxTimeInterval(seconds: period), scheduler: scheduler) }

/// 0 after `dueTime` seconds, then completion.
@available(*, deprecated, message: "Use 'Observable<Int>.timer(.seconds(1), scheduler: scheduler)'.")
public func timer(_ dueTime: Double, _ scheduler: any SchedulerType) -> Observable<Int> {
    .timer(RxTimeInterval(seconds: dueTime), scheduler: scheduler)
}

/// 0 after `dueTime` seconds, and then 1, 2 … every `period` seconds.
@available(
    *, deprecated, message: "Use 'Observable<Int>.timer(.seconds(1), period: .seconds(1), scheduler: scheduler)'."
)
public func timer(_ dueTime: Double, _ period: Double, _ scheduler: any SchedulerType) -> Observable<Int> {
    .timer(RxTimeInterval(seconds: dueTime), period: RxTimeInterval(seconds: period), scheduler: scheduler)
}

// The operators of arrays of sequences in versions 2 and 3.

extension Collection where Element: ObservableType {
    /// The latest values of all sequences, combined, whenever one has a new one and each has had one.
    @available(*, deprecated, message: "Use 'Observable.combineLatest(collection) { … }'.")
    @inlinable
    public func combineLatest<Result>(
        _ resultSelector: @escaping ([Element.Element]) throws -> Result
    ) -> Observable<Result> { .combineLatest(self, resultSelector: resultSelector) }
    // No `zip`: within an extension of a collection it would hide Swift's function of that name.
}

extension Sequence where Element: ObservableConvertibleType {
    /// The sequences, one after the other.
    @available(*, deprecated, message: "Use 'Observable.concat(sequences)'.")
    @inlinable
    public func concat() -> Observable<Element.Element> { .concat(lazy.map { $0.asObservable() }) }

    /// The sequence that is first to send an event.
    @available(*, deprecated, message: "Use 'Observable.amb(sequences)'.")
    @inlinable
    public func amb() -> Observable<Element.Element> { .amb(map { $0.asObservable() }) }

    /// The first sequence, and each time one fails the next.
    @available(*, deprecated, message: "Use 'Observable.catch(sequence: sequences)'.")
    @inlinable
    public func catchError() -> Observable<Element.Element> { .catch(sequence: lazy.map { $0.asObservable() }) }
}
