#if TRACE_RESOURCES
    import Synchronization
#endif

extension ObservableType {
    /// Delivers this sequence, and `second` after the completion of this sequence.
    ///
    ///     _ = Observable.of(1, 2).concat(Observable.of(3)).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// `second` is subscribed to at the moment this sequence completes.
    ///
    /// - Complexity: Two allocations per subscription and one more for each of the two sequences that is not `just`;
    ///   none per element.
    @_alwaysEmitIntoClient
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
    /// - Complexity: Two allocations per subscription and one for each sequence that is not `just`, at the start of
    ///   that sequence; none per element.
    @_alwaysEmitIntoClient
    public static func concat<Sources: Sequence>(_ sources: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        ConcatObservable(feeds: sources as? [ObservableBase] ?? []) { SourceWalk.over(sources, remaining: nil) }
    }

    /// Runs the sequences of `sources` one after the other.
    ///
    ///     let all = Observable.concat([cached, loaded])
    ///
    /// Each sequence is requested and subscribed to when the previous one completes. An error ends the whole sequence.
    /// The stack does not grow, however many sequences complete synchronously. It also does not grow if the last
    /// sequence is itself a concatenation.
    ///
    /// - Complexity: Two allocations per subscription and one for each sequence that is not `just`, at the start of
    ///   that sequence; none per element.
    @_alwaysEmitIntoClient
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
    /// - Complexity: Two allocations per subscription and one for each sequence that is not `just`, at the start of
    ///   that sequence; none per element.
    @_alwaysEmitIntoClient
    public static func concat(_ sources: Observable<Element>...) -> Observable<Element> { concat(sources) }
}

/// The observable of `concat`.
@usableFromInline
final class ConcatObservable<Element>: Observable<Element>, @unchecked Sendable {
    // @unchecked: immutable; the closure only makes iterators over the user's sequence.
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
    /// The number of remaining sequences; `nil` if it is unknown.
    fileprivate final var remaining: Int?
    /// Whether a sequence that has completed is released after the next one was subscribed to, instead of before, and
    /// the last one after its completion was reported.
    // Declared here, because it needs no additional memory here.
    @exclusivity(unchecked) @usableFromInline final var releasesLate = false
    /// Returns the next sequence. The closure is formed where the iterator's type is concrete.
    private final let following: (SourceWalk) -> ObservableBase?
    /// The walk that continues when this one ends, and the nesting depth of this walk.
    fileprivate final var outer: SourceWalk?
    fileprivate final var depth = 1

    @usableFromInline
    init(remaining: Int?, following: @escaping (SourceWalk) -> ObservableBase?) {
        self.remaining = remaining
        self.following = following
    }

    /// Returns a walk from the start of `sources`. One allocation.
    @inlinable @inline(__always)
    static func over<Element, Sources: Sequence>(_ sources: Sources, remaining: Int?) -> SourceWalk
    where Sources.Element == Observable<Element> {
        IteratorWalk(sources.makeIterator(), remaining: remaining) {
            unsafeDowncast($0, to: IteratorWalk<Sources.Iterator>.self).iterator.next()
        }
    }

    /// Returns the next sequence. Runs user code.
    fileprivate final func next() -> ObservableBase? {
        remaining? -= 1
        return following(self)
    }
}

