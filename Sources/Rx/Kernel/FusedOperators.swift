import CRx
import Synchronization

/// Consecutive operators without state, executed as one loop over the user's closures.
///
/// An `OperatorSink` costs two calls an event: its `next`, and from there the user's closure. When the closure captures
/// nothing, the compiler melts the two into one; when it captures something it cannot. The loop, `rx_fused`, calls the
/// closures themselves, one after the other, at the cost of a hand-written loop. And it is one sink, however many
/// operators it holds.
///
/// It carries values that can be copied byte for byte and take at most 32 bytes; other elements go through a sink for
/// each operator. `Documentation/Decisions/0002-fused-operators.md` has the figures, and what was rejected.
@usableFromInline
final class FusedOperators: @unchecked Sendable {
    // @unchecked: immutable after `init`.
    private let stages: FusedStages
    /// The observable that feeds the first operator. Not kept, as `last` keeps it: a subscription keeps the closures,
    /// and no subject that feeds it.
    private let source: Unmanaged<ObservableBase>
    #if TRACE_RESOURCES
        /// The observable that keeps this, and whose name it is counted under.
        private let last: Unmanaged<ObservableBase>
    #endif

    /// The fused operators up to the observable's. O(n) for *n* operators, once per assembly that is subscribed to.
    init(endingWith last: ObservableBase, count: Int) {
        var stages = FusedStages(capacity: count)
        // Unretained: `last` keeps them all.
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
        // By hand, as a closure cannot hand on what it captures.
        let handed = Unmanaged.passRetained(consume fusedSink)
        let source = operators._withUnsafeGuaranteedRef { $0.source }
        source._withUnsafeGuaranteedRef { $0.attach(handed.takeRetainedValue()) }
    }
}

/// The stages of the loop, and what keeps their closures alive. Added from the last to the first.
@usableFromInline
struct FusedStages {
    private let room: UnsafeMutablePointer<rx_stage>
    private var begin: Int
    /// Whether the first stage is a predicate alone, which a transform before it takes into its stage.
    private var isOpen = false
    /// Those that capture something.
    private var closures: ContiguousArray<FusibleClosure> = []

    fileprivate init(capacity: Int) {
        // Empty ones: a stage without any closure ends the loop.
        room = rx_stages_make(capacity + 1)
        begin = capacity
    }

    fileprivate func deallocate() { rx_stages_free(room) }

    fileprivate var first: UnsafePointer<rx_stage> { UnsafePointer(room + begin) }

    /// Adds the closure of an operator that comes before those that were added.
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

/// The sink of fused operators: it keeps the closures alive that the loop calls.
///
/// Its `next` is the loop itself, which finds the frame in the sink, without functions of Swift before and behind it.
private final class FusedSink: OperatorSink, @unchecked Sendable {
    // @unchecked: as every sink.
    private let operators: FusedOperators
    @exclusivity(unchecked) private var frame: rx_fused_frame

    // Consuming: what is kept is moved here, not copied.
    init(operators: consuming FusedOperators, down: consuming Sink) {
        let deliver = Closure(next: down.next).words
        // The receiver is `down`, which this sink keeps; its segment is this sink's own, and so are its flags.
        frame = rx_fused_frame(
            stages: operators.firstStage, flags: down.flagsAddress, receiver: Unmanaged.passUnretained(down).toOpaque(),
            deliver: deliver.function, deliver_context: deliver.context, fail: Self.fail)
        self.operators = consume operators
        super.init(next: Closure(words: (rx_fused_next(), nil)).next, down: consume down)
        // Unprotected: of the frame only the address is asked.
        let frameAddress = _withUnprotectedUnsafeMutablePointer(to: &frame) { UnsafeRawPointer($0) }
        rx_fused_set_frame_offset(frameAddress - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    }

    private static let fail: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void = { sink, error in
        // An `any Error` is one word, and the closure left us its reference: moved out, as a cast would take one more.
        var word = error
        let error = withUnsafeMutablePointer(to: &word) {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: (any Error).self).move()
        }
        Unmanaged<FusedSink>.fromOpaque(sink)._withUnsafeGuaranteedRef { $0.fail(error) }
    }
}

/// A `Next` as the two words it consists of.
private struct Closure {
    let next: Sink.Next

    init(next: @escaping Sink.Next) { self.next = next }

    init(words: (function: UnsafeRawPointer, context: UnsafeRawPointer?)) { self = unsafeBitCast(words, to: Self.self) }

