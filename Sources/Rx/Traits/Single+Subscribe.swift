extension PrimitiveSequenceType where Trait == SingleTrait {
    /// Delivers the value or the error to a function.
    ///
    ///     _ = Single.just(1).subscribe { print($0) }  // success(1)
    ///
    /// - Returns: the subscription. Dispose it to end early; nothing follows on this thread once that has returned.
    @inlinable
    public func subscribe(_ observer: @escaping SingleObserver) -> any Disposable {
        subscribeToFirst(
            onSuccess: { observer(.success($0)) }, onError: { observer(.failure($0)) }, onCompleted: nil,
            onDisposed: nil)
    }

    /// Delivers the value, the error and the disposal to functions.
    ///
    ///     _ = Single.just(1).subscribe(onSuccess: { print($0) })  // 1
    ///
    /// - Parameters:
    ///   - onFailure: what an error leads to; without it `Hooks.defaultErrorHandler` is called.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil,
        onFailure: ((any Error) -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(onSuccess: onSuccess, onError: onFailure, onCompleted: nil, onDisposed: onDisposed)
    }

    /// Delivers the value, the error and the disposal to functions that receive `object`, without keeping it alive:
    /// once it is gone, none of them is called.
    ///
    ///     answer.subscribe(with: label, onSuccess: { label, value in label.text = "\(value)" }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - onFailure: what an error leads to; without it `Hooks.defaultErrorHandler` is called.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onSuccess: ((Object, Element) -> Void)? = nil,
        onFailure: ((Object, any Error) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(
            onSuccess: calling(onSuccess, with: object), onError: calling(onFailure, with: object), onCompleted: nil,
            onDisposed: calling(onDisposed, with: object))
    }
}