/// A walk with its iterator.
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
    // Kernel-internal: dismissAndRelease, isUpstreamConnected. A sequence that has completed may stay subscribed until
    // the walk that it belongs to ends.
    /// The innermost of the current walks. Only the current round accesses it.
    @exclusivity(unchecked) private var innermost: SourceWalk?
    /// The sequence that has completed, until the next round. Accessed like `innermost`, and also before a round is
    /// requested.
    @exclusivity(unchecked) private var previous: Input?
    /// The last of the completed sequences that are released late, and the earlier ones. Only rounds access these
    /// properties.
    @exclusivity(unchecked) private var lastHeld: Input?
    @exclusivity(unchecked) private var earlierHeld: [Input] = []
    /// Whether any walk of this subscription releases late. Other subscriptions spend no time on it.
    @exclusivity(unchecked) private var releasesLate = false
    /// Whether the sequence that was subscribed to last has ended inside its subscription and left nothing to release.
    /// There is then nothing to hold.
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

    /// Subscribes to the next sequence. A sequence that ends while it is subscribed to only requests another round,
    /// which avoids recursion.
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
                if input.isHeld { hold(input) } else { input.release() }
                ended = nil
            }
            // The sequences that an inner walk has held are released when the walk ends.
            if lastHeld != nil, !walk.releasesLate { releaseHeld(below: walk.depth) }
            // Drops a walk before its last sequence is entered, so that endless nesting in the last sequence uses no
            // more memory.
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
        finish()
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

    /// Leaves the walks one by one, so that releasing many walks uses no additional stack.
    private func leaveAll() {
        forgetHeld()
        while let walk = innermost { innermost = walk.outer }
    }

    private func subscribe(to source: ObservableBase) {
        subscribe(to: source, through: makeInput(at: 0, onEnd: Self.end))
    }

    /// Does the same as `subscribe(to:)`, for a sequence of `walk` that may have to be held.
    private func subscribe(to source: ObservableBase, of walk: SourceWalk) {
        // If this was the last sequence of its walk, the outer walk continues. Both walks are borrowed.
        let outer = walk.remaining == 0 ? walk.outer : nil
        let isLast = walk.remaining == 0 && outer == nil
        let (depth, isLate) = outer.map { ($0.depth, $0.releasesLate) } ?? (walk.depth, walk.releasesLate)
        let input = makeInput(at: depth, onEnd: isLate ? Self.heldEnd(isLast: isLast) : Self.end)
        subscribe(to: source, through: input)
        hasNothingToRelease = input.isStopped && !input.isUpstreamConnected
        guard lastHeld != nil else { return }
        // While sequences end synchronously, the previous ones are held until the end, or until one stays subscribed.
        if isStopped { forgetHeld() } else if !input.isStopped { releaseHeld(below: 0) }
    }

    // Not inlined, because the compiler replaces one of two equal closures by a jump to the other, at each element.
    @inline(never)
    private func makeInput(at depth: Int, onEnd: @escaping Input.End) -> Input {
        Input(next: Input.sendUncontended, coordinator: self, index: depth, onEnd: onEnd)
    }

    /// The action at the end of a sequence that is released before the next one is subscribed to.
    private static var end: Input.End {
        { input, error in
            if let error { return input.coordinator.finish(error) }
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
        if hasNothingToRelease { return ended.dismissAndRelease() }
        if let lastHeld { earlierHeld.append(lastHeld) }
        lastHeld = ended
    }

    /// Releases the sequences that walks deeper than `depth` have held, the last one first.
    private func releaseHeld(below depth: Int) {
        while let ended = lastHeld, ended.index > depth {
            lastHeld = earlierHeld.popLast()
            ended.dismissAndRelease()
        }
    }

    /// Forgets the held sequences after the coordinator has ended, which releases them.
    private func forgetHeld() {
        if lastHeld == nil { return }
        lastHeld = nil
        earlierHeld = []
    }
}

extension ObservableType {
    /// Delivers `elements` first, then this sequence.
    ///
    ///     _ = Observable.of(3).startWith(1, 2).subscribe(onNext: { print($0) })  // 1, 2, 3
    ///
    /// `elements` are delivered before this sequence is subscribed to.
    ///
    /// - Complexity: No allocation per subscription or element.
    @_alwaysEmitIntoClient
    public func startWith(_ elements: Element...) -> Observable<Element> {
        let source = asObservable()
        // Kernel-internal: emit. A source of elements, which then leaves its sink to another source.
        return SourceObservable { sink in
            for var element in elements where !sink.isStopped { sink.emit(&element) }
            if !sink.isStopped { source.attach(sink) }
        }
    }
}

#if TRACE_RESOURCES
    /// The largest number of nested concatenations so far in this process, in builds that trace.
    ///
    /// It is 1 if only the last sequence of each collection is itself a concatenation. Set it to 0 before a
    /// measurement.
    public var maxTailRecursiveSinkStackSize: Int {
        get { ConcatDepth.most.load(ordering: .relaxed) }
        set { ConcatDepth.most.store(newValue, ordering: .relaxed) }
    }

    enum ConcatDepth {
        static let most = Atomic<Int>(0)

        static func record(_ depth: Int) { most.max(depth, ordering: .relaxed) }
    }
#endif
