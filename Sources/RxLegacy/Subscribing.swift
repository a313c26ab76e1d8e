import Rx

/// How subscriptions were written and kept before Rx 3.
extension ObservableType {
    /// Delivers each value to a function.
    @available(*, deprecated, message: "Use 'subscribe(onNext: { … })'.")
    @inlinable
    public func subscribeNext(_ onNext: @escaping (Element) -> Void) -> any Disposable { subscribe(onNext: onNext) }

    /// Delivers the error that the sequence fails with to a function.
    @available(*, deprecated, message: "Use 'subscribe(onError: { … })'.")
    @inlinable
    public func subscribeError(_ onError: @escaping (any Error) -> Void) -> any Disposable {
        subscribe(onError: onError)
    }

    /// Calls a function when the sequence completes.
    @available(*, deprecated, message: "Use 'subscribe(onCompleted: { … })'.")
    @inlinable
    public func subscribeCompleted(_ onCompleted: @escaping () -> Void) -> any Disposable {
        subscribe(onCompleted: onCompleted)
    }
}

extension Disposable {
    /// Puts this disposable into a bag, which disposes it when the bag goes.
    @available(*, deprecated, renamed: "disposed(by:)")
    @inlinable
    public func addDisposableTo(_ bag: DisposeBag) { disposed(by: bag) }
}
