/// The observable of a source: a function that feeds a sink.
@usableFromInline
final class SourceObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: immutable; the function's thread-safety is its author's promise.
    @usableFromInline let feed: (Sink) -> Void

    @inlinable @inline(__always)
    init(named name: StaticString = #function, feed: @escaping (Sink) -> Void) {
        self.feed = feed
        #if TRACE_RESOURCES
            super.init(named: name, of: nil)
        #else
            super.init()
        #endif
    }

    @usableFromInline
    override func attach(_ sink: Sink) { feed(sink) }
}
