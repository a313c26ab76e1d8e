extension PrimitiveSequenceType where Trait == CompletableTrait, Element == Never {
    /// Delivers completion or the error to a function.
    ///
    ///     _ = Completable.empty().subscribe { print($0) }  // completed
    ///
    /// - Returns: the subscription. Dispose it to end early; nothing follows on this thread once that has returned.
    @inlinable
    public func subscribe(_ observer: @escaping CompletableObserver) -> any Disposable {
        source.subscribe(onError: { observer(.error($0)) }, onCompleted: { observer(.completed) })
    }

    /// Delivers completion, the error and the disposal to functions.
    ///
    ///     _ = Completable.empty().subscribe(onCompleted: { print("done") })  // done
    ///
    /// - Parameters:
    ///   - onError: what an error leads to; without it `Hooks.defaultErrorHandler` is called.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe(
        onCompleted: (() -> Void)? = nil,
        onError: ((any Error) -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers completion, the error and the disposal to functions that receive `object`, without keeping it alive:
    /// once it is gone, none of them is called.
    ///
    ///     saved.subscribe(with: label, onCompleted: { label in label.text = "saved" }).disposed(by: bag)
    ///
    /// - Parameters:
    ///   - onError: what an error leads to; without it `Hooks.defaultErrorHandler` is called.
    ///   - onDisposed: called once, after the end was delivered or the subscription was disposed.
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onCompleted: ((Object) -> Void)? = nil,
        onError: ((Object, any Error) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        source.subscribe(
            onError: calling(onError, with: object), onCompleted: calling(onCompleted, with: object),
            onDisposed: calling(onDisposed, with: object))
    }
}
