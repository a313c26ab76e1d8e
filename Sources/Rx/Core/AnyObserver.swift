/// An observer whose type is hidden.
///
///     let printer = AnyObserver<Int> { print($0) }
///     printer.onNext(1)  // next(1)
public struct AnyObserver<Element>: ObserverType, @unchecked Sendable {
    // @unchecked: `create` hands observers to callbacks on any thread; a sink refuses what comes after the end.

    /// A function that handles events.
    public typealias EventHandler = (Event<Element>) -> Void

    @usableFromInline let sink: Sink
    #if DEBUG
        /// Only where the observer is one sequence's: several may be bound to a function.
        @usableFromInline let monitor: EventMonitor?
    #endif

    /// The observer that a source feeds directly.
    @inlinable
    init(sink: Sink) {
        self.sink = sink
        #if DEBUG
            monitor = EventMonitor()
        #endif
    }

    /// An observer that calls `eventHandler` for each event, on the thread that sends it.
    @inlinable
    public init(eventHandler: @escaping EventHandler) {
        sink = HandlerSink(
            next: { address, sink in eventHandler(.next(address.assumingMemoryBound(to: Element.self).pointee)) },
            onEnd: { error in eventHandler(Event(end: error)) })
        #if DEBUG
            monitor = nil
        #endif
    }

    /// An observer that passes each event to `observer`.
    @inlinable
    public init<Observer: ObserverType>(_ observer: Observer) where Observer.Element == Element {
        self.init(eventHandler: observer.on)
    }

    /// Receives one event.
    @inlinable
    public func on(_ event: Event<Element>) {
        #if DEBUG
            let visit = sink.visit(monitor, AnyObserver<Element>.self)
            defer { visit.end() }
        #endif
        switch event {
        case .next(var element): sink.emitBeforeEnd(&element)
        case .error(let error): sink.endOnce(error)
        case .completed: sink.endOnce(nil)
        }
    }

    /// This observer.
    @inlinable
    public func asObserver() -> AnyObserver<Element> { self }
}

extension ObserverType {
    /// This observer, its type hidden.
    @inlinable
    public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }

    /// An observer of values from which `transform` makes the values of this one. If it throws, this observer receives
    /// the error.
    @inlinable
    public func mapObserver<Result>(_ transform: @escaping (Result) throws -> Element) -> AnyObserver<Result> {
        AnyObserver { event in self.on(event.map(transform)) }
    }
}

/// The sink behind an observer that is only a function: it never stops, as the function decides.
@usableFromInline
final class HandlerSink: TokenSink, @unchecked Sendable {
    // @unchecked: as every sink.
    @usableFromInline let onEnd: ((any Error)?) -> Void

    @inlinable
    init(next: @escaping Next, onEnd: @escaping ((any Error)?) -> Void) {
        self.onEnd = onEnd
        super.init(token: next)
        count(as: "AnyObserver")
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) { onEnd(error) }

    /// Every end is the function's to judge: several sequences may be bound to one observer.
    @usableFromInline
    override func claimEnd() -> Bool { true }
}
