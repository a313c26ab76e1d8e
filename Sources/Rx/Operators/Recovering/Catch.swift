extension ObservableType {
    /// Delivers the elements of this sequence. After an error, delivers the elements of the sequence that `handler`
    /// returns for the error.
    ///
    ///     let page = load().catch { error in .just(placeholder) }
    ///
    /// An error that `handler` throws ends the sequence instead of the original error.
    ///
    /// - Complexity: One allocation per subscription and one more after an error, none per element.
    @_alwaysEmitIntoClient
    public func `catch`(_ handler: @escaping (any Error) throws -> Observable<Element>) -> Observable<Element> {
        let forward = Input.sendUncontended
        return coordinate(
            state: (),
            onEnd: { coordinator, error in
                guard let error else { return coordinator.finish() }
                do {
                    let recovery = try handler(error)
                    coordinator.subscribe(to: recovery, through: Input(next: forward, coordinator: coordinator))
                } catch {
                    coordinator.finish(error)
                }
            }
        ) { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in
                coordinator.sendUncontended(&element)
            }
        }
    }

    /// Delivers the elements of this sequence. Instead of an error, delivers `element` and completes.
    ///
    ///     let count = load().map(\.count).catchAndReturn(0)
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @_alwaysEmitIntoClient
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        lift(
            state: (),
            onEnd: { sink, error in
                guard error != nil else { return sink.finish() }
                var element = element
                sink.send(&element)
                if !sink.isStopped { sink.finish() }
            }
        ) { address, sink in
            sink.receive(address) { (sink: OperatorSink, element: inout Element) in sink.send(&element) }
        }
    }

    /// Delivers the elements of the first sequence. After a sequence that fails, delivers the elements of the next
    /// sequence, until a sequence completes.
    ///
    ///     let answer = Observable.catch(sequence: mirrors.lazy.map { fetch(from: $0) })
    ///
    /// If all sequences fail, the result ends with the error of the last one. For an empty `sequence` it completes.
    /// Each subscription iterates over `sequence` from its start, one step per failure. `sequence` may be endless. The
    /// stack does not grow, however many sequences fail at once.
    ///
    /// - Complexity: One allocation per subscription and one for each attempt, none per element.
    @_alwaysEmitIntoClient
    public static func `catch`<Sources: Sequence>(sequence: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        trying(sequence, feeds: sequence as? [ObservableBase] ?? [])
    }

    /// Delivers the elements of this sequence, and subscribes to it again each time it fails.
    ///
    /// The stack does not grow, however many attempts fail at once.
    ///
    /// - Complexity: One allocation per subscription and one for each attempt, none per element.
    @_alwaysEmitIntoClient
    public func retry() -> Observable<Element> {
        let source = asObservable()
        return Self.trying(Swift.repeatElement(source, count: .max), feeds: [source])
    }

    /// Delivers the elements of this sequence, and subscribes to it again when it fails, up to `maxAttemptCount` times
    /// in total.
    ///
    ///     // Two more attempts after the first.
    ///     let page = load().retry(3)
    ///
    /// If all attempts fail, the result ends with the error of the last attempt. With 0 attempts it completes at once.
    ///
    /// - Complexity: One allocation per subscription and one for each attempt, none per element.
    @_alwaysEmitIntoClient
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        let source = asObservable()
        return Self.trying(Swift.repeatElement(source, count: max(0, maxAttemptCount)), feeds: [source])
    }

    @_alwaysEmitIntoClient @inline(__always)
    static func trying<Sources: Sequence>(
        named name: StaticString = #function, _ sources: Sources, feeds: @autoclosure () -> [ObservableBase] = []
    ) -> Observable<Element> where Sources.Element == Observable<Element> {
        Observable.coordinate(state: Attempts(iterator: sources.makeIterator()), named: name, feeds: feeds()) {
            coordinator in
            coordinator.attempt()
        }
    }
}

/// The sequences that have not been tried, and the error of the last attempt.
@usableFromInline
struct Attempts<Iterator: IteratorProtocol> {
    // Accessed only by the current round of the coordinator's drain loop, and before the next round is requested.
    @usableFromInline var iterator: Iterator
    @usableFromInline var lastError: (any Error)?
    /// The attempt that has failed, until the next round.
    @usableFromInline var failed: Input?

    @inlinable
    init(iterator: Iterator) { self.iterator = iterator }
}

extension StatefulCoordinator {
    /// Subscribes to the next sequence, or ends if there are no more sequences.
    @_alwaysEmitIntoClient
    func attempt<Iterator, Element>() where State == Attempts<Iterator>, Iterator.Element == Observable<Element> {
        drain.request {
            let failed = state.failed
            state.failed = nil
            if isStopped { return }
            guard let source = state.iterator.next() else { return finish(state.lastError) }
            // Attempts do not overlap: the failed one is released before the next one begins.
            failed?.release()
            subscribe(
                to: source,
                through: Input(next: Input.sendUncontended, coordinator: self) { input, error in
                    guard let error else { return input.coordinator.finish() }
                    let coordinator = input.coordinator(of: State.self)
                    coordinator.state.lastError = error
                    coordinator.state.failed = input
                    coordinator.attempt()
                })
        }
    }
}
