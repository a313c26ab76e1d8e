extension ObservableType {
    /// No values: completion at once.
    @inlinable
    public static func empty() -> Observable<Element> {
        SourceObservable { sink in if !sink.isStopped { sink.end(nil) } }
    }

    /// No events at all.
    @inlinable
    public static func never() -> Observable<Element> { SourceObservable { _ in } }

    /// No values: `error` at once.
    @inlinable
    public static func error(_ error: any Error) -> Observable<Element> {
        SourceObservable { sink in if !sink.isStopped { sink.end(error) } }
    }
}
