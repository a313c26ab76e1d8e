/// Assembles operators: the generic half of the kernel.
///
/// Everything here is inlined into the operator, and with it into the caller. The types are concrete there, so the
/// closures formed there are specialised code. An operator reads
///
/// ```text
/// lift { address, sink in
///     sink.receive(address) { (sink: OperatorSink, element: inout Element) in … }
/// }
/// ```
///
/// The outer closure is stored: it captures the arguments that the user passed. The inner closure does not escape and
/// is inlined into the outer one. (Nesting one escaping closure in another, as in `lift { sink, element in … }`, would
/// make a chain of capturing closures take 1.5 times as long.)
///
/// Operators that take a closure are always inlined. A closure that captures nothing is inlined into the operator only
/// where the compiler sees both, and in a large caller the compiler would stop looking. The caller's size is not the
/// only limit: the compiler also weighs the operator's own size against a fixed benefit (`-Rpass-missed=sil-inliner`
/// prints both). That size includes everything that is inlined into the operator from this file.
/// `Documentation/Decisions/0004-arity.md` states what that cost.

extension Sink {
    /// Returns this sink as the class that it is known to have. Every downcast of a sink uses this method.
    ///
    /// The cast is sound: an operator forms the functions that a sink receives (`next`, `onEnd`, `start` …) in the same
    /// expression as the function that creates the sink, and passes them only to that sink. They never receive a sink
    /// of another class. A checked cast would look up the class for every event.
    // Transparent, like `unsafeDowncast`: no code for it remains in the operator.
    @usableFromInline @_transparent
    final func known<Known: Sink>(as type: Known.Type) -> Known { unsafeDowncast(self, to: type) }

    /// Handles an event inside an operator's closure.
    ///
    /// The closure's parameter types state the class of the sink and the type of the value at the address. The operator
    /// that formed the closure knows both.
    @_alwaysEmitIntoClient @inline(__always)
    final func receive<Receiver: Sink, Element>(
        _ address: UnsafeMutableRawPointer, _ body: (Receiver, inout Element) -> Void
    ) {
        body(known(as: Receiver.self), &address.assumingMemoryBound(to: Element.self).pointee)
    }
}

extension ObservableType {
    /// Returns a sequence that applies a stateless operator to this sequence.
    @_alwaysEmitIntoClient @inline(__always)
    func lift<Result>(named name: StaticString = #function, _ next: @escaping Sink.Next) -> Observable<Result> {
        OperatorObservable(named: name, source: asObservable(), next: next)
    }

    /// Returns a sequence that applies an operator with state for each subscription to this sequence.
    ///
    /// - Parameters:
    ///   - state: creates the initial state of each subscription.
    ///   - onEnd: called once when the source ends. Without it, the end is passed on.
    ///   - next: handles each element.
    @_alwaysEmitIntoClient @inline(__always)
    func lift<State, Result>(
        state: @escaping @autoclosure () -> State,
        onEnd: StatefulOperatorSink<State>.End? = nil,
        named name: StaticString = #function,
        _ next: @escaping Sink.Next
    ) -> Observable<Result> {
        StatefulOperatorObservable(named: name, source: asObservable()) { down in
            StatefulOperatorSink<State>(next: next, down: down, state: state(), onEnd: onEnd)
        }
    }
}

/// The observable of a stateless operator. It creates one sink per subscription.
@usableFromInline
final class OperatorObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: immutable after `init`. The authors of the closures guarantee that they are thread-safe.
    @usableFromInline let source: ObservableBase
    @usableFromInline let next: Sink.Next

    @inlinable @inline(__always)
    init(named name: StaticString, source: ObservableBase, next: @escaping Sink.Next) {
        self.source = source
        self.next = next
        super.init(named: name, of: source)
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) {
        let operatorSink = OperatorSink(next: next, down: sink)
        operatorSink.countAsSink(of: self)
        source.attach(consume operatorSink)
    }
}

