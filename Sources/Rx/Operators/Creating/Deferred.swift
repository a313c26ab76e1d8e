extension ObservableType {
    /// A sequence that is made anew for each subscriber.
    ///
    ///     let now = Observable.deferred { .just(Date()) }
    ///
    /// If `observableFactory` throws, the sequence ends with that error.
    ///
    /// - Complexity: No allocation per subscription or element: what the closure returns feeds the subscriber directly.
    @inlinable
    public static func deferred(
        _ observableFactory: @escaping () throws -> Observable<Element>
    ) -> Observable<Element> {
        SourceObservable { sink in
            do {
                try observableFactory().attach(sink)
            } catch {
                if !sink.isStopped { sink.end(error) }
            }
        }
    }
}
