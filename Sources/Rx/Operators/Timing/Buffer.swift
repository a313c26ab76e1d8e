extension ObservableType {
    /// Collects the elements in arrays. Delivers an array when `timeSpan` has passed since the last one, or at once
    /// when `count` elements have arrived.
    ///
    ///     let batches = events.buffer(timeSpan: .seconds(1), count: 100, scheduler: scheduler)
    ///
    /// Arrays may be empty. Completion sends the elements that have arrived, and an error drops them.
    ///
    /// - Complexity: Two allocations per subscription and two for each array, plus the allocations of its timer; none
    ///   per element. A span of `never` takes no timer. The first element of an array reserves capacity for `count`
    ///   elements, or for the number of elements that 4 KiB hold, if that is less. Beyond this capacity the array
    ///   grows.
    // Most of the cost is one allocation and one timer for each array.
    @_alwaysEmitIntoClient
    public func buffer(timeSpan: RxTimeInterval, count: Int, scheduler: any SchedulerType) -> Observable<[Element]> {
        typealias State = Timed<[Element]>
        return coordinate(
            state: State([], timeSpan, on: scheduler) { coordinator, number in
                coordinator.spanEnded(number) { coordinator.sendBuffer() }
            },
            onEnd: { coordinator, error in
                if let error { return coordinator.finish(error) }
                coordinator.serial.withLock { _ = coordinator.sendBuffer() }
                coordinator.finish()
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
    /// Appends an element to the array. The caller holds `serial`.
    @_alwaysEmitIntoClient
    func addToBuffer<Element>(_ element: Element, of count: Int) where State == Timed<[Element]> {
        if state.value.capacity == 0 {
            state.value.reserveCapacity(max(1, min(count, 4_096 / max(1, MemoryLayout<Element>.stride))))
        }
        state.value.append(element)
    }

    /// Sends the array and begins the next one. Returns the number of the next array. The caller holds `serial`.
    @_alwaysEmitIntoClient
    func sendBuffer<Element>() -> Int where State == Timed<[Element]> {
        var buffer: [Element] = []
        swap(&buffer, &state.value)
        state.number += 1
        let number = state.number
        sendLocked(&buffer)
        // Reuses the storage for the next array, unless the next array already has elements from inside the delivery,
        // or the storage is larger than 4 KiB, as after a burst.
        if state.value.capacity == 0, buffer.capacity * MemoryLayout<Element>.stride <= 4_096 {
            buffer.removeAll(keepingCapacity: true)
            swap(&buffer, &state.value)
        }
        return number
    }
}
