/// The elements of a sequence that have one key in common. `groupBy` delivers such groups.
public struct GroupedObservable<Key, Element>: ObservableType {
    /// The key that the elements have in common.
    public let key: Key

    @usableFromInline let source: Observable<Element>

    /// Creates a group of the elements of `source` with `key`.
    @inlinable
    public init(key: Key, source: Observable<Element>) {
        self.key = key
        self.source = source
    }

    /// Delivers the group to `observer`.
    @inlinable
    public func subscribe<Observer: ObserverType>(_ observer: Observer) -> any Disposable
    where Observer.Element == Element {
        source.subscribe(observer)
    }

    /// The group without its key.
    ///
    /// - Complexity: No allocation: it returns the stored sequence.
    @inlinable
    public func asObservable() -> Observable<Element> { source }
}

extension GroupedObservable: Sendable where Key: Sendable {}

extension ObservableType {
    /// Groups the elements into sequences, one for each key.
    ///
    ///     let sums = Observable.of(1, 2, 3, 4).groupBy { $0 % 2 }
    ///         .flatMap { group in group.reduce(0, accumulator: +).map { "\(group.key): \($0)" } }
    ///     _ = sums.subscribe(onNext: { print($0) })  // 1: 4, 0: 6
    ///
    /// A group is delivered when its key is first seen, before the element. A group does not replay elements from
    /// before a subscription to it. The end of this sequence, or an error that `keySelector` throws, ends the groups,
    /// in the order in which they began, and then the sequence of groups. A subscription to a group keeps this sequence
    /// alive, even after the sequence of groups was disposed. New keys are ignored after that.
    ///
    /// - Complexity: An element takes a look-up of its key, O(1) on average. Two allocations per subscription and four
    ///   for each key, plus the allocations of a growing table; none for further elements. The keys stay in memory.
    // Several times the cost of `map`: the key is hashed and looked up, and each group is a separate subject.
    @_alwaysEmitIntoClient @inline(__always)
    public func groupBy<Key: Hashable>(
        keySelector: @escaping (Element) throws -> Key
    ) -> Observable<GroupedObservable<Key, Element>> {
        let source = asObservable()
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (grouping: Grouping<Key, Element>, element: inout Element) in
                do {
                    grouping.send(&element, to: try keySelector(element))
                } catch {
                    grouping.emitEnd(error)
                }
            }
        }
        return SourceObservable { sink in Grouping<Key, Element>(next: next, down: sink).start(source) }
    }
}

/// One subscription of `groupBy`: the sink of the source. It is a separate segment, which outlives the downstream
/// segment while a group is in use.
@usableFromInline
final class Grouping<Key: Hashable, Element>: TokenSink, @unchecked Sendable {
    // @unchecked: for the same reason as every sink.
    // Kernel-internal: emit, emitEnd, receiveEnd, stopSegment. A segment of its own: see above.
    private let down: Sink
    /// Counts the uses of the source: the sequence of groups, and each subscription to a group.
    private lazy var uses = RefCountDisposable(disposable: self)
    // Only the source's events, which do not overlap, access the following properties.
    /// The keys that are compared one by one. Used while there are at most `compared` keys.
    @exclusivity(unchecked) @usableFromInline var firstKeys: ContiguousArray<Key> = []
    /// The index of the subject of every key. Used once there are more than `compared` keys.
    @exclusivity(unchecked) @usableFromInline var indices: [Key: Int] = [:]
    @exclusivity(unchecked) private var subjects: ContiguousArray<PublishSubject<Element>> = []
    /// The observers of `subjects`. `subjects` retains them, so that delivering an element retains no object.
    @exclusivity(unchecked) @usableFromInline var observers: ContiguousArray<Unmanaged<SubjectObservers>> = []

    @usableFromInline
    init(next: @escaping Next, down: Sink) {
        self.down = down
        super.init(token: next)
        count(as: "groupBy")
    }

    @usableFromInline
    func start(_ source: ObservableBase) {
        down.connect(uses)
        if !isStopped { source.attach(self) }
    }

    /// The number of keys that are compared one by one instead of hashed: comparing this number of integers takes less
    /// time than hashing one. Other keys, such as strings, take longer to compare.
    @inlinable static var compared: Int { _isPOD(Key.self) && MemoryLayout<Key>.size <= 16 ? 16 : 0 }

    /// Sends an element to the group of its key. The group of a new key is sent first. If the sequence of groups has no
    /// subscriber any longer, an element with a new key is dropped.
    @inlinable @inline(__always)
    func send(_ element: inout Element, to key: Key) {
        // Unretained, because subjects are never released during an event.
        (index(of: key) ?? begin(key)).map { observers[$0] }?._withUnsafeGuaranteedRef { $0.send(&element) }
    }

    @inlinable @inline(__always)
    func index(of key: Key) -> Int? {
        guard firstKeys.count == observers.count else { return indices[key] }
        // Does not use 'firstIndex(of:)', which retains the array.
        for index in 0..<firstKeys.count where firstKeys[index] == key { return index }
        return nil
    }

    /// Sends the group of a new key and returns its index. Returns `nil` if the sequence of groups has no subscriber
    /// any longer.
    @usableFromInline @inline(never)
    func begin(_ key: Key) -> Int? {
        if down.isStopped { return nil }
        let subject = PublishSubject<Element>()
        let index = subjects.count
        list(key)
        subjects.append(subject)
        observers.append(Unmanaged.passUnretained(subject.observers))
        var group = GroupedObservable(key: key, source: subject.observable(countingIn: uses))
        down.emit(&group)
        return index
    }

    private func list(_ key: Key) {
        guard firstKeys.count == subjects.count, subjects.count < Self.compared else {
            // The first key beyond `compared` is hashed, together with the earlier keys.
            if indices.isEmpty { for (index, key) in firstKeys.enumerated() { indices[key] = index } }
            indices[key] = subjects.count
            return
        }
        firstKeys.append(key)
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard stopSegment() else { return }
        for subject in subjects { subject.on(Event(end: error)) }
        if !down.isStopped { down.emitEnd(error) }
    }
}
