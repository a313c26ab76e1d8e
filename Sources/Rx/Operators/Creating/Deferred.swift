extension ObservableType {
    /// Returns a sequence that is created for each subscriber.
    ///
    ///     let now = Observable.deferred { .just(Date()) }
    ///
    /// If `observableFactory` throws, the sequence ends with that error.
    ///
    /// - Complexity: No allocation per subscription or element: the closure's sequence feeds the subscriber directly.
    @_alwaysEmitIntoClient
    public static func deferred(
        _ observableFactory: @escaping () throws -> Observable<Element>
    ) -> Observable<Element> {
        SourceObservable { sink in
            // Managed manually, because the compiler would copy the sink for each of the two paths.
            let sink = Unmanaged.passRetained(consume sink)
            do {
                let source = try observableFactory()
                source.attach(sink.takeRetainedValue())
            } catch {
                let sink = sink.takeRetainedValue()
                if !sink.isStopped { sink.emitEnd(error) }
            }
        }
    }
}
