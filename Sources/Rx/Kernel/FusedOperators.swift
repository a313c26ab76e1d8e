import CRx
import Synchronization

/// Consecutive stateless operators, executed as one loop over the user's closures.
///
/// An `OperatorSink` costs two calls per event: its `next`, and from there the user's closure. If the closure captures
/// nothing, the compiler inlines it into `next`. If the closure captures something, the compiler cannot inline it. The
/// loop, `rx_fused`, calls the closures themselves, one after the other, at the cost of a hand-written loop. The loop
/// is a single sink, regardless of the number of operators it holds.
///
/// The loop carries values that can be copied byte for byte and take at most 32 bytes. Other elements go through one
/// sink for each operator. `Documentation/Decisions/0002-fused-operators.md` states the figures and the rejected
/// alternatives.
@usableFromInline
final class FusedOperators: @unchecked Sendable {
    // @unchecked: immutable after `init`.
    private let stages: FusedStages
    /// The observable that feeds the first operator. Unowned, because `last` keeps it alive. A subscription keeps the
    /// closures alive, but no subject that feeds it.
    private let source: Unmanaged<ObservableBase>
    #if TRACE_RESOURCES
        /// The observable that owns these operators, and under whose name they are counted.
        private let last: Unmanaged<ObservableBase>
    #endif

    /// Fuses the operators up to and including `last`. O(n) for *n* operators, once per assembly that is subscribed to.
    init(endingWith last: ObservableBase, count: Int) {
        var stages = FusedStages(capacity: count)
        // Unretained: `last` keeps them all alive.
        var source = Unmanaged.passUnretained(last)
        while let before = source._withUnsafeGuaranteedRef({ $0.addStage(to: &stages) }) { source = before }
        self.stages = stages
        self.source = source
        #if TRACE_RESOURCES
            self.last = Unmanaged.passUnretained(last)
        #endif
    }

    deinit { stages.deallocate() }

    var firstStage: UnsafePointer<rx_stage> { stages.first }

    /// Feeds `sink` through the operators.
    static func attach(_ sink: consuming Sink, through operators: Unmanaged<FusedOperators>) {
        let fusedSink: Sink = FusedSink(operators: operators.takeUnretainedValue(), down: sink)
        #if TRACE_RESOURCES
            let last = operators._withUnsafeGuaranteedRef { $0.last }
            last._withUnsafeGuaranteedRef { fusedSink.countAsSink(of: $0) }
        #endif
        // Managed manually, because a closure cannot consume a value that it captures.
        let handed = Unmanaged.passRetained(consume fusedSink)
        let source = operators._withUnsafeGuaranteedRef { $0.source }
        source._withUnsafeGuaranteedRef { $0.attach(handed.takeRetainedValue()) }
    }
}

/// The stages of the loop, and the owner of their closures. Stages are added from the last to the first.
@usableFromInline
struct FusedStages {
    private let room: UnsafeMutablePointer<rx_stage>
    private var begin: Int
    /// Whether the first stage holds only a predicate. A transform that precedes it then joins the same stage.
    private var isOpen = false
    /// The closures that capture something.
    private var closures: ContiguousArray<FusibleClosure> = []

    fileprivate init(capacity: Int) {
        // The stages start empty: a stage without closures ends the loop.
        room = rx_stages_make(capacity + 1)
        begin = capacity
    }

    fileprivate func deallocate() { rx_stages_free(room) }

    fileprivate var first: UnsafePointer<rx_stage> { UnsafePointer(room + begin) }

    /// Adds the closure of an operator that precedes the operators added so far.
    mutating func add(_ closure: FusibleClosure, isPredicate: Bool) {
        let (function, context) = closure.words
        if context != nil {
            if closures.isEmpty { closures.reserveCapacity(begin) }
            closures.append(closure)
        }
        if isPredicate || !isOpen { begin -= 1 }
        isOpen = isPredicate
        if isPredicate {
            (room[begin].predicate, room[begin].predicate_context) = (function, context)
        } else {
            (room[begin].transform, room[begin].transform_context) = (function, context)
        }
    }
}