    var words: (function: UnsafeRawPointer, context: UnsafeRawPointer?) {
        unsafeBitCast(self, to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    }
}

/// A user's closure as a stage of the loop calls it, whatever its types are.
@usableFromInline
struct FusibleClosure {
    /// Kept and let go of as a function, but never called as one.
    private let function: () -> Void

    /// An operator that makes a value of each value.
    @inlinable
    init<Element, Result>(transform: @escaping (Element) throws -> Result) {
        self = unsafeBitCast(FusibleTransform(function: transform), to: FusibleClosure.self)
    }

    /// An operator that decides which values pass.
    @inlinable
    init<Element>(predicate: @escaping (Element) throws -> Bool) {
        self = unsafeBitCast(FusiblePredicate(function: predicate), to: FusibleClosure.self)
    }

    /// The closure's function and context.
    @usableFromInline var words: (function: UnsafeRawPointer, context: UnsafeRawPointer?) {
        unsafeBitCast(self, to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    }
}

/// The closure of an operator that makes a value of each value.
///
/// A property of a generic structure has the one form of closure that `rx_fused` calls, value and result by address.
@usableFromInline
struct FusibleTransform<Element, Result> {
    @usableFromInline let function: (Element) throws -> Result

    @inlinable
    init(function: @escaping (Element) throws -> Result) { self.function = function }
}

/// The closure of an operator that decides which values pass; as `FusibleTransform`.
@usableFromInline
struct FusiblePredicate<Element> {
    @usableFromInline let function: (Element) throws -> Bool

    @inlinable
    init(function: @escaping (Element) throws -> Bool) { self.function = function }
}

/// The observable of an operator that can be fused with its neighbours.
@usableFromInline
final class FusibleObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: as `OperatorObservable`; the fused operators are made once, atomically.
    @usableFromInline let source: ObservableBase
    @usableFromInline let next: Sink.Next
    @usableFromInline let closure: FusibleClosure
    @usableFromInline let isPredicate: Bool
    /// How many such operators end here, and whether one of them captures something: whether fusing is worthwhile.
    @usableFromInline let length: Int
    @usableFromInline let captures: Bool
    /// The address of the fused operators, with a reference; 0 before the first subscription.
    // Not an `AtomicLazyReference`, which looks its types up for each subscription.
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

    /// Beginning the loop has a price. It pays where operators take two calls each, from the third on; where closures
    /// without captures have melted into their sinks, from the tenth on; and without optimisation, which melts nothing,
    /// from the second on.
    private var isWorthwhile: Bool {
        #if DEBUG
            length > 1
        #else
            length > (captures ? 2 : 9)
        #endif
    }

    private var fusedOperators: Unmanaged<FusedOperators> {
        // Acquiring: what is in them.
        if let made = Self.operators(at: fused.load(ordering: .acquiring)) { return made }
        let made = Unmanaged.passRetained(FusedOperators(endingWith: self, count: length))
        let result = fused.compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
        guard let others = Self.operators(at: result.original) else { return made }
        // Another thread was faster.
        made.release()
        return others
    }

    private static func operators(at address: UInt) -> Unmanaged<FusedOperators>? {
        UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
    }

    deinit { Self.operators(at: fused.load(ordering: .relaxed))?.release() }
}

extension ObservableType {
    /// A sequence made of this one by an operator without state that is no more than a call of the user's closure.
    ///
    /// - Parameters:
    ///   - closure: the user's, for fused operators; `next` does the same where they are not fused.
    ///   - isPredicate: whether it decides if a value passes, rather than making another.
    @inlinable @inline(__always)
    func lift<Result>(
        named name: StaticString = #function, fusing closure: @autoclosure () -> FusibleClosure, isPredicate: Bool,
        _ next: @escaping Sink.Next
    ) -> Observable<Result> {
        // Known when the caller is compiled: one of the two branches is gone by then.
        guard FusedOperators.carries(Element.self), FusedOperators.carries(Result.self) else {
            return lift(named: name, next)
        }
        return FusibleObservable(
            named: name, source: asObservable(), closure: closure(), isPredicate: isPredicate, next: next)
    }
}

extension FusedOperators {
    /// Whether values of this type can travel through the loop.
    @inlinable @inline(__always)
    static func carries<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= 32 && MemoryLayout<Value>.alignment <= 16
    }
}
