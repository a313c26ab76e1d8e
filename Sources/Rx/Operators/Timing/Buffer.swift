extension ObservableType {
    /// The elements in arrays: one whenever `timeSpan` has passed since the last array, or at once when `count` have
    /// come.
    ///
    ///     let batches = events.buffer(timeSpan: .seconds(1), count: 100, scheduler: scheduler)
    ///
    /// Arrays may be empty. Completion sends what has come; an error drops it.
    ///
    /// - Complexity: Two allocations per subscription and two for each array, beside those of its timer; none per
    ///   element. A span of `never` takes no timer. An array makes room for `count` elements at its first, or for as
    ///   many as 4 KiB hold: from there on it grows.
    // For each array one allocation and one timer, which is most of what it takes.
    @inlinable
    public func buffer(timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        typealias State = Timed<[Element]>
        return coordinate(
            state: State([], timeSpan, on: scheduler) { coordinator, number in
                coordinator.spanEnded(number) { coordinator.sendBuffer() }
            },
            onEnd: { coordinator, error in
                if let error { return coordinator.fail(error) }
                coordinator.serial.withLock { _ = coordinator.sendBuffer() }
                coordinator.complete()
            },
            onClose: StatefulCoordinator<State>.endTimer,
            start: { $0.startSpan(0) }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                coordinator.serial.lock()
                coordinator.addToBuffer(element, of: count)
                let started = coordinator.state.value.count == count ? coordinator.sendBuffer() : nil
                coordinator.serial.unlock()
                if let started { coordinator.startSpan(started) }
            }
        }
    }
}

extension StatefulCoordinator where State: ~Copyable {
    /// Under `serial`.
    @inlinable
    func addToBuffer<Element>(_ element: Element, of count: Int) where State == Timed<[Element]> {
        if state.value.capacity == 0 {
            state.value.reserveCapacity(max(1, min(count, 4_096 / max(1, MemoryLayout<Element>.stride))))
        }
        state.value.append(element)
    }

    /// Sends the array and begins the next one, whose number it returns. Under `serial`.
    @inlinable
    func sendBuffer<Element>() -> Int where State == Timed<[Element]> {
        var buffer: [Element] = []
        swap(&buffer, &state.value)
        state.number += 1
        let number = state.number
        if !isFinished { down.emit(&buffer) }
        // Its room serves the next array, unless that has begun from inside or the room is that of a burst.
        if state.value.capacity == 0, buffer.capacity * MemoryLayout<Element>.stride <= 4_096 {
            buffer.removeAll(keepingCapacity: true)
            swap(&buffer, &state.value)
        }
        return number
    }
}
