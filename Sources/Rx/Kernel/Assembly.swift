/// How operators are put together: the generic half of the kernel.
///
/// Everything here is inlined into the operator and with it into the caller, where the types are
/// concrete, so that the closures formed there are specialised code. An operator reads
///
/// ```text
/// lift { address, sink in
///     sink.receive(address) { (sink: OperatorSink, element: inout Element) in … }
/// }
/// ```
///
/// The outer closure is the one that is kept: it captures what the user gave. The inner one does not
/// escape and melts into it. (One escaping closure around another, as in `lift { sink, element in … }`, would make a
/// capturing chain half as fast again.)
///
/// Operators that take a closure are inlined always. One that captures nothing melts into the operator only where the
/// compiler sees both, and in a large caller it would stop looking. Nor is it the caller alone: the compiler weighs the
/// operator's own size against a fixed benefit (`-Rpass-missed=sil-inliner` prints both), to which everything counts
/// that is inlined into it from here: `Documentation/Decisions/0004-arity.md` has what that cost.

extension Sink {
    /// This sink as the class that it is known to be. Every downcast of a sink goes through here.
    ///
    /// Sound, as an operator forms the functions that a sink is given (`next`, `onEnd`, `start` …) in the same
    /// expression as the function that makes the sink, and hands them to that sink alone: they never meet one of
    /// another class. A checked cast would look up the class for every event.
    // Transparent, as `unsafeDowncast` is: nothing of it is left in the operator.
    @usableFromInline @_transparent
    final func known<Known: Sink>(as type: Known.Type) -> Known { unsafeDowncast(self, to: type) }

    /// Takes up an event inside an operator's closure.
    ///
    /// The closure's parameter types say what the sink is and what lies at the address; the operator that formed the
    /// closure knows both.
    @inlinable @inline(__always)
    final func receive<Receiver: Sink, Element>(
        _ address: UnsafeMutableRawPointer, _ body: (Receiver, inout Element) -> Void
    ) {
        body(known(as: Receiver.self), &address.assumingMemoryBound(to: Element.self).pointee)
    }
}

extension ObservableType {
    /// A sequence made of this one by an operator without state.
    @inlinable @inline(__always)
    func lift<Result>(named name: StaticString = #function, _ next: @escaping Sink.Next) -> Observable<Result> {
        OperatorObservable(named: name, source: asObservable(), next: next)
    }

    /// A sequence made of this one by an operator that keeps state for each subscription.
    ///
    /// - Parameters:
    ///   - state: makes the state that each subscription begins with.
    ///   - onEnd: called once when the source ends; without it the end is passed on.
    ///   - next: what happens to each element.
    @inlinable @inline(__always)
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

/// The observable of an operator without state: one sink per subscription.
@usableFromInline
final class OperatorObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: immutable after `init`; the closures' thread-safety is their author's promise.
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

/// The observable of an operator with state: it makes one sink with fresh state per subscription.
@usableFromInline
final class StatefulOperatorObservable<Element>: Observable<Element>, @unchecked Sendable {
    // Apart from `OperatorObservable`, which would need an allocation more for the closure that this one has.
    // @unchecked: as `OperatorObservable`.
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

/// The observable of a coordinator: one coordinator per subscription, registered downstream before it subscribes to
/// anything.
@usableFromInline
class CoordinatorObservable<Element>: Observable<Element>, @unchecked Sendable {
    // Not final, for `SerialObserveOnObservable`, which builds that trace count apart.
    // @unchecked: as `OperatorObservable`.
    @usableFromInline let primary: ObservableBase?
    @usableFromInline let makeCoordinator: (consuming Sink) -> Coordinator
    @usableFromInline let start: ((Coordinator) -> Void)?
    #if TRACE_RESOURCES
        /// The observables that `start` subscribes to, so that an error can tell what the sequence was made of.
        @usableFromInline let feeds: [ObservableBase]
    #endif

