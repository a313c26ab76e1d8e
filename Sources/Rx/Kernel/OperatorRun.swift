import CRx
import Synchronization

/// Consecutive operators without state, executed as one loop over the user's closures.
///
/// A link costs two calls an event: its `next`, and from there the user's closure. When the closure
/// captures nothing, the compiler melts the two into one (2.2 ns); when it captures something it cannot,
/// and a link takes 5.2 ns. A run calls the closures themselves, one after the other: 1.6 ns an
/// operator and 3 to begin, where a hand-written loop takes 1.6. And it is one sink, however many operators it holds.
///
/// It carries values that can be copied byte for byte and take at most 32 bytes; other elements go
/// through links. `Documentation/Decisions/0002-operator-runs.md` has the figures, and what was rejected.
@usableFromInline
final class OperatorRun: @unchecked Sendable {
    // @unchecked: immutable after `init`.
    private let stages: UnsafeMutableBufferPointer<rx_stage>
    /// Keeps alive what `stages` points to.
    private let closures: [StageClosure]
    /// What feeds the first operator.
    private let source: ObservableBase
    #if TRACE_RESOURCES
        /// The observable that keeps this, and whose name it is counted under.
        private let last: Unmanaged<ObservableBase>
    #endif

    /// The run that ends with the observable's operator. O(n) for *n* operators, once per assembly that is subscribed
    /// to.
    init(endingWith last: ObservableBase) {
        var closures: [StageClosure] = []
        var source = last
        while let (stage, before) = source.lastStage {
            closures.append(stage)
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

    /// Feeds `sink` through the run.
    func attach(_ sink: Sink) {
        let link = RunLink(run: self, down: sink)
        #if TRACE_RESOURCES
            last._withUnsafeGuaranteedRef { link.countAsSink(of: $0) }
        #endif
        source.attach(link)
    }

    /// The stages of the closures, and one without any, which ends the run.
    private static func stages(of closures: [StageClosure]) -> [rx_stage] {
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

/// The link of a run: it keeps the closures alive that the run calls.
///
/// Its `next` is the loop itself, which finds the frame in the link: with functions of Swift before and behind it,
/// twelve operators took 27.3 ns an event in place of 24.6.
private final class RunLink: Link, @unchecked Sendable {
    // @unchecked: as every sink.
    private let run: OperatorRun
    @exclusivity(unchecked) private var frame: rx_run_frame

    init(run: OperatorRun, down: Sink) {
        self.run = run
        let deliver = Closure(next: down.next).words
        // The receiver is `down`, which this link keeps; its segment is this link's own, and so are its flags.
        frame = rx_run_frame(
            stages: run.firstStage, flags: down.flagsAddress, receiver: Unmanaged.passUnretained(down).toOpaque(),
            deliver: deliver.function, deliver_context: deliver.context, fail: Self.fail)
        super.init(next: Closure(words: (rx_run_next(), nil)).next, down: down)
        // Unprotected: of the frame only the address is asked.
        let frameAddress = _withUnprotectedUnsafeMutablePointer(to: &frame) { UnsafeRawPointer($0) }
        rx_run_set_frame_offset(frameAddress - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    }

    private static let fail: @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void = { link, error in
        // An `any Error` is one word, and the closure left us its reference: moved out, as a cast would take one more.
        var word = error
        let error = withUnsafeMutablePointer(to: &word) {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: (any Error).self).move()
        }
        Unmanaged<RunLink>.fromOpaque(link)._withUnsafeGuaranteedRef { $0.fail(error) }
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

/// A user's closure as a stage of a run: kept alive, and known by the two words it consists of.
@usableFromInline
class StageClosure {
    // No stored property here: the subclass's one follows the object's header, where `words` reads it.
    @inlinable init() {}

    /// Whether the closure decides if a value passes, rather than making another.
    fileprivate var isPredicate: Bool { fatalError("A stage overrides isPredicate.") }

    /// The closure's function and context.
    ///
    /// Read as they lie in the stored property: there a closure over generic types has the one form that
    /// `rx_run` calls, value and result by address. Handed to `unsafeBitCast`, it would be wrapped once more.
    @usableFromInline final var words: (function: UnsafeRawPointer, context: UnsafeRawPointer?) {
        let header = 2 * MemoryLayout<UnsafeRawPointer>.size
        return (Unmanaged.passUnretained(self).toOpaque() + header).load(as: (UnsafeRawPointer, UnsafeRawPointer?).self)
    }
}

/// The stage of an operator that makes a value of each value.
@usableFromInline
final class TransformStage<Element, Result>: StageClosure {
    @usableFromInline let function: (Element) throws -> Result

    @inlinable
    init(_ function: @escaping (Element) throws -> Result) {
        self.function = function
        super.init()
    }

    fileprivate override var isPredicate: Bool { false }
}

/// The stage of an operator that decides which values pass.
@usableFromInline
final class PredicateStage<Element>: StageClosure {
    @usableFromInline let function: (Element) throws -> Bool

    @inlinable
    init(_ function: @escaping (Element) throws -> Bool) {
        self.function = function
        super.init()
    }

    fileprivate override var isPredicate: Bool { true }
}

/// The observable of an operator that can be part of a run.
@usableFromInline
final class StageObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: as `LinkObservable`; the run is made once, atomically.
    @usableFromInline let source: ObservableBase
    @usableFromInline let next: Sink.Next
    @usableFromInline let stage: StageClosure
    /// How many stages end here, and whether one of them captures something: what decides if a run is worthwhile.
    @usableFromInline let length: Int
    @usableFromInline let captures: Bool
    @usableFromInline let run = AtomicLazyReference<OperatorRun>()

    @inlinable @inline(__always)
    init(named name: StaticString, source: ObservableBase, stage: StageClosure, next: @escaping Sink.Next) {
        self.source = source
        self.next = next
        self.stage = stage
        let (length, captures) = source.stages
        self.length = length + 1
        self.captures = captures || stage.words.context != nil
        #if TRACE_RESOURCES
            super.init(named: name, of: source)
        #else
            super.init()
        #endif
    }

    @usableFromInline override var stages: (count: Int, capture: Bool) { (length, captures) }
    @usableFromInline override var lastStage: (stage: StageClosure, source: ObservableBase)? { (stage, source) }

    @usableFromInline
    override func attach(_ sink: Sink) {
        // A run takes 3 ns to begin. It pays where operators take two calls each, from the third on; where closures
        // without captures have melted into their links, from the tenth on.
        guard length > (captures ? 2 : 9) else {
            let link = Link(next: next, down: sink)
            link.countAsSink(of: self)
            return source.attach(link)
        }
        let run = run.load() ?? run.storeIfNil(OperatorRun(endingWith: self))
        run.attach(sink)
    }
}

extension ObservableType {
    /// A sequence made of this one by an operator without state that is no more than a call of the user's closure.
    ///
    /// - Parameter stage: the closure, for a run of operators; `next` does the same where there is none.
    @inlinable @inline(__always)
    func link<Result>(
        named name: StaticString = #function, stage: @autoclosure () -> StageClosure, _ next: @escaping Sink.Next
    ) -> Observable<Result> {
        // Known when the caller is compiled: one of the two branches is gone by then.
        guard OperatorRun.carries(Element.self), OperatorRun.carries(Result.self) else {
            return link(named: name, next)
        }
        return StageObservable(named: name, source: asObservable(), stage: stage(), next: next)
    }
}

extension OperatorRun {
    /// Whether values of this type can travel in a run.
    @inlinable @inline(__always)
    static func carries<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= 32 && MemoryLayout<Value>.alignment <= 16
    }
}
