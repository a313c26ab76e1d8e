#if TRACE_RESOURCES
    import Synchronization
#endif

extension ObservableType {
    /// This sequence, and after its completion `second`.
    ///
    ///     _ = Observable.of(1, 2).concat(Observable.of(3)).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// `second` is subscribed to at the moment this sequence completes.
    ///
    /// - Complexity: Two allocations per subscription and one more for each of the two sequences that is not `just`,
    ///   none per element.
    @inlinable
    public func concat<Source: ObservableConvertibleType>(_ second: Source) -> Observable<Element>
    where Source.Element == Element {
        Self.concat([asObservable(), second.asObservable()])
    }

    /// Runs the sequences of `sources` one after the other.
    ///
    ///     let pages = Observable.concat((1...).lazy.map { load(page: $0) })
    ///
    /// Each sequence is requested and subscribed to when the previous one completes. An error ends the whole sequence.
    /// The stack does not grow, however many sequences complete synchronously.
    ///
    /// - Parameter sources: iterated from its start by each subscription, outside every lock. It may be endless.
    /// - Complexity: Two allocations per subscription and one for each sequence that is not `just`, once its turn has
    ///   come; none per element.
    @inlinable
    public static func concat<Sources: Sequence>(_ sources: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        ConcatObservable(feeds: sources as? [ObservableBase] ?? []) { SourceWalk.over(sources, remaining: nil) }
    }

    /// Runs the sequences of `sources` one after the other.
    ///
    ///     let all = Observable.concat([cached, loaded])
    ///
    /// Each sequence is requested and subscribed to when the previous one completes. An error ends the whole sequence.
    /// The stack does not grow, however many sequences complete synchronously, nor if the last one is again a
    /// concatenation.
    ///
    /// - Complexity: Two allocations per subscription and one for each sequence that is not `just`, once its turn has
    ///   come; none per element.
    @inlinable
    public static func concat<Sources: Collection>(_ sources: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        ConcatObservable(feeds: sources as? [ObservableBase] ?? []) {
            SourceWalk.over(sources, remaining: sources.count)
        }
    }

    /// Runs the sequences `sources` one after the other.
    ///
    ///     _ = Observable.concat(.of(1, 2), .of(3)).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// Each sequence is subscribed to when the previous one completes. An error ends the whole sequence.
    ///
    /// - Complexity: Two allocations per subscription and one for each sequence that is not `just`, once its turn has
    ///   come; none per element.
    @inlinable
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> { concat(sources) }
}

/// Sequences one after the other.
@usableFromInline
final class ConcatObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: immutable; the closure only makes iterators of the user's sequence.
    @usableFromInline let makeWalk: () -> SourceWalk

    #if TRACE_RESOURCES
        /// The sequences, so that an error can report its origin; empty if iterating over them could run user code.
        @usableFromInline let feeds: [ObservableBase]
    #endif

    @inlinable @inline(__always)
    init(feeds: @autoclosure () -> [ObservableBase], makeWalk: @escaping () -> SourceWalk) {
        self.makeWalk = makeWalk
        #if TRACE_RESOURCES
            self.feeds = feeds()
        #endif
        super.init(named: "concat", of: nil)
    }

    @usableFromInline
    override func makeSourceWalk() -> SourceWalk? { makeWalk() }

    @usableFromInline
    override func attach(_ sink: consuming Sink) {
        let coordinator = ConcatCoordinator(down: sink)
        coordinator.countAsSink(of: self)
        coordinator.down.connect(coordinator)
        coordinator.advance(into: makeWalk())
    }
}

/// A walk over the sequences of one concatenation.
@usableFromInline
class SourceWalk {
    /// How many are left, where that is known.
    fileprivate final var remaining: Int?
    /// Whether a sequence that has completed is released after the next one was subscribed to, instead of before, and
    /// the last one after its completion was reported.
    // Here, where it takes no room of its own.
    @exclusivity(unchecked) @usableFromInline final var releasesLate = false
    /// One step, formed where the iterator's type is concrete.
    private final let following: (SourceWalk) -> ObservableBase?
    /// The walk that continues when this one ends, and the number of its remaining sequences.
    fileprivate final var outer: SourceWalk?
    fileprivate final var depth = 1

