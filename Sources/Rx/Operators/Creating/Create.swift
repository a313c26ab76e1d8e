extension ObservableType {
    /// A sequence that `subscribe` produces for each subscriber.
    ///
    ///     let hello = Observable<String>.create { observer in
    ///         observer.onNext("hello")
    ///         observer.onCompleted()
    ///         return Disposables.create()
    ///     }
    ///
    /// - Parameter subscribe: sends events to the observer, now or later, from any thread but one at a time, and
    ///   returns what to dispose when the subscription ends. The observer ignores what comes after the end.
    /// - Complexity: No allocation per subscription or element, beside those of the closure.
    @inlinable
    public static func create(_ subscribe: @escaping (AnyObserver<Element>) -> any Disposable) -> Observable<Element> {
        SourceObservable { sink in
            let subscription = subscribe(AnyObserver(sink: sink))
            sink.connect(returned: subscription)
        }
    }
}
