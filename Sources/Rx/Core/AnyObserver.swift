/// A type-erased observer.
///
///     let printer = AnyObserver<Int> { print($0) }
///     printer.onNext(1)  // next(1)
public struct AnyObserver<Element>: ObserverType, @unchecked Sendable {
    // @unchecked: `create` passes observers to callbacks on any thread. A sink refuses events after the end.
    // Kernel-internal: emitBeforeEnd, emitEndOnce. A source, whose events the user sends.

    /// A function that handles events.
    public typealias EventHandler = (Event<Element>) -> Void

    @usableFromInline let sink: Sink
    #if DEBUG
        /// Set only if the observer belongs to one sequence: several sequences may be bound to a function.
        @usableFromInline let monitor: EventMonitor?
    #endif

    /// Creates the observer that a source feeds directly.
    @inlinable
    init(sink: Sink) {
        self.sink = sink
        #if DEBUG
            monitor = EventMonitor()
        #endif
    }

    /// Creates an observer that calls `eventHandler` for each event, on the thread that sends the event.
    @inlinable
    public init(eventHandler: @escaping EventHandler) {
        sink = HandlerSink(
            next: { address, sink in eventHandler(.next(address.assumingMemoryBound(to: Element.self).pointee)) },
            onEnd: { error in eventHandler(Event(end: error)) })
        #if DEBUG
            monitor = nil
        #endif
    }

    /// Creates an observer that passes each event to `observer`.
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
        case .error(let error): sink.emitEndOnce(error)
        case .completed: sink.emitEndOnce(nil)
        }
    }

    /// Returns this observer.
    @inlinable
    public func asObserver() -> AnyObserver<Element> { self }
}

extension ObserverType {
    /// Returns this observer with its type erased.
    @_alwaysEmitIntoClient
    public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }

    /// Returns an observer that transforms each value with `transform` and passes the result to this observer. If
    /// `transform` throws, this observer receives the error.
    @_alwaysEmitIntoClient
    public func mapObserver<Result>(_ transform: @escaping (Result) throws -> Element) -> AnyObserver<Result> {
        AnyObserver { event in self.on(event.map(transform)) }
    }
}

/// The sink of an observer that consists only of a function. It never stops, because the function decides when to stop.
@usableFromInline
final class HandlerSink: TokenSink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    // Kernel-internal: claimEnd, receiveEnd. A segment that does not end.
    @usableFromInline let onEnd: ((any Error)?) -> Void

    @inlinable
    init(next: @escaping Next, onEnd: @escaping ((any Error)?) -> Void) {
        self.onEnd = onEnd
        super.init(token: next)
        count(as: "AnyObserver")
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) { onEnd(error) }

    /// Returns `true` for every end, because the function handles each one: several sequences may be bound to one
    /// observer.
    @usableFromInline
    override func claimEnd() -> Bool { true }
}
