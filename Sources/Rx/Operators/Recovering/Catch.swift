extension ObservableType {
    /// Delivers the elements of this sequence, and after an error the elements of the sequence that `handler` returns
    /// for it.
    ///
    ///     let page = load().catch { error in .just(placeholder) }
    ///
    /// An error that `handler` throws ends the sequence instead of the original error.
    ///
    /// - Complexity: One allocation per subscription and one more after an error, none per element.
    @inlinable
    public func `catch`(_ handler: @escaping (any Error) throws -> Observable<Element>) -> Observable<Element> {
        let forward = Input.forwardUncontended
        return coordinate(
            state: (),
            onEnd: { coordinator, error in
                guard let error else { return coordinator.complete() }
                do {
                    let recovery = try handler(error)
                    coordinator.subscribe(recovery, through: Input(next: forward, coordinator: coordinator))
                } catch {
                    coordinator.fail(error)
                }
            }
        ) { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in
                coordinator.forwardUncontended(&element)
            }
        }
    }

    /// Delivers the elements of this sequence, and `element` and completion instead of an error.
    ///
    ///     let count = load().map(\.count).catchAndReturn(0)
    ///
    /// - Complexity: One allocation per subscription, none per element.
    @inlinable
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        lift(
            state: (),
            onEnd: { sink, error in
                guard error != nil else { return sink.complete() }
                var element = element
                sink.forward(&element)
                if !sink.isStopped { sink.complete() }
            }
        ) { address, sink in
            sink.receive(address) { (sink: OperatorSink, element: inout Element) in sink.forward(&element) }
        }
    }

    /// The elements of the first sequence; each one that fails is followed by the next, until one completes.
    ///
    ///     let answer = Observable.catch(sequence: mirrors.lazy.map { fetch(from: $0) })
    ///
    /// If all fail, it ends with the last one's error; without any sequence it completes. `sequence` is walked from its
    /// start by each subscription, one step per failure, and may be endless. However many fail at once, the stack does
    /// not grow.
    ///
    /// - Complexity: One allocation per subscription and one for each attempt, none per element.
    @inlinable
    public static func `catch`<Sources: Sequence>(sequence: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        trying(sequence, feeds: sequence as? [ObservableBase] ?? [])
    }

    /// The elements of this sequence, which is subscribed to again whenever it fails.
    ///
    /// However many attempts fail at once, the stack does not grow.
    ///
    /// - Complexity: One allocation per subscription and one for each attempt, none per element.
    @inlinable
    public func retry() -> Observable<Element> {
        let source = asObservable()
        return Self.trying(Swift.repeatElement(source, count: .max), feeds: [source])
    }

    /// The elements of this sequence, which is subscribed to again when it fails, up to `maxAttemptCount` times in
    /// total.
    ///
    ///     // Two more attempts after the first.
    ///     let page = load().retry(3)
    ///
    /// If all attempts fail, it ends with the last one's error; with 0 attempts it completes at once.
    ///
    /// - Complexity: One allocation per subscription and one for each attempt, none per element.
    @inlinable
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> {
        let source = asObservable()
        return Self.trying(Swift.repeatElement(source, count: max(0, maxAttemptCount)), feeds: [source])
    }

    @inlinable @inline(__always)
    static func trying<Sources: Sequence>(
        named name: StaticString = #function, _ sources: Sources, feeds: @autoclosure () -> [ObservableBase] = []
    ) -> Observable<Element> where Sources.Element == Observable<Element> {
        Observable.coordinate(state: Attempts(iterator: sources.makeIterator()), named: name, feeds: feeds()) {
            coordinator in
            coordinator.attempt()
        }
    }
}

/// The sequences that are left to try, and how the last one failed.
@usableFromInline
struct Attempts<Iterator: IteratorProtocol> {
    // Touched only by the current round of the coordinator's drain loop, and before the next one is asked for.
    @usableFromInline var iterator: Iterator
    @usableFromInline var lastError: (any Error)?
    /// The attempt that has failed, until the next round.
    @usableFromInline var failed: Input?

    @inlinable
    init(iterator: Iterator) { self.iterator = iterator }
}

extension StatefulCoordinator {
    /// Subscribes to the next sequence, or ends if there are no more sequences.
    @inlinable
    func attempt<Iterator, Element>() where State == Attempts<Iterator>, Iterator.Element == Observable<Element> {
        drain.request {
            let failed = state.failed
            state.failed = nil
            if isStopped { return }
            guard let source = state.iterator.next() else { return finish(state.lastError) }
            // Attempts do not overlap: the failed one is released before the next one begins.
            failed?.releaseUpstream()
            subscribe(
                source,
                through: Input(next: Input.forwardUncontended, coordinator: self) { input, error in
                    guard let error else { return input.coordinator.complete() }
                    let coordinator = input.coordinator(of: State.self)
                    coordinator.state.lastError = error
                    coordinator.state.failed = input
                    coordinator.attempt()
                })
        }
    }
}