    /// - Parameters:
    ///   - primary: the source that feeds the coordinator itself; subscribed last.
    ///   - feeds: what `start` subscribes to; asked for in builds that trace alone.
    ///   - start: subscribes to the others.
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
    /// A sequence made by a coordinator whose primary source is this sequence.
    ///
    /// - Parameters:
    ///   - state: makes the state that each subscription begins with.
    ///   - onEnd: what the end of this sequence leads to; without it an error ends the coordinator and completion
    ///     counts.
    ///   - onClose: called once when the coordinator is disposed: ends timers and the like.
    ///   - start: called before this sequence is subscribed to.
    ///   - next: what happens to each element.
    @inlinable @inline(__always)
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

    /// A sequence made by a coordinator whose primary source is this sequence, which is subscribed to before the
    /// others.
    ///
    /// - Parameters:
    ///   - thenFeeds: what `then` subscribes to.
    ///   - then: called once this sequence was subscribed to; the others are refused if the coordinator is closed by
    ///     then.
    @inlinable @inline(__always)
    func coordinate<State, Result>(
        state: @escaping @autoclosure () -> State,
        onEnd: @escaping StatefulCoordinator<State>.End,
        thenFeeds: @autoclosure () -> [ObservableBase],
        then: @escaping (StatefulCoordinator<State>) -> Void,
        named name: StaticString = #function,
        _ next: @escaping Sink.Next
    ) -> Observable<Result> {
        let source = asObservable()
        return CoordinatorObservable(
            named: name,
            primary: nil,
            feeds: [source] + thenFeeds(),
            makeCoordinator: {
                StatefulCoordinator<State>(next: next, down: $0, state: state(), onEnd: onEnd, onClose: nil)
            },
            start: { coordinator in
                source.attach(coordinator)
                then(coordinator.known(as: StatefulCoordinator<State>.self))
            })
    }

    /// A sequence made by a coordinator without a primary source: `start` subscribes to what feeds it.
    @inlinable @inline(__always)
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
}

extension Input {
    /// The coordinator, as the operator that made it knows it.
    @inlinable @inline(__always)
    func coordinator<State>(of state: State.Type = State.self) -> StatefulCoordinator<State> {
        coordinator.known(as: StatefulCoordinator<State>.self)
    }

    /// Calls `body` with the coordinator, which is not retained for it: the input keeps it. For what happens to each
    /// element.
    @inlinable @inline(__always)
    func withCoordinator<State: ~Copyable>(_ body: (StatefulCoordinator<State>) -> Void) {
        // Unretained: the compiler does not see that nobody lets go of it meanwhile.
        Unmanaged.passUnretained(coordinator)._withUnsafeGuaranteedRef {
            body($0.known(as: StatefulCoordinator<State>.self))
        }
    }

    /// The `next` of an input whose elements go downstream as they are, where no other source is alive meanwhile.
    @usableFromInline
    static func forwardUncontended(_ address: UnsafeMutableRawPointer, _ sink: Sink) {
        sink.known(as: Input.self).coordinator.passOn(address)
    }
}

extension Coordinator {
    /// Subscribes to `other`, each of whose elements is given to `next`. Its completion changes nothing; its error ends
    /// the sequence.
    @inlinable @inline(__always)
    final func listen(to other: ObservableBase, _ next: @escaping Sink.Next) {
        subscribe(
            other,
            through: Input(next: next, coordinator: self) { input, error in
                if let error { input.coordinator.fail(error) }
            })
    }

    /// The `next` of a coordinator whose primary source's elements go downstream as they are, where no other source is
    /// alive meanwhile.
    @usableFromInline
    static func forwardUncontended(_ address: UnsafeMutableRawPointer, _ sink: Sink) {
        sink.known(as: Coordinator.self).passOn(address)
    }

    // Not inlined: over two objects' fields the compiler retains the one in the middle, which takes longer than a call.
    @inline(never)
    fileprivate final func passOn(_ address: UnsafeMutableRawPointer) { down.emit(at: address) }
}