    @usableFromInline
    init(remaining: Int?, following: @escaping (SourceWalk) -> ObservableBase?) {
        self.remaining = remaining
        self.following = following
    }

    /// A walk from the start of `sources`. One allocation.
    @inlinable @inline(__always)
    static func over<Element, Sources: Sequence>(_ sources: Sources, remaining: Int?) -> SourceWalk
    where Sources.Element == Observable<Element> {
        IteratorWalk(sources.makeIterator(), remaining: remaining) {
            unsafeDowncast($0, to: IteratorWalk<Sources.Iterator>.self).iterator.next()
        }
    }

    /// The next sequence. Runs code of the user.
    fileprivate final func next() -> ObservableBase? {
        remaining? -= 1
        return following(self)
    }
}

/// A walk and its present position.
@usableFromInline
final class IteratorWalk<Iterator>: SourceWalk {
    @exclusivity(unchecked) @usableFromInline var iterator: Iterator

    @inlinable
    init(_ iterator: Iterator, remaining: Int?, following: @escaping (SourceWalk) -> ObservableBase?) {
        self.iterator = iterator
        super.init(remaining: remaining, following: following)
    }
}

/// One subscription of a concatenation. It subscribes to each sequence when the previous one has completed.
@usableFromInline
final class ConcatCoordinator: Coordinator, @unchecked Sendable {
    // @unchecked: for the same reason as every sink.
    /// The innermost of the walks under way. Only the current round touches it.
    @exclusivity(unchecked) private var innermost: SourceWalk?
    /// The sequence that has completed, until the next round. Touched as `innermost`, and before a round is asked for.
    @exclusivity(unchecked) private var previous: Input?
    /// The last of the sequences that have completed and are released late, and those before it. Only rounds touch
    /// them.
    @exclusivity(unchecked) private var lastHeld: Input?
    @exclusivity(unchecked) private var earlierHeld: [Input] = []
    /// Whether any walk of this subscription releases late: others take no time for it.
    @exclusivity(unchecked) private var releasesLate = false
    /// Whether the sequence that was subscribed to last has ended inside its subscription and left nothing to release:
    /// then there is nothing to hold.
    @exclusivity(unchecked) private var hasNothingToRelease = false

    @usableFromInline
    init(down: Sink) { super.init(next: { _, _ in }, down: down) }

    /// Begins with the first sequence of `walk`.
    @usableFromInline
    func advance(into walk: SourceWalk) {
        enter(walk)
        advance()
    }

    private func advance(after input: Input) {
        previous = input
        advance()
    }

    /// Subscribes to the next sequence. A sequence that ends while it is subscribed to only requests another round: no
    /// recursion.
    private func advance() { drain.request { subscribeToNext() } }

    private func subscribeToNext() {
        var ended = previous
        previous = nil
        while let walk = innermost {
            if isStopped { return leaveAll() }
            guard let source = walk.next() else {
                innermost = walk.outer
                continue
            }
            // Sequences do not overlap: the previous one is released first, unless it is held.
            if let input = ended {
                if input.isHeld { hold(input) } else { input.releaseUpstream() }
                ended = nil
            }
            // The sequences that an inner walk has held are released when the walk ends.
            if lastHeld != nil, !walk.releasesLate { releaseHeld(below: walk.depth) }
            // Dropped before what it ends with is entered, so that endless nesting at the end needs no more room.
            if walk.remaining == 0 { innermost = walk.outer }
            if source.isScalar {
                source.emitScalar(to: down)
                continue
            }
            if source.isEmpty { continue }
            guard let nested = source.makeSourceWalk() else {
                return releasesLate ? subscribe(to: source, of: walk) : subscribe(to: source)
            }
            enter(nested)
        }
        complete()
        forgetHeld()
    }

