/// The values that a subject keeps for later subscribers.
@usableFromInline
protocol SubjectMemory<Element> {
    associatedtype Element

    /// Remembers a value, and returns the value that it replaces. The caller releases that value outside the subject's
    /// lock, because its deinitialiser must not run under the lock.
    mutating func remember(_ element: Element) -> Element?

    /// Returns the values that a new subscriber receives first.
    func recall(_ ending: SubjectObservers.Ending) -> ContiguousArray<Element>

    /// Removes all values, and returns a memory that contains them.
    mutating func forget() -> Self
}

/// The latest value, for `BehaviorSubject` and `share(replay: 1)`. Nothing is replayed after the end.
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

/// The most recent values, up to a capacity, for `ReplaySubject` and `share(replay:)`. They are replayed after the end
/// too.
@usableFromInline
struct RecentValues<Element>: SubjectMemory {
    /// A ring once it is full. The oldest value is at `oldest`.
    @usableFromInline var values: ContiguousArray<Element> = []
    @usableFromInline var oldest = 0
    @usableFromInline let capacity: Int

    /// - Parameter capacity: the maximum number of values to keep. `.max` keeps all values.
    @inlinable init(capacity: Int) { self.capacity = capacity }

    /// Returns `bufferSize`. Stops the program if it is negative, with a message that names the way to create an
    /// `unlimited` buffer.
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
        // The values are already in order, so this shares their storage. That is O(1), and the next event copies the
        // storage only if the replay is still running.
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

/// The last value, which is sent after the sequence has completed, for `AsyncSubject`. A type separate from
/// `LatestValue`, so that `recall(_:)` needs no additional check in either type.
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