/// The observable of an operator with state. It creates one sink with fresh state per subscription.
@usableFromInline
final class StatefulOperatorObservable<Element>: Observable<Element>, @unchecked Sendable {
    // Separate from `OperatorObservable`, which would need one more allocation for the closure that this class has.
    // @unchecked: same reason as `OperatorObservable`.
    @usableFromInline let source: ObservableBase
    @usableFromInline let makeSink: (consuming Sink) -> Sink

    @inlinable @inline(__always)
    init(named name: StaticString, source: ObservableBase, makeSink: @escaping (consuming Sink) -> Sink) {
        self.source = source
        self.makeSink = makeSink
        super.init(named: name, of: source)
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) {
        let operatorSink = makeSink(sink)
        operatorSink.countAsSink(of: self)
        source.attach(consume operatorSink)
    }
}

/// The observable of a coordinator. Each subscription creates one coordinator, and registers it downstream before it
/// subscribes to any source.
@usableFromInline
class CoordinatorObservable<Element>: Observable<Element>, @unchecked Sendable {
    // Not final, because `SerialObserveOnObservable` inherits from it, and builds that trace count that class
    // separately.
    // @unchecked: same reason as `OperatorObservable`.
    @usableFromInline let primary: ObservableBase?
    @usableFromInline let makeCoordinator: (consuming Sink) -> Coordinator
    @usableFromInline let start: ((Coordinator) -> Void)?
    #if TRACE_RESOURCES
        /// The observables that `start` subscribes to, so that an error can report the sources of the sequence.
        @usableFromInline let feeds: [ObservableBase]
    #endif

    /// - Parameters:
    ///   - primary: the source that feeds the coordinator itself. It is subscribed to last.
    ///   - feeds: the observables that `start` subscribes to. Evaluated only in builds that trace.
    ///   - start: subscribes to the other sources.
    @inlinable @inline(__always)
    init(
        named name: StaticString = #function, primary: ObservableBase?, feeds: @autoclosure () -> [ObservableBase] = [],
        makeCoordinator: @escaping (consuming Sink) -> Coordinator, start: ((Coordinator) -> Void)?
    ) {
        self.primary = primary
        self.makeCoordinator = makeCoordinator
        self.start = start
        #if TRACE_RESOURCES
            self.feeds = feeds()
        #endif
        super.init(named: name, of: primary)
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) {
        let coordinator = makeCoordinator(sink)
        coordinator.countAsSink(of: self)
        coordinator.down.connect(coordinator)
        start?(coordinator)
        if let primary, !coordinator.isStopped { primary.attach(consume coordinator) }
    }
}

extension ObservableType {
    /// Returns a sequence whose coordinator has this sequence as its primary source, and subscribes to it last.
    ///
    /// - Parameters:
    ///   - state: creates the initial state of each subscription.
    ///   - onEnd: handles the end of this sequence. Without it, an error ends the coordinator and completion counts as
    ///     one completed source.
    ///   - onClose: called once when the coordinator is disposed, to stop timers and similar resources.
    ///   - start: called before this sequence is subscribed to, to subscribe to other sources or to start a timer.
    ///   - next: handles each element.
    @_alwaysEmitIntoClient @inline(__always)
    func coordinate<State: ~Copyable, Result>(
        state: @escaping @autoclosure () -> State,
        onEnd: StatefulCoordinator<State>.End? = nil,
        onClose: StatefulCoordinator<State>.Close? = nil,
        start: ((StatefulCoordinator<State>) -> Void)? = nil,
        named name: StaticString = #function,
        _ next: @escaping Sink.Next
    ) -> Observable<Result> {
        CoordinatorObservable(
            named: name,
            primary: asObservable(),
            makeCoordinator: {
                StatefulCoordinator<State>(next: next, down: $0, state: state(), onEnd: onEnd, onClose: onClose)
            },
            start: start.map { start in { start($0.known(as: StatefulCoordinator<State>.self)) } })
    }

