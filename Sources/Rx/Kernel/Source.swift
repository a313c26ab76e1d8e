/// The observable of a source: a function that feeds a sink.
@usableFromInline
final class SourceObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: immutable; the function's thread-safety is its author's promise.
    @usableFromInline let feed: (Sink) -> Void

    @inlinable
    init(feed: @escaping (Sink) -> Void) {
        self.feed = feed
        super.init()
    }

    @usableFromInline
    override func attach(_ sink: Sink) { feed(sink) }
}
