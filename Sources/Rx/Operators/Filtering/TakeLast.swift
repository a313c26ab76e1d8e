extension ObservableType {
    /// Delivers the last `count` elements when the sequence completes.
    ///
    ///     _ = Observable.of(1, 2, 3).takeLast(2).subscribe(onNext: { print($0) })  // 2, 3
    ///
    /// An error drops these elements.
    ///
    /// - Parameter count: 0 or more.
    /// - Complexity: Keeps up to `count` elements; O(1) per element. One allocation per subscription, and the
    ///   allocations of a buffer that grows to this number of elements.
    @_alwaysEmitIntoClient
    public func takeLast(_ count: Int) -> Observable<Element> {
        precondition(count >= 0, "takeLast needs a count of 0 or more.")
        return lift(
            state: LastElements(capacity: count),
            onEnd: { (sink: StatefulOperatorSink<LastElements<Element>>, error) in
                if let error { return sink.finish(error) }
                for offset in 0..<sink.state.count where !sink.isStopped {
                    var element = sink.state[offset]
                    sink.send(&element)
                }
                sink.finish()
            },
            { address, sink in
                sink.receive(address) { (sink: StatefulOperatorSink<LastElements<Element>>, element: inout Element) in
                    sink.state.append(element)
                }
            })
    }
}

/// The most recent elements, up to a capacity: a ring buffer that grows to this capacity.
@usableFromInline
struct LastElements<Element> {
    @usableFromInline let capacity: Int
    @usableFromInline var elements: [Element] = []
    /// The index of the oldest element, once the ring is full.
    @usableFromInline var oldest = 0

    @inlinable
    init(capacity: Int) { self.capacity = capacity }

    @inlinable
    var count: Int { elements.count }

    /// Returns the element at `offset` from the oldest one. O(1).
    @inlinable
    subscript(offset: Int) -> Element {
        let index = oldest + offset
        return elements[index < elements.count ? index : index - elements.count]
    }

    /// Adds an element, which replaces the oldest one if the ring is full. O(1) amortised.
    @inlinable
    mutating func append(_ element: Element) {
        if elements.count < capacity { return elements.append(element) }
        guard capacity > 0 else { return }
        elements[oldest] = element
        oldest = oldest + 1 == capacity ? 0 : oldest + 1
    }
}
