import Rx

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
) -> Observable<Element> {
    .interval(RxTimeInterval(seconds: period), scheduler: scheduler)
}

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