/// The sink of fused operators. It keeps alive the closures that the loop calls.
///
/// Its `next` is the loop itself, which finds the frame in the sink. No Swift function runs before or after the loop.
private final class FusedSink: OperatorSink, @unchecked Sendable {
    // @unchecked: same reason as `Sink`.
    private let operators: FusedOperators
    @exclusivity(unchecked) private var frame: rx_fused_frame

    // Consuming: the stored values are moved here, not copied.
    init(operators: consuming FusedOperators, down: consuming Sink) {
        let deliver = Closure(next: down.next).words
        // The receiver is `down`, which this sink keeps alive. Both belong to the same segment and so share its flags.
        frame = rx_fused_frame(
            stages: operators.firstStage, flags: down.flagsAddress, receiver: Unmanaged.passUnretained(down).toOpaque(),
            deliver: deliver.function, deliver_context: deliver.context, fail: Self.fail)
        self.operators = consume operators
        super.init(next: Closure(words: (rx_fused_next(), nil)).next, down: consume down)
        // Unprotected: only the address of the frame is used.
        let frameAddress = _withUnprotectedUnsafeMutablePointer(to: &frame) { UnsafeRawPointer($0) }
        rx_fused_set_frame_offset(frameAddress - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    }

    private static let fail: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void = { sink, error in
        // An `any Error` is one word, and the closure has transferred its reference to us. It is moved out, because a
        // cast would retain it again.
        var word = error
        let error = withUnsafeMutablePointer(to: &word) {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: (any Error).self).move()
        }
        Unmanaged<FusedSink>.fromOpaque(sink)._withUnsafeGuaranteedRef { $0.finish(error) }
    }
}

/// A `Next`, accessible as its two words.
private struct Closure {
    let next: Sink.Next

    init(next: @escaping Sink.Next) { self.next = next }

    init(words: (function: UnsafeRawPointer, context: UnsafeRawPointer?)) { self = unsafeBitCast(words, to: Self.self) }

    var words: (function: UnsafeRawPointer, context: UnsafeRawPointer?) {
        unsafeBitCast(self, to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    }
}

/// A user's closure in the form in which a stage of the loop calls it, independent of its types.
@usableFromInline
struct FusibleClosure {
    /// Stored and released as a function, but never called through this type.
    private let function: () -> Void

    /// Creates the closure of an operator that transforms each value.
    @inlinable
    init<Element, Result>(transform: @escaping (Element) throws -> Result) {
        self = unsafeBitCast(FusibleTransform(function: transform), to: FusibleClosure.self)
    }

    /// Creates the closure of an operator that filters values.
    @inlinable
    init<Element>(predicate: @escaping (Element) throws -> Bool) {
        self = unsafeBitCast(FusiblePredicate(function: predicate), to: FusibleClosure.self)
    }

    /// The closure's function and context.
    @usableFromInline var words: (function: UnsafeRawPointer, context: UnsafeRawPointer?) {
        unsafeBitCast(self, to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    }
}

/// The closure of an operator that transforms each value.
///
/// A stored property of a generic structure has the calling convention that `rx_fused` uses: it passes the value and
/// the result by address.
@usableFromInline
struct FusibleTransform<Element, Result> {
    @usableFromInline let function: (Element) throws -> Result

    @inlinable
    init(function: @escaping (Element) throws -> Result) { self.function = function }
}

/// The closure of an operator that filters values. It is generic for the same reason as `FusibleTransform`.
@usableFromInline
struct FusiblePredicate<Element> {
    @usableFromInline let function: (Element) throws -> Bool

