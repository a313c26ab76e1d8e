/// The elements of a sequence that have one key in common: what `groupBy` sends.
public struct GroupedObservable<Key, Element>: ObservableType {
    /// The key that the elements have in common.
    public let key: Key

    @usableFromInline let source: Observable<Element>

    /// The elements of `source`, known by `key`.
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
    /// - Complexity: No allocation: it is the sequence itself.
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
    ///   for each key, plus those of a table that grows; none for further elements. The keys stay in memory.
    // Several times `map`: the key is hashed and looked up, and each group is a subject of its own.
    @inlinable @inline(__always)
    public func groupBy<Key: Hashable>(
        keySelector: @escaping (Element) throws -> Key
    ) -> Observable<GroupedObservable<Key, Element>> {
        let source = asObservable()
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (grouping: Grouping<Key, Element>, element: inout Element) in
                do {
                    grouping.send(&element, to: try keySelector(element))
                } catch {
                    grouping.end(error)
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
    private let down: Sink
    /// The uses of the source: the sequence of groups, and each subscription to one of them.
    private lazy var uses = RefCountDisposable(disposable: self)
    // Touched by the source's events, which do not overlap.
    /// The keys that are compared one by one.
    @exclusivity(unchecked) @usableFromInline var firstKeys: ContiguousArray<Key> = []
    /// Every key, by the index of its subject, once there are more than are compared.
    @exclusivity(unchecked) @usableFromInline var indices: [Key: Int] = [:]
    @exclusivity(unchecked) private var subjects: ContiguousArray<PublishSubject<Element>> = []
    /// The observers of `subjects`, which retains them: an element retains none of them.
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

    /// How many keys are compared before one is hashed: comparing so many numbers takes less than hashing one. Other
    /// keys, such as strings, take longer to compare.
    @inlinable static var compared: Int { _isPOD(Key.self) && MemoryLayout<Key>.size <= 16 ? 16 : 0 }

    /// Sends an element to the group of its key. A new key's group is sent first, unless no subscriber is left for it.
    @inlinable @inline(__always)
    func send(_ element: inout Element, to key: Key) {
        // Unretained: subjects are never released during an event.
        (index(of: key) ?? begin(key)).map { observers[$0] }?._withUnsafeGuaranteedRef { $0.send(&element) }
    }

    @inlinable @inline(__always)
    func index(of key: Key) -> Int? {
        guard firstKeys.count == observers.count else { return indices[key] }
        // Not by 'firstIndex(of:)', which retains the array.
        for index in 0..<firstKeys.count where firstKeys[index] == key { return index }
        return nil
    }

    /// Returns the index of a new key, after sending its group; `nil` if no subscriber is left for it.
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
            // The first that is too many is hashed, and with it those before it.
            if indices.isEmpty { for (index, key) in firstKeys.enumerated() { indices[key] = index } }
            indices[key] = subjects.count
            return
        }
        firstKeys.append(key)
    }

    @usableFromInline
    override func receiveEnd(_ error: (any Error)?) {
        guard stop() else { return }
        for subject in subjects { subject.on(Event(end: error)) }
        if !down.isStopped { down.end(error) }
    }
}
