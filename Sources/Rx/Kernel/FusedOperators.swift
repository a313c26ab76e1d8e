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
    private let stages: UnsafeMutableBufferPointer<rx_stage>
    /// Keeps alive what `stages` points to.
    private let closures: [FusibleClosure]
    /// The observable that feeds the first operator.
    private let source: ObservableBase
    #if TRACE_RESOURCES
        /// The observable that keeps this, and whose name it is counted under.
        private let last: Unmanaged<ObservableBase>
    #endif

    /// The fused operators up to the observable's. O(n) for *n* operators, once per assembly that is subscribed to.
    init(endingWith last: ObservableBase) {
        var closures: [FusibleClosure] = []
        var source = last
        while let (closure, before) = source.lastFusible {
            closures.append(closure)
            source = before
        }
        closures.reverse()
        let stages = Self.stages(of: closures)
        self.stages = .allocate(capacity: stages.count)
        _ = self.stages.initialize(from: stages)
        self.closures = closures
        self.source = source
        #if TRACE_RESOURCES
            self.last = Unmanaged.passUnretained(last)
        #endif
    }

    deinit { stages.deallocate() }

    var firstStage: UnsafePointer<rx_stage> { UnsafePointer(stages.baseAddress.unsafelyUnwrapped) }

    /// Feeds `sink` through the operators.
    func attach(_ sink: Sink) {
        let fusedSink = FusedSink(operators: self, down: sink)
        #if TRACE_RESOURCES
            last._withUnsafeGuaranteedRef { fusedSink.countAsSink(of: $0) }
        #endif
        source.attach(fusedSink)
    }

    /// The stages of the closures, and one without any, which ends the loop.
    private static func stages(of closures: [FusibleClosure]) -> [rx_stage] {
        var stages: [rx_stage] = []
        for closure in closures {
            let (function, context) = closure.words
            if !closure.isPredicate {
                stages.append(
                    rx_stage(transform: function, transform_context: context, predicate: nil, predicate_context: nil))
            } else if let last = stages.indices.last, stages[last].predicate == nil {
                stages[last].predicate = function
                stages[last].predicate_context = context
            } else {
                stages.append(
                    rx_stage(transform: nil, transform_context: nil, predicate: function, predicate_context: context))
            }
        }
        return stages + [rx_stage()]
    }
}

/// The sink of fused operators: it keeps the closures alive that the loop calls.
///
/// Its `next` is the loop itself, which finds the frame in the sink, without functions of Swift before and behind it.
private final class FusedSink: OperatorSink, @unchecked Sendable {
    // @unchecked: as every sink.
    private let operators: FusedOperators
    @exclusivity(unchecked) private var frame: rx_fused_frame

    init(operators: FusedOperators, down: Sink) {
        self.operators = operators
        let deliver = Closure(next: down.next).words
        // The receiver is `down`, which this sink keeps; its segment is this sink's own, and so are its flags.
        frame = rx_fused_frame(
            stages: operators.firstStage, flags: down.flagsAddress, receiver: Unmanaged.passUnretained(down).toOpaque(),
            deliver: deliver.function, deliver_context: deliver.context, fail: Self.fail)
        super.init(next: Closure(words: (rx_fused_next(), nil)).next, down: down)
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

/// A user's closure as a stage of the loop: kept alive, and known by the two words it consists of.
@usableFromInline
class FusibleClosure {
    // No stored property here: the subclass's one follows the object's header, where `words` reads it.
    @inlinable init() {}

    /// Whether the closure decides if a value passes, rather than making another.
    fileprivate var isPredicate: Bool { fatalError("A fusible closure overrides isPredicate.") }

    /// The closure's function and context.
    ///
    /// Read as they lie in the stored property: there a closure over generic types has the one form that
    /// `rx_fused` calls, value and result by address. Handed to `unsafeBitCast`, it would be wrapped once more.
    @usableFromInline final var words: (function: UnsafeRawPointer, context: UnsafeRawPointer?) {
        let header = 2 * MemoryLayout<UnsafeRawPointer>.size
        return (Unmanaged.passUnretained(self).toOpaque() + header).load(as: (UnsafeRawPointer, UnsafeRawPointer?).self)
    }
}

/// The closure of an operator that makes a value of each value.
@usableFromInline
final class FusibleTransform<Element, Result>: FusibleClosure {
    @usableFromInline let function: (Element) throws -> Result

    @inlinable
    init(_ function: @escaping (Element) throws -> Result) {
        self.function = function
        super.init()
    }

    fileprivate override var isPredicate: Bool { false }
}

/// The closure of an operator that decides which values pass.
@usableFromInline
final class FusiblePredicate<Element>: FusibleClosure {
    @usableFromInline let function: (Element) throws -> Bool

    @inlinable
    init(_ function: @escaping (Element) throws -> Bool) {
        self.function = function
        super.init()
    }

    fileprivate override var isPredicate: Bool { true }
}

/// The observable of an operator that can be fused with its neighbours.
@usableFromInline
final class FusibleObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: as `OperatorObservable`; the fused operators are made once, atomically.
    @usableFromInline let source: ObservableBase
    @usableFromInline let next: Sink.Next
    @usableFromInline let closure: FusibleClosure
    /// How many such operators end here, and whether one of them captures something: whether fusing is worthwhile.
    @usableFromInline let length: Int
    @usableFromInline let captures: Bool
    @usableFromInline let fused = AtomicLazyReference<FusedOperators>()

    @inlinable @inline(__always)
    init(named name: StaticString, source: ObservableBase, closure: FusibleClosure, next: @escaping Sink.Next) {
        self.source = source
        self.next = next
        self.closure = closure
        let (length, captures) = source.fusible
        self.length = length + 1
        self.captures = captures || closure.words.context != nil
        #if TRACE_RESOURCES
            super.init(named: name, of: source)
        #else
            super.init()
        #endif
    }

    @usableFromInline override var fusible: (count: Int, capture: Bool) { (length, captures) }
    @usableFromInline override var lastFusible: (closure: FusibleClosure, source: ObservableBase)? { (closure, source) }

    @usableFromInline
    override func attach(_ sink: Sink) {
        // Beginning the loop has a price. It pays where operators take two calls each, from the third on; where
        // closures without captures have melted into their sinks, from the tenth on.
        guard length > (captures ? 2 : 9) else {
            let operatorSink = OperatorSink(next: next, down: sink)
            operatorSink.countAsSink(of: self)
            return source.attach(operatorSink)
        }
        let fused = fused.load() ?? fused.storeIfNil(FusedOperators(endingWith: self))
        fused.attach(sink)
    }
}

extension ObservableType {
    /// A sequence made of this one by an operator without state that is no more than a call of the user's closure.
    ///
    /// - Parameter closure: the user's, for fused operators; `next` does the same where they are not fused.
    @inlinable @inline(__always)
    func lift<Result>(
        named name: StaticString = #function, fusing closure: @autoclosure () -> FusibleClosure,
        _ next: @escaping Sink.Next
    ) -> Observable<Result> {
        // Known when the caller is compiled: one of the two branches is gone by then.
        guard FusedOperators.carries(Element.self), FusedOperators.carries(Result.self) else {
            return lift(named: name, next)
        }
        return FusibleObservable(named: name, source: asObservable(), closure: closure(), next: next)
    }
}

extension FusedOperators {
    /// Whether values of this type can travel through the loop.
    @inlinable @inline(__always)
    static func carries<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= 32 && MemoryLayout<Value>.alignment <= 16
    }
}
