// The names of RxSwift 5 that version 6 replaced. Each forwards to the new name, with the same cost and behaviour.

// MARK: Recovering

extension ObservableType {
    /// Continues with the sequence that `handler` returns for an error.
    @available(*, deprecated, message: "Use 'catch { error in … }'.")
    @_alwaysEmitIntoClient
    public func catchError(_ handler: @escaping (any Error) throws -> Observable<Element>) -> Observable<Element> {
        self.catch(handler)
    }

    /// Replaces an error with `element` and completion.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    @_alwaysEmitIntoClient
    public func catchErrorJustReturn(_ element: Element) -> Observable<Element> { catchAndReturn(element) }

    /// Continues with the next sequence each time a sequence fails.
    @available(*, deprecated, renamed: "catch(sequence:)")
    @_alwaysEmitIntoClient
    public static func catchError<Sources: Sequence>(_ sequence: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        self.catch(sequence: sequence)
    }

    /// Subscribes again after an error of type `Failure`, when the sequence that `notificationHandler` returns sends an
    /// element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @_alwaysEmitIntoClient
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping (Observable<Failure>) -> TriggerObservable
    ) -> Observable<Element> {
        retry(when: notificationHandler)
    }

    /// Subscribes again after an error, when the sequence that `notificationHandler` returns sends an element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @_alwaysEmitIntoClient
    public func retryWhen<TriggerObservable: ObservableType>(
        _ notificationHandler: @escaping (Observable<any Error>) -> TriggerObservable
    ) -> Observable<Element> {
        retry(when: notificationHandler)
    }
}

// MARK: Threads

extension ObservableType {
    /// Delivers the events of this sequence on `scheduler`.
    @available(*, deprecated, renamed: "observe(on:)")
    @_alwaysEmitIntoClient
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> { observe(on: scheduler) }

    /// Subscribes to and disposes this sequence on `scheduler`.
    @available(*, deprecated, renamed: "subscribe(on:)")
    @_alwaysEmitIntoClient
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> Observable<Element> { subscribe(on: scheduler) }
}

// MARK: Filtering

extension ObservableType {
    /// Returns the element at `index`, counted from 0.
    @available(*, deprecated, renamed: "element(at:)")
    @_alwaysEmitIntoClient
    public func elementAt(_ index: Int) -> Observable<Element> { element(at: index) }

    /// Skips elements until `other` sends its first element.
    @available(*, deprecated, renamed: "skip(until:)")
    @_alwaysEmitIntoClient
    public func skipUntil<Source: ObservableType>(_ other: Source) -> Observable<Element> { skip(until: other) }

    /// Skips elements until `predicate` returns `false`.
    @available(*, deprecated, message: "Use 'skip(while: { … })'.")
    @_alwaysEmitIntoClient
    public func skipWhile(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        skip(while: predicate)
    }

    /// Takes elements until `duration` has passed on `scheduler`.
    @available(*, deprecated, renamed: "take(for:scheduler:)")
    @_alwaysEmitIntoClient
    public func take(_ duration: RxTimeInterval, scheduler: any SchedulerType) -> Observable<Element> {
        take(for: duration, scheduler: scheduler)
    }

    /// Takes elements until `other` sends its first element.
    @available(*, deprecated, renamed: "take(until:)")
    @_alwaysEmitIntoClient
    public func takeUntil<Source: ObservableType>(_ other: Source) -> Observable<Element> { take(until: other) }

    /// Takes elements until `predicate` returns `true`. The element that ends the sequence is included if `behavior` is
    /// `.inclusive`.
    // A message instead of a new name, because the order of the arguments changes.
    @available(*, deprecated, message: "Use 'take(until: predicate, behavior: behavior)'.")
    @_alwaysEmitIntoClient
    public func takeUntil(
        _ behavior: TakeBehavior, predicate: @escaping (Element) throws -> Bool
    ) -> Observable<Element> {
        take(until: predicate, behavior: behavior)
    }

    /// Takes elements until `predicate` returns `false`.
    @available(*, deprecated, message: "Use 'take(while: { … })'.")
    @_alwaysEmitIntoClient
    public func takeWhile(_ predicate: @escaping (Element) throws -> Bool) -> Observable<Element> {
        take(while: predicate)
    }
}

// The names of the traits of RxSwift 5 that version 6 replaced.

extension PrimitiveSequence {
    /// Continues with the sequence that `handler` returns for an error.
    @available(*, deprecated, message: "Use 'catch { error in … }'.")
    @_alwaysEmitIntoClient
    public func catchError(
        _ handler: @escaping (any Error) throws -> PrimitiveSequence<Trait, Element>
    ) -> PrimitiveSequence<Trait, Element> {
        self.catch(handler)
    }

    /// Delivers the events of the sequence on `scheduler`.
    @available(*, deprecated, renamed: "observe(on:)")
    @_alwaysEmitIntoClient
    public func observeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        observe(on: scheduler)
    }

    /// Subscribes to and disposes the sequence on `scheduler`.
    @available(*, deprecated, renamed: "subscribe(on:)")
    @_alwaysEmitIntoClient
    public func subscribeOn(_ scheduler: any ImmediateSchedulerType) -> PrimitiveSequence<Trait, Element> {
        subscribe(on: scheduler)
    }

    /// Subscribes again after an error of type `Failure`, when the sequence that `notificationHandler` returns sends an
    /// element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @_alwaysEmitIntoClient
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }

    /// Subscribes again after an error, when the sequence that `notificationHandler` returns sends an element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @_alwaysEmitIntoClient
    public func retryWhen<TriggerObservable: ObservableType>(
        _ notificationHandler: @escaping (Observable<any Error>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }
}

extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Replaces an error with `element`.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    @_alwaysEmitIntoClient
    public func catchErrorJustReturn(_ element: Element) -> Single<Element> {
        primitiveSequence.catchAndReturn(element)
    }

    /// Delivers the value, the error and the disposal to functions.
    @available(*, deprecated, message: "Use 'subscribe(onSuccess: { … }, onFailure: { … })'.")
    @_alwaysEmitIntoClient
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil,
        onError: @escaping (any Error) -> Void,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        subscribe(onSuccess: onSuccess, onFailure: onError, onDisposed: onDisposed)
    }
}

extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Replaces an error with `element`.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    @_alwaysEmitIntoClient
    public func catchErrorJustReturn(_ element: Element) -> Maybe<Element> { primitiveSequence.catchAndReturn(element) }
}
