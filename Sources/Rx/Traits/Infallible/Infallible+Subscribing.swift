extension InfallibleType {
    /// Delivers the sequence to a function.
    ///
    ///     _ = Infallible.just(1).subscribe { print($0) }  // next(1), completed
    @inlinable
    public func subscribe(_ on: @escaping (InfallibleEvent<Element>) -> Void) -> any Disposable {
        asObservable().subscribe(onNext: { on(.next($0)) }, onCompleted: { on(.completed) })
    }

    /// Delivers values, completion and the disposal of the sequence to functions.
    ///
    ///     _ = Infallible.of(1, 2).subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// - Parameter onDisposed: called once, after completion was delivered or the subscription was disposed.
    /// - Returns: the subscription. Dispose it to end early; no event follows on this thread once that has returned.
    @inlinable @inline(__always)
    public func subscribe(
        onNext: ((Element) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil,
        onDisposed: (() -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }

    /// Delivers the sequence to functions that receive `object`, without keeping it alive: once it is gone, none of
    /// them is called.
    ///
    ///     _ = titles.subscribe(with: label, onNext: { label, title in label.text = title })
    @inlinable
    public func subscribe<Object: AnyObject>(
        with object: Object,
        onNext: ((Object, Element) -> Void)? = nil,
        onCompleted: ((Object) -> Void)? = nil,
        onDisposed: ((Object) -> Void)? = nil
    ) -> any Disposable {
        asObservable().subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed)
    }
}
