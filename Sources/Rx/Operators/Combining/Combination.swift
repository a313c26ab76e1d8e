/// The state of `combineLatest` and `zip`: the elements of each source, and the number of sources without an element.
@usableFromInline
struct Combination<Values> {
    /// The latest element, or a queue of elements, of each source.
    @usableFromInline var values: Values
    /// The number of sources without an element. At 0, a result is formed.
    @usableFromInline var missing: Int
    /// The number of sources that have not completed.
    @usableFromInline var open: Int
    /// Whether an element that can never be combined with elements of the other sources completes the sequence.
    @usableFromInline let endsEarly: Bool
    @usableFromInline let release: SourceRelease

    @inlinable
    init(_ values: Values, count: Int, endsEarly: Bool, release: SourceRelease = .first) {
        self.release = release
        self.values = values
        missing = count
        open = count
        self.endsEarly = endsEarly
    }
}

/// One source of a combination, and the function that handles its elements.
///
/// It is written out where the operator is assembled, with `next` around `combine`, so that the code that stores the
/// element and the code that forms a result are inlined into `next`. A function that receives these two as closures has
/// to call them, which takes twice the time: `Documentation/Decisions/0004-arity.md`.
@usableFromInline
struct CombinedSource {
    @usableFromInline let source: ObservableBase
    @usableFromInline let next: Sink.Next

    @inlinable @inline(__always)
    init(_ source: some ObservableType, next: @escaping Sink.Next) {
        self.source = source.asObservable()
        self.next = next
    }
}

extension Sink {
    /// Handles an element from one input.
    ///
    /// - Parameters:
    ///   - store: stores the element; returns `true` if its source had no element before.
    ///   - select: forms a result once each source has an element.
    @_alwaysEmitIntoClient @inline(__always)
    final func combine<Values, Element, Result>(
        _ address: UnsafeMutableRawPointer, _ type: Element.Type,
        _ store: (inout Values, inout Element) -> Bool,
        _ select: (StatefulCoordinator<Combination<Values>>) throws -> Result
    ) {
        receive(address) { (input: Input, element: inout Element) in
            input.withCoordinator { (coordinator: StatefulCoordinator<Combination<Values>>) in
                coordinator.combine({ store(&$0, &element) }, select)
            }
        }
    }
}

extension ObservableType {
    /// Returns the sequence of the combined results.
    @_alwaysEmitIntoClient @inline(__always)
    static func combining<Values>(
        named name: StaticString = #function, _ state: @escaping @autoclosure () -> Combination<Values>,
        _ sources: [CombinedSource]
    ) -> Observable<Element> {
        Observable.coordinate(state: state(), named: name, feeds: sources.map(\.source)) { coordinator in
            if sources.isEmpty { return coordinator.finish() }
            for (index, source) in sources.enumerated() where !coordinator.isStopped {
                coordinator.subscribe(
                    to: source.source,
                    through: Input(next: source.next, coordinator: coordinator, index: index) { input, error in
                        let coordinator = input.coordinator(of: Combination<Values>.self)
                        let isLast = coordinator.countOut(error)
                        if coordinator.state.release.comesFirst(error, isLast: isLast) { input.release() }
                        if isLast { coordinator.finish(error) }
                    })
            }
        }
    }
}

/// When a source that has ended is released. The operators that take a collection and the operators that take separate
/// sources use the orders that their users know.
@usableFromInline
enum SourceRelease {
    /// Before its end is reported.
    case first
    /// Before its completion is reported, or, if its completion or its error ends the sequence, after the end was
    /// reported.
    case atCompletion
    /// After its end was reported.
    case last

    @usableFromInline
    func comesFirst(_ error: (any Error)?, isLast: Bool) -> Bool {
        self == .first || self == .atCompletion && !isLast
    }
}

extension StatefulCoordinator {
    /// Handles an element from one source, and delivers a result if no element is missing any longer. Decides this
    /// once, under `serial`.
    @_alwaysEmitIntoClient @inline(__always)
    func combine<Values, Result>(_ store: (inout Values) -> Bool, _ select: (StatefulCoordinator) throws -> Result)
    where State == Combination<Values> {
        serial.lock()
        if store(&state.values) { state.missing &-= 1 }
        if isFinished || state.missing > 0 { return combineLater() }
        do {
            var result = try select(self)
            sendUncontended(&result)
            serial.unlock()
        } catch {
            serial.unlock()
            finish(error)
        }
    }

    /// Releases `serial` without a result. Completes the sequence if it ends early and no other source can send an
    /// element.
    @_alwaysEmitIntoClient @inline(never)
    func combineLater<Values>() where State == Combination<Values> {
        let isLast = state.endsEarly && state.open == 1
        serial.unlock()
        if isLast { finish() }
    }

    /// Moves an element out of a queue.
    @_alwaysEmitIntoClient @inline(__always)
    func take<Values, Value>(_ take: (inout Values) -> (value: Value, isLast: Bool)) -> Value
    where State == Combination<Values> {
        let (value, isLast) = take(&state.values)
        if isLast { state.missing &+= 1 }
        return value
    }

    /// Counts the end of a source. Returns whether it is the end of the sequence.
    @_alwaysEmitIntoClient
    func countOut<Values>(_ error: (any Error)?) -> Bool where State == Combination<Values> {
        if error != nil { return true }
        return serial.withLock {
            state.open -= 1
            return state.open == 0
        }
    }
}