    @inlinable
    init(function: @escaping (Element) throws -> Bool) { self.function = function }
}

/// The observable of an operator that can be fused with adjacent operators.
@usableFromInline
final class FusibleObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: same reason as `OperatorObservable`. The fused operators are created once, atomically.
    @usableFromInline let source: ObservableBase
    @usableFromInline let next: Sink.Next
    @usableFromInline let closure: FusibleClosure
    @usableFromInline let isPredicate: Bool
    /// The number of consecutive fusible operators that end here, and whether one of them captures something. They
    /// decide whether fusing is worthwhile.
    @usableFromInline let length: Int
    @usableFromInline let captures: Bool
    /// The address of the fused operators, with a reference, or 0 before the first subscription.
    // Not an `AtomicLazyReference`, which looks up its types for each subscription.
    private let fused = Atomic<UInt>(0)

    @inlinable @inline(__always)
    init(
        named name: StaticString, source: ObservableBase, closure: FusibleClosure, isPredicate: Bool,
        next: @escaping Sink.Next
    ) {
        self.source = source
        self.next = next
        self.closure = closure
        self.isPredicate = isPredicate
        let (length, captures) = source.fusible
        self.length = length + 1
        self.captures = captures || closure.words.context != nil
        super.init(named: name, of: source)
    }

    @usableFromInline override var fusible: (count: Int, capture: Bool) { (length, captures) }

    @usableFromInline
    override func addStage(to stages: inout FusedStages) -> Unmanaged<ObservableBase>? {
        stages.add(closure, isPredicate: isPredicate)
        return .passUnretained(source)
    }

    @usableFromInline
    override func attach(_ sink: consuming Sink) {
        if isWorthwhile { return FusedOperators.attach(sink, through: fusedOperators) }
        let operatorSink = OperatorSink(next: next, down: sink)
        operatorSink.countAsSink(of: self)
        source.attach(consume operatorSink)
    }

    /// Whether fusing saves more than it costs to start the loop. Where each operator takes two calls, fusing pays from
    /// the third operator on. Where closures without captures are inlined into their sinks, it pays from the tenth on.
    /// Without optimisation nothing is inlined, and it pays from the second on.
    private var isWorthwhile: Bool {
        #if DEBUG
            length > 1
        #else
            length > (captures ? 2 : 9)
        #endif
    }

    private var fusedOperators: Unmanaged<FusedOperators> {
        // Acquiring: sees the contents of the fused operators.
        if let made = Self.operators(at: fused.load(ordering: .acquiring)) { return made }
        let made = Unmanaged.passRetained(FusedOperators(endingWith: self, count: length))
        let result = fused.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
        guard let others = Self.operators(at: result.original) else { return made }
        // Another thread created them first.
        made.release()
        return others
    }

    private static func operators(at address: UInt) -> Unmanaged<FusedOperators>? {
        UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
    }

    deinit { Self.operators(at: fused.load(ordering: .relaxed))?.release() }
}

extension ObservableType {
    /// Returns a sequence that applies a stateless operator, which only calls the user's closure, to this sequence.
    ///
    /// - Parameters:
    ///   - closure: the user's closure, for fused operators. `next` does the same where operators are not fused.
    ///   - isPredicate: whether the closure decides if a value passes, instead of transforming it.
    @_alwaysEmitIntoClient @inline(__always)
    func lift<Result>(
        named name: StaticString = #function, fusing closure: @autoclosure () -> FusibleClosure, isPredicate: Bool,
        _ next: @escaping Sink.Next
    ) -> Observable<Result> {
        // Known when the caller is compiled, so the compiler removes one of the two branches.
        guard FusedOperators.carries(Element.self), FusedOperators.carries(Result.self) else {
            return lift(named: name, next)
        }
        return FusibleObservable(
            named: name, source: asObservable(), closure: closure(), isPredicate: isPredicate, next: next)
    }
}

extension FusedOperators {
    /// Returns whether the loop can carry values of this type.
    @inlinable @inline(__always)
    static func carries<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= 32 && MemoryLayout<Value>.alignment <= 16
    }
}
