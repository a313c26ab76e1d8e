extension ObservableType {
    /// Collects the elements in arrays. When `trigger` sends an element, delivers an array of the elements since the
    /// last array.
    ///
    ///     let flushes = PublishSubject<Void>()
    ///     let rows = PublishSubject<Int>()
    ///     let subscription = rows.bufferWithTrigger(flushes).subscribe(onNext: { print($0) })
    ///     rows.onNext(1)
    ///     rows.onNext(2)
    ///     flushes.onNext(())  // [1, 2]
    ///
    /// Arrays may be empty. The completion of either sequence sends the elements since the last array, and an error
    /// drops them. `trigger` is subscribed to last.
    ///
    /// - Complexity: Two allocations per subscription, plus the allocations of each array.
    @_alwaysEmitIntoClient
    public func bufferWithTrigger<Trigger: ObservableConvertibleType>(_ trigger: Trigger) -> Observable<[Element]> {
        let (source, trigger) = (asObservable(), trigger.asObservable())
        return Observable<[Element]>.coordinate(
            state: [] as [Element], onEnd: StatefulCoordinator<[Element]>.bufferEnded,
            feeds: [source, trigger],
            start: { coordinator in
                coordinator.subscribe(toPrimary: source)
                coordinator.subscribe(
                    to: trigger,
                    through: Input(
                        next: { _, sink in sink.known(as: Input.self).coordinator(of: [Element].self).sendArray() },
                        coordinator: coordinator
                    ) { input, error in
                        StatefulCoordinator.bufferEnded(input.coordinator(of: [Element].self), error)
                    })
            }
        ) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<[Element]>, element: inout Element) in
                coordinator.serial.withLock { coordinator.state.append(element) }
            }
        }
    }
}

extension StatefulCoordinator {
    /// Sends the elements since the last array.
    @_alwaysEmitIntoClient
    func sendArray<Element>() where State == [Element] {
        serial.withLock {
            var array: [Element] = []
            swap(&array, &state)
            sendLocked(&array)
        }
    }

    @_alwaysEmitIntoClient
    static func bufferEnded<Element>(_ coordinator: StatefulCoordinator, _ error: (any Error)?)
    where State == [Element] {
        if error == nil { coordinator.sendArray() }
        coordinator.finish(error)
    }
}
