// The names that RxSwift 5 had and version 6 replaced. Each is the new one: same cost, same behaviour.

// MARK: Recovering

extension ObservableType {
    /// This sequence, and after an error the one that `handler` makes of it.
    @available(*, deprecated, message: "Use 'catch { error in … }'.")
    @inlinable
    public func catchError(_ handler: @escaping (any Error) throws -> Observable<Element>) -> Observable<Element> {
        self.catch(handler)
    }

    /// This sequence, and in place of an error `element` and completion.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    @inlinable
    public func catchErrorJustReturn(_ element: Element) -> Observable<Element> { catchAndReturn(element) }

    /// The first sequence, and each time one fails the next.
    @available(*, deprecated, renamed: "catch(sequence:)")
    @inlinable
    public static func catchError<Sources: Sequence>(_ sequence: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        self.catch(sequence: sequence)
    }

    /// This sequence, subscribed to again after an error of type `Failure` when the sequence that
    /// `notificationHandler` makes sends an element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @inlinable
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping (Observable<Failure>) -> TriggerObservable
    ) -> Observable<Element> {
        retry(when: notificationHandler)
    }

    /// This sequence, subscribed to again after an error when the sequence that
    /// `notificationHandler` makes sends an element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @inlinable
    public func retryWhen<TriggerObservable: ObservableType>(
        _ notificationHandler: @escaping (Observable<any Error>) -> TriggerObservable
    ) -> Observable<Element> {
        retry(when: notificationHandler)
    }
}

// MARK: Threads

extension ObservableType {
    /// This sequence, with its events delivered on `scheduler`.
    @available(*, deprecated, renamed: "observe(on:)")
    @inlinable
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> { observe(on: scheduler) }

    /// This sequence, subscribed to and disposed on `scheduler`.
    @available(*, deprecated, renamed: "subscribe(on:)")
    @inlinable
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> { subscribe(on: scheduler) }
}

// MARK: Filtering

extension ObservableType {
    /// The element at `index`, counted from 0.
    @available(*, deprecated, renamed: "element(at:)")
    @inlinable
    public func elementAt(_ index: Int) -> Observable<Element> { element(at: index) }

    /// The elements that come after the first one of `other`.
    @available(*, deprecated, renamed: "skip(until:)")
    @inlinable
    public func skipUntil<Source: ObservableType>(_ other: Source) -> Observable<Element> { skip(until: other) }

    /// The elements from the first that `predicate` refuses.
    @available(*, deprecated, message: "Use 'skip(while: { … })'.")
    @inlinable
    public func skipWhile(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        skip(while: predicate)
    }

    /// The elements that come before `duration` has passed on `scheduler`.
    @available(*, deprecated, renamed: "take(for:scheduler:)")
    @inlinable
    public func take(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: duration, scheduler: scheduler)
    }

    /// The elements that come before the first one of `other`.
    @available(*, deprecated, renamed: "take(until:)")
    @inlinable
    public func takeUntil<Source: ObservableType>(_ other: Source) -> Observable<Element> { take(until: other) }

    /// The elements up to the first that `predicate` accepts, which is part of them if `behavior` is `.inclusive`.
    // A message in place of a new name: the arguments change places.
    @available(*, deprecated, message: "Use 'take(until: predicate, behavior: behavior)'.")
    @inlinable
    public func takeUntil(
        _ behavior: TakeBehavior, predicate: @escaping (Element) throws -> Bool
    ) -> Observable<Element> {
        take(until: predicate, behavior: behavior)
    }

    /// The elements up to the first that `predicate` refuses.
    @available(*, deprecated, message: "Use 'take(while: { … })'.")
    @inlinable
    public func takeWhile(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        take(while: predicate)
    }
}

// The names that the traits of RxSwift 5 had and version 6 replaced.

extension PrimitiveSequence {
    /// The sequence, and after an error the one that `handler` makes of it.
    @available(*, deprecated, message: "Use 'catch { error in … }'.")
    @inlinable
    public func catchError(
        _ handler: @escaping (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        self.catch(handler)
    }

    /// The sequence, with its events delivered on `scheduler`.
    @available(*, deprecated, renamed: "observe(on:)")
    @inlinable
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        observe(on: scheduler)
    }

    /// The sequence, subscribed to and disposed on `scheduler`.
    @available(*, deprecated, renamed: "subscribe(on:)")
    @inlinable
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        subscribe(on: scheduler)
    }

    /// The sequence, subscribed to again after an error of type `Failure` when the sequence that
    /// `notificationHandler` makes sends an element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @inlinable
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }

    /// The sequence, subscribed to again after an error when the sequence that
    /// `notificationHandler` makes sends an element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @inlinable
    public func retryWhen<TriggerObservable: ObservableType>(
        _ notificationHandler: @escaping (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// The sequence, and in place of an error `element`.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    @inlinable
    public func catchErrorJustReturn(_ element: Element) -> Single<Element> {
        primitiveSequence.catchAndReturn(element)
    }

    /// Delivers the value, the error and the disposal to functions.
    @available(*, deprecated, message: "Use 'subscribe(onSuccess: { … }, onFailure: { … })'.")
    @inlinable
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil,
        onError: @escaping (any Error) -> Void,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        subscribe(onSuccess: onSuccess, onFailure: onError, onDisposed: onDisposed)
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// The sequence, and in place of an error `element`.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    @inlinable
    public func catchErrorJustReturn(_ element: Element) -> Maybe<Element> { primitiveSequence.catchAndReturn(element) }
}
