/// The values that a subject keeps for later subscribers.
@usableFromInline
protocol SubjectMemory<Element> {
    associatedtype Element

    /// Takes a value in, and returns the one that had to make room: its deinitialiser is not to run under the subject's
    /// lock.
    mutating func remember(_ element: Element) -> Element?

    /// Returns what a new subscriber gets before anything else.
    func recall(_ ending: SubjectObservers.Ending) -> ContiguousArray<Element>

    /// Forgets everything, and returns what it was.
    mutating func forget() -> Self
}

/// The latest value: of `BehaviorSubject` and `share(replay: 1)`. Nothing is replayed after the end.
@usableFromInline
struct LatestValue<Element>: SubjectMemory {
    @usableFromInline var value: Element?

    @inlinable init(_ value: Element?) { self.value = value }

    @inlinable @inline(__always)
    mutating func remember(_ element: Element) -> Element? {
        var forgotten: Element? = element
        swap(&forgotten, &value)
        return forgotten
    }

    @inlinable
    func recall(_ ending: SubjectObservers.Ending) -> ContiguousArray<Element> {
        if case .open = ending, let value { [value] } else { [] }
    }

    @usableFromInline
    mutating func forget() -> LatestValue {
        defer { value = nil }
        return self
    }
}

/// The most recent values, up to a capacity: of `ReplaySubject` and `share(replay:)`. They outlive the end.
@usableFromInline
struct RecentValues<Element>: SubjectMemory {
    /// A ring once it is full: the oldest value is at `oldest`.
    @usableFromInline var values: ContiguousArray<Element> = []
    @usableFromInline var oldest = 0
    @usableFromInline let capacity: Int

    /// - Parameter capacity: how many values to keep; `.max` keeps all.
    @inlinable init(capacity: Int) { self.capacity = capacity }

    /// Returns `bufferSize`, or stops the program where it is negative and names what makes an `unlimited` buffer.
    @inlinable
    static func capacity(_ bufferSize: Int, unlimited: StaticString) -> Int {
        precondition(
            bufferSize >= 0, "A replay buffer of size '\(bufferSize)' is impossible. Use 0 or more, or \(unlimited).")
        return bufferSize
    }

    @inlinable @inline(__always)
    mutating func remember(_ element: Element) -> Element? {
        if values.count < capacity {
            values.append(element)
            return nil
        }
        if capacity == 0 { return nil }
        let forgotten = values[oldest]
        values[oldest] = element
        oldest += 1
        if oldest == capacity { oldest = 0 }
        return forgotten
    }

    @inlinable
    func recall(_ ending: SubjectObservers.Ending) -> ContiguousArray<Element> {
        // In order already, so share the storage: O(1), and the next event copies it only if the replay still runs.
        if oldest == 0 { return values }
        var ordered = ContiguousArray<Element>()
        ordered.reserveCapacity(values.count)
        ordered.append(contentsOf: values[oldest...])
        ordered.append(contentsOf: values[..<oldest])
        return ordered
    }

    @usableFromInline
    mutating func forget() -> RecentValues {
        defer {
            values = []
            oldest = 0
        }
        return self
    }
}

/// The last value, which counts once the sequence has completed: of `AsyncSubject`. Apart from `LatestValue`, so that
/// each recalls without a question.
@usableFromInline
struct FinalValue<Element>: SubjectMemory {
    @usableFromInline var value: Element?

    @inlinable init() {}

    @inlinable @inline(__always)
    mutating func remember(_ element: Element) -> Element? {
        var forgotten: Element? = element
        swap(&forgotten, &value)
        return forgotten
    }

    @inlinable
    func recall(_ ending: SubjectObservers.Ending) -> ContiguousArray<Element> {
        if case .ended(nil) = ending, let value { [value] } else { [] }
    }

    @usableFromInline
    mutating func forget() -> FinalValue {
        defer { value = nil }
        return self
    }
}