extension Optional {
    /// Swaps a value with the stored one, so that the caller releases the old value outside the lock that guards this
    /// optional: the value's deinitialiser may be user code.
    @inlinable @inline(__always)
    mutating func exchange(_ value: inout Wrapped) {
        let new = value
        if let old = self { value = old }
        self = new
    }

    /// Stores a value. Returns `true` if no value was stored before. Afterwards `value` is the old value: see
    /// `exchange`.
    @inlinable @inline(__always)
    mutating func fill(_ value: inout Wrapped) -> Bool {
        let wasEmpty = if case .none = self { true } else { false }
        exchange(&value)
        return wasEmpty
    }
}

/// The elements of one source that wait for their partners.
///
/// The first element is stored separately: if the sources keep pace with each other, the queue of the other elements is
/// never used.
@usableFromInline
struct ZipQueue<Element> {
    @usableFromInline var first: Element?
    @usableFromInline var others = RingBuffer<Element>()

    @inlinable init() {}

    /// Appends an element. Returns `true` if it is the only element.
    @inlinable @inline(__always)
    mutating func add(_ element: Element) -> Bool {
        if case .none = first {
            first = element
            return true
        }
        others.append(element)
        return false
    }

    /// Removes the first element, and returns whether it was the last one.
    @inlinable @inline(__always)
    mutating func take() -> (value: Element, isLast: Bool) {
        var value: Element?
        swap(&value, &first)
        if _fastPath(others.isEmpty) { return (value.unsafelyUnwrapped, true) }
        first = others.popFirst()
        return (value.unsafelyUnwrapped, false)
    }
}

extension ObservableType {
    /// Combines the latest elements of all sequences with `resultSelector`, whenever one of them delivers an element.
    ///
    ///     let total = Observable.combineLatest(prices) { $0.reduce(0, +) }
    ///
    /// Works like `combineLatest` for two sequences. The elements are in the order of the collection. For an empty
    /// collection it delivers the result of `resultSelector` for no elements, and completes.
    ///
    /// - Complexity: O(*s*) an element of *s* sequences. Two allocations per subscription and one for each sequence;
    ///   per result the array for `resultSelector`.
    // The elements of each result are passed in a separate array, which is allocated and filled. The operators that
    // take separate sequences need no array.
    @_alwaysEmitIntoClient @inline(__always)
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources, resultSelector: @escaping ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
        typealias Values = [Sources.Element.Element?]
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, element: inout Sources.Element.Element) in
                let index = input.index
                input.withCoordinator { (coordinator: StatefulCoordinator<Combination<Values>>) in
                    coordinator.combine({ $0[index].fill(&element) }) {
                        try resultSelector($0.state.values.map { $0.unsafelyUnwrapped })
                    }
                }
            }
        }
        let sources = collection.map { CombinedSource($0, next: next) }
        return combining(
            Combination(
                Values(repeating: nil, count: sources.count), count: sources.count, endsEarly: true, release: .last),
            sources)
    }

    /// Delivers an array of the latest elements of all sequences, in their order, whenever one of them delivers an
    /// element.
    ///
    /// - Complexity: O(*s*) an element of *s* sequences. Two allocations per subscription and one for each sequence;
    ///   per result its array.
    @_alwaysEmitIntoClient
    public static func combineLatest<Sources: Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType, Sources.Element.Element == Element {
        Observable<[Element]>.combineLatest(collection) { $0 }
    }

    /// Combines the first elements of all sequences with `resultSelector`, then the second ones, and so on.
    ///
    ///     let rows = Observable.zip(columns) { $0.joined(separator: ";") }
    ///
    /// Works like `zip` for two sequences. The elements are in the order of the collection. It also completes when an
    /// element arrives and every other sequence has completed. For an empty collection it completes immediately.
    ///
    /// - Complexity: O(*s*) a result of *s* sequences. Two allocations per subscription and one for each sequence; per
    ///   result the array for `resultSelector`, and more when a queue grows.
    // Allocates an array for each result, like `combineLatest`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func zip<Sources: Collection>(
        _ collection: Sources, resultSelector: @escaping ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        typealias Values = [ZipQueue<Sources.Element.Element>]
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, element: inout Sources.Element.Element) in
                let index = input.index
                input.withCoordinator { (coordinator: StatefulCoordinator<Combination<Values>>) in
                    coordinator.combine({ $0[index].add(element) }) { coordinator in
                        try resultSelector(
                            coordinator.state.values.indices.map { index in coordinator.take { $0[index].take() } })
                    }
                }
            }
        }
        let sources = collection.map { CombinedSource($0, next: next) }
        return combining(
            Combination(
                Values(repeating: ZipQueue(), count: sources.count), count: sources.count, endsEarly: true,
                release: .atCompletion),
            sources)
    }

    /// Delivers an array of the first elements of all sequences, in their order, then an array of the second elements,
    /// and so on.
    ///
    /// - Complexity: O(*s*) a result of *s* sequences. Two allocations per subscription and one for each sequence; per
    ///   result its array, and more when a queue grows.
    @_alwaysEmitIntoClient
    public static func zip<Sources: Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType, Sources.Element.Element == Element {
        Observable<[Element]>.zip(collection) { $0 }
    }
}
