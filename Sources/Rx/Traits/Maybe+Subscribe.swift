extension PrimitiveSequenceType where Trait == MaybeTrait {
    /// Delivers the value, the error or that there is none to a function.
    ///
    ///     _ = Maybe<Int>.empty().subscribe { print($0) }  // completed
    ///
    /// - Returns: the subscription. Dispose it to end early; nothing follows on this thread once that has returned.
    @inlinable
    public func subscribe(_ observer: @escaping MaybeObserver) -> any Disposable {
        subscribeToFirst(
            onSuccess: { observer(.success($0)) }, onError: { observer(.error($0)) },
            onCompleted: { observer(.completed) },
            onDisposed: nil)
    }

    /// Delivers the value, the error, that there is none and the disposal to functions.
    ///
    ///     _ = Maybe.just(1).subscribe(onSuccess: { print($0) }, onCompleted: { print("none") })  // 1
    ///
    /// - Parameters:
    ///   - onError: what an error leads to; without it `Hooks.defaultErrorHandler` is called.
    ///   - onCompleted: called if there is no value.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe(
        onSuccess: ((Element) -> Void)? = nil,
        onError: ((any Error) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(onSuccess: onSuccess, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers the value, the error, that there is none and the disposal to functions that receive `object`, without
    /// keeping it alive: once it is gone, none of them is called.
    ///
    ///     cached.subscribe(with: label, onSuccess: { label, value in label.text = value }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - onError: what an error leads to; without it `Hooks.defaultErrorHandler` is called.
    ///   - onCompleted: called if there is no value.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onSuccess: ((Object, Element) -> Void)? = nil,
        onError: ((Object, any Error) -> Void)? = nil,
        onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        subscribeToFirst(
            onSuccess: calling(onSuccess, with: object), onError: calling(onError, with: object),
            onCompleted: calling(onCompleted, with: object), onDisposed: calling(onDisposed, with: object))
    }
}
