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

    /// The sequence, subscribed to again after an error of type `Failure` when what `notificationHandler` makes sends
    /// an element.
    @available(*, deprecated, message: "Use 'retry(when: { errors in … })'.")
    @inlinable
    public func retryWhen<TriggerObservable: ObservableType, Failure: Error>(
        _ notificationHandler: @escaping (Observable<Failure>) -> TriggerObservable
    ) -> PrimitiveSequence<Trait, Element> {
        retry(when: notificationHandler)
    }

    /// The sequence, subscribed to again after an error when what `notificationHandler` makes sends an element.
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