    private func enter(_ walk: SourceWalk) {
        walk.outer = innermost
        walk.depth += innermost?.depth ?? 0
        if walk.releasesLate { releasesLate = true }
        innermost = walk
        #if TRACE_RESOURCES
            ConcatDepth.record(walk.depth)
        #endif
    }

    /// Leaves the walks one by one, so that releasing many takes no more stack.
    private func leaveAll() {
        forgetHeld()
        while let walk = innermost { innermost = walk.outer }
    }

    private func subscribe(to source: ObservableBase) {
        subscribe(source, through: makeInput(at: 0, onEnd: Self.end))
    }

    /// As `subscribe(to:)`, for a sequence of `walk` that may have to be held.
    private func subscribe(to source: ObservableBase, of walk: SourceWalk) {
        // If this was the last sequence of its walk, the outer walk continues. Each is borrowed.
        let outer = walk.remaining == 0 ? walk.outer : nil
        let isLast = walk.remaining == 0 && outer == nil
        let (depth, isLate) = outer.map { ($0.depth, $0.releasesLate) } ?? (walk.depth, walk.releasesLate)
        let input = makeInput(at: depth, onEnd: isLate ? Self.heldEnd(isLast: isLast) : Self.end)
        subscribe(source, through: input)
        hasNothingToRelease = input.isStopped && !input.isConnected
        guard lastHeld != nil else { return }
        // While sequences end synchronously, the previous ones are held until the end, or until one stays subscribed.
        if isStopped { forgetHeld() } else if !input.isStopped { releaseHeld(below: 0) }
    }

    // Not inlined: of two equal closures the compiler makes one that jumps to the other, once for each element.
    @inline(never)
    private func makeInput(at depth: Int, onEnd: @escaping Input.End) -> Input {
        Input(next: Input.forwardUncontended, coordinator: self, index: depth, onEnd: onEnd)
    }

    /// What follows the end of a sequence that is released before the next one is subscribed to.
    private static var end: Input.End {
        { input, error in
            if let error { return input.coordinator.fail(error) }
            input.coordinator.known(as: ConcatCoordinator.self).advance(after: input)
        }
    }

    /// The action at the end of a held sequence. The end of the last one is reported immediately and not in another
    /// round, because a sequence that ends synchronously is released before that round.
    private static func heldEnd(isLast: Bool) -> Input.End {
        if isLast { return { input, error in input.coordinator.finish(error) } }
        return { input, error in
            input.isHeld = error == nil
            Self.end(input, error)
        }
    }

    @inline(never)
    private func hold(_ ended: Input) {
        if hasNothingToRelease { return ended.release() }
        if let lastHeld { earlierHeld.append(lastHeld) }
        lastHeld = ended
    }

    /// Releases the sequences that walks deeper than `depth` have held, the last one first.
    private func releaseHeld(below depth: Int) {
        while let ended = lastHeld, ended.index > depth {
            lastHeld = earlierHeld.popLast()
            ended.release()
        }
    }

    /// The coordinator has ended, which releases them.
    private func forgetHeld() {
        if lastHeld == nil { return }
        lastHeld = nil
        earlierHeld = []
    }
}

extension ObservableType {
    /// `elements` first, then this sequence.
    ///
    ///     _ = Observable.of(3).startWith(1, 2).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// They are delivered before this sequence is subscribed to.
    ///
    /// - Complexity: No allocation per subscription or element.
    @inlinable
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let source = asObservable()
        return SourceObservable { sink in
            for var element in elements where !sink.isStopped { sink.emit(&element) }
            if !sink.isStopped { source.attach(sink) }
        }
    }
}

#if TRACE_RESOURCES
    /// The largest number of nested concatenations so far in this process, in builds that trace.
    ///
    /// 1 if only the last sequence of a collection is again a concatenation. Set it to 0 before a measurement.
    public var maxTailRecursiveSinkStackSize: Int {
        get { ConcatDepth.most.load(ordering: .relaxed) }
        set { ConcatDepth.most.store(newValue, ordering: .relaxed) }
    }

    enum ConcatDepth {
        static let most = Atomic<Int>(0)

        static func record(_ depth: Int) { most.max(depth, ordering: .relaxed) }
    }
#endif
