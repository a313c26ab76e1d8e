extension ObservableType {
    /// Returns a sequence that runs `subscribe` for each subscriber.
    ///
    ///     let hello = Observable<String>.create { observer in
    ///         observer.onNext("hello")
    ///         observer.onCompleted()
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: sends events to the observer, now or later, from any thread but one at a time. Returns a
    ///   disposable that is disposed when the subscription ends. The observer ignores events after the end.
    /// - Complexity: No allocation per subscription or element, except the allocations of the closure.
    @_alwaysEmitIntoClient
    public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
        SourceObservable { sink in
            let subscription = subscribe(AnyObserver(sink: sink))
            sink.connect(returned: subscription)
        }
    }
}