    /// Returns a sequence whose coordinator has no primary source. `start` subscribes to its sources.
    @_alwaysEmitIntoClient @inline(__always)
    static func coordinate<State: ~Copyable>(
        state: @escaping @autoclosure () -> State,
        onClose: StatefulCoordinator<State>.Close? = nil,
        named name: StaticString = #function,
        feeds: @autoclosure () -> [ObservableBase] = [],
        start: @escaping (StatefulCoordinator<State>) -> Void
    ) -> Observable<Element> {
        CoordinatorObservable(
            named: name,
            primary: nil,
            feeds: feeds(),
            makeCoordinator: {
                StatefulCoordinator<State>(next: { _, _ in }, down: $0, state: state(), onEnd: nil, onClose: onClose)
            },
            start: { start($0.known(as: StatefulCoordinator<State>.self)) })
    }

    /// Returns a sequence whose coordinator subscribes to all of its sources in `start`, including a primary source.
    ///
    /// - Parameters:
    ///   - state: creates the initial state of each subscription.
    ///   - onEnd: handles the end of the primary source, as in the other `coordinate`.
    ///   - onClose: called once when the coordinator is disposed, to stop timers and similar resources.
    ///   - feeds: the observables that `start` subscribes to. Evaluated only in builds that trace.
    ///   - start: subscribes to the sources: to at most one with `subscribe(toPrimary:)`, and to others with
    ///     `subscribe(to:)`. If the coordinator is disposed in the meantime, later subscriptions are refused.
    ///   - next: handles each element of the primary source, if there is one.
    // Separate from the form above, whose subscriptions would take 30 instructions more with the two closures.
    @_alwaysEmitIntoClient @inline(__always)
    static func coordinate<State: ~Copyable>(
        state: @escaping @autoclosure () -> State,
        onEnd: @escaping StatefulCoordinator<State>.End,
        onClose: StatefulCoordinator<State>.Close? = nil,
        named name: StaticString = #function,
        feeds: @autoclosure () -> [ObservableBase] = [],
        start: @escaping (StatefulCoordinator<State>) -> Void,
        next: @escaping Sink.Next
    ) -> Observable<Element> {
        CoordinatorObservable(
            named: name,
            primary: nil,
            feeds: feeds(),
            makeCoordinator: {
                StatefulCoordinator<State>(next: next, down: $0, state: state(), onEnd: onEnd, onClose: onClose)
            },
            start: { start($0.known(as: StatefulCoordinator<State>.self)) })
    }
}

extension Input {
    /// Returns the coordinator with the type that the operator gave it.
    @_alwaysEmitIntoClient @inline(__always)
    func coordinator<State>(of state: State.Type = State.self) -> StatefulCoordinator<State> {
        coordinator.known(as: StatefulCoordinator<State>.self)
    }

    /// Calls `body` with the coordinator without retaining it, because the input keeps it alive. For the handling of
    /// each element.
    @_alwaysEmitIntoClient @inline(__always)
    func withCoordinator<State: ~Copyable>(_ body: (StatefulCoordinator<State>) -> Void) {
        // Unretained: the compiler does not see that the coordinator cannot be released during the call.
        Unmanaged.passUnretained(coordinator)._withUnsafeGuaranteedRef {
            body($0.known(as: StatefulCoordinator<State>.self))
        }
    }

    /// The `next` of an input whose elements go downstream unchanged, while no other source is active.
    @usableFromInline
    static func sendUncontended(_ address: UnsafeMutableRawPointer, _ sink: Sink) {
        sink.known(as: Input.self).coordinator.passOn(address)
    }
}

extension Coordinator {
    /// The `next` of a coordinator whose primary source's elements go downstream unchanged, while no other source is
    /// active.
    @usableFromInline
    static func sendUncontended(_ address: UnsafeMutableRawPointer, _ sink: Sink) {
        sink.known(as: Coordinator.self).passOn(address)
    }

    // Not inlined: when a call goes through fields of two objects, the compiler retains the middle object, which takes
    // longer than a call.
    @inline(never)
    fileprivate final func passOn(_ address: UnsafeMutableRawPointer) { down.emit(at: address) }
}
