/// The observable of a source: a function that feeds a sink.
@usableFromInline
final class SourceObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: immutable. The author of the function guarantees that it is thread-safe.
    @usableFromInline let feed: (consuming Sink) -> Void

    @inlinable @inline(__always)
    init(named name: StaticString = #function, feed: @escaping (consuming Sink) -> Void) {
        self.feed = feed
        super.init(named: name, of: nil)
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) { feed(sink) }
}

/// The turns of a source that iterates over a Swift sequence on the current thread's trampoline.
///
/// It loops directly, and queues the remaining elements as soon as another action is queued. This gives the order of
/// `CurrentThreadScheduler` without its cost. It makes one allocation per subscription. The iterator keeps the position
/// from one turn to the next.
@usableFromInline
final class SequenceAction<Iterator>: TrampolineAction {
    @exclusivity(unchecked) @usableFromInline var iterator: Iterator
    @usableFromInline let sink: Sink
    /// Runs one turn. Formed where the iterator's type is concrete.
    @usableFromInline let turn: (SequenceAction<Iterator>) -> Void

    @inlinable
    init(iterator: Iterator, sink: Sink, turn: @escaping (SequenceAction<Iterator>) -> Void) {
        self.iterator = iterator
        self.sink = sink
        self.turn = turn
        super.init()
    }

    @usableFromInline
    override func run() { turn(self) }
}

extension SequenceAction {
    /// Starts to feed `sink`, or continues.
    @_alwaysEmitIntoClient @inline(__always)
    static func push(_ iterator: Iterator, to sink: consuming Sink) where Iterator: IteratorProtocol {
        Trampoline.push(
            SequenceAction(iterator: iterator, sink: consume sink) { action in
                let sink = action.sink
                var iterator = action.iterator
                while !sink.isStopped {
                    guard var element = iterator.next() else { return sink.emitEnd() }
                    sink.emit(&element)
                    if Trampoline.hasPending {
                        action.iterator = iterator
                        return Trampoline.push(action)
                    }
                }
            })
    }

    /// Feeds an input of `coordinator`, and alternates with the actions that wait on the trampoline.
    @_alwaysEmitIntoClient
    static func push(_ iterator: Iterator, to coordinator: Coordinator, through forward: @escaping Sink.Next)
    where Iterator: IteratorProtocol {
        let input = Input(next: forward, coordinator: coordinator)
        if coordinator.admitInput(input) { push(iterator, to: input) }
    }
}

/// The elements of a Swift sequence, on the current thread.
///
/// `emitInline` is inlinable and passes on only the address of the elements. If the compiler sees how the sequence is
/// created for `flatMap`, the sequence is allocated on the stack.
@usableFromInline
final class SequenceObservable<Elements: Sequence>: Observable<Elements.Element>, @unchecked Sendable {
    // @unchecked: same reason as `SourceObservable`.
    @usableFromInline let elements: Elements
    // Both closures are formed where the types are concrete, and capture nothing.
    @usableFromInline let begin: (SequenceObservable, consuming Sink) -> Void
    /// Takes the address of the elements. For the elements themselves, the compiler generates a function in which it
    /// inlines no call.
    @usableFromInline let walk: (UnsafeRawPointer, Coordinator, @escaping Sink.Next) -> Void

    @inlinable @inline(__always)
    init(named name: StaticString = #function, walking elements: Elements) {
        self.elements = elements
        begin = { source, sink in SequenceAction.push(source.elements.makeIterator(), to: consume sink) }
        walk = { elements, coordinator, forward in
            var iterator = elements.assumingMemoryBound(to: Elements.self).pointee.makeIterator()
            if Trampoline.isActive { return SequenceAction.push(iterator, to: coordinator, through: forward) }
            Trampoline.enter {
                while !coordinator.down.isStopped {
                    guard var element = iterator.next() else { return coordinator.finishSource() }
                    coordinator.send(&element)
                    if Trampoline.hasPending { return SequenceAction.push(iterator, to: coordinator, through: forward) }
                }
            }
        }
        super.init(named: name, of: nil)
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) { begin(self, sink) }

    @inlinable @inline(__always)
    override func emitInline(into coordinator: Coordinator, through forward: @escaping Sink.Next) -> Bool {
        coordinator.openSource()
        withUnsafePointer(to: elements) { walk($0, coordinator, forward) }
        return true
    }
}

/// The result of one step of a source that runs step by step.
@usableFromInline
enum SourceStep {
    /// The source has another step.
    case more
    /// The source has ended the sequence.
    case over
}

extension SourceObservable {
    /// Delivers the values of `step` on `scheduler`. Each turn runs one step. On the current thread, a turn runs as
    /// many steps as possible until other work is queued there.
    ///
    /// - Parameters:
    ///   - state: creates the initial state of each subscription.
    ///   - step: delivers at most one value, or ends the sequence.
    @_alwaysEmitIntoClient @inline(__always)
    convenience init<State>(
        named name: StaticString = #function, stepping state: @escaping () -> State,
        on scheduler: any ImmediateSchedulerType,
        _ step: @escaping (inout State, Sink) -> SourceStep
    ) {
        if type(of: scheduler) == CurrentThreadScheduler.self {
            self.init(named: name) { sink in
                Trampoline.push(
                    SequenceAction(iterator: state(), sink: sink) { action in
                        let sink = action.sink
                        var state = action.iterator
                        while !sink.isStopped, case .more = step(&state, sink) {
                            if Trampoline.hasPending {
                                action.iterator = state
                                return Trampoline.push(action)
                            }
                        }
                    })
            }
        } else {
            self.init(named: name) { sink in
                sink.connect(
                    scheduler.scheduleRecursive(state()) { state, recurse in
                        if sink.isStopped { return }
                        var state = state
                        if case .more = step(&state, sink) { recurse(state) }
                    })
            }
        }
    }

    /// Returns the elements of `sequence` on `scheduler`, one in each turn.
    @_alwaysEmitIntoClient @inline(__always)
    static func walking<Elements: Sequence>(
        named name: StaticString = #function, _ sequence: Elements, on scheduler: any ImmediateSchedulerType
    ) -> Observable<Element> where Elements.Element == Element {
        if type(of: scheduler) == CurrentThreadScheduler.self {
            return SequenceObservable(named: name, walking: sequence)
        }
        return SourceObservable(named: name, stepping: { sequence.makeIterator() }, on: scheduler) { iterator, sink in
            guard var element = iterator.next() else {
                sink.emitEnd()
                return .over
            }
            sink.emit(&element)
            return .more
        }
    }
}
