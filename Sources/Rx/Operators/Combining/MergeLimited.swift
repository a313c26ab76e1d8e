extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of the inner sequences, of which at most `maxConcurrent` are subscribed to at a time; others wait
    /// in order.
    ///
    ///     let pages = requests.map { load($0) }.merge(maxConcurrent: 4)
    ///
    /// A waiting sequence is subscribed to at the moment another completes. Completes when this sequence and all
    /// inner ones have; the first error ends everything. However many inner sequences end at once, the stack does not
    /// grow.
    ///
    /// - Complexity: One allocation per subscription and two for each inner sequence that is not `just`, none per
    ///   element.
    @inlinable
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        flatMap(maxConcurrent: maxConcurrent) { $0 }
    }

    /// The elements of the inner sequences, one sequence after the other.
    ///
    ///     _ = Observable.just(Observable.of(1, 2)).concat().subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// Each is subscribed to at the moment the one before it completes; the first error ends everything.
    ///
    /// - Complexity: One allocation per subscription and two for each inner sequence that is not `just`, none per
    ///   element.
    @inlinable
    public func concat() -> Observable<Element.Element> { flatMap(maxConcurrent: 1) { $0 } }
}

extension ObservableType {
    /// The elements of the sequences that `selector` makes, one sequence after the other.
    ///
    ///     // In order, one at a time.
    ///     let saved = edits.concatMap { edit in save(edit) }
    ///
    /// `selector` is called when an element arrives; what it makes is subscribed to at the moment the one before
    /// completes. The first error, or what `selector` throws, ends everything.
    ///
    /// - Complexity: One allocation per subscription and two for each inner sequence that is not `just`, none per
    ///   element.
    // Several times `map` over `just`: most of it makes and frees the inner sequence.
    @inlinable @inline(__always)
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        flatMap(maxConcurrent: 1, selector)
    }

    @inlinable @inline(__always)
    func flatMap<Source: ObservableConvertibleType>(
        maxConcurrent: Int, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        typealias State = MergeQueue<Source.Element>
        let forward = Input.forwarding(Source.Element.self)
        return coordinate(state: State(limit: maxConcurrent)) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                do {
                    coordinator.enqueue(try selector(element).asObservable(), forward)
                } catch {
                    coordinator.fail(error)
                }
            }
        }
    }
}

/// Inner sequences that wait until fewer than `limit` others are subscribed to.
@usableFromInline
struct MergeQueue<Element> {
    @usableFromInline let limit: Int
    @usableFromInline var active = 0
    @usableFromInline var waiting = RingBuffer<Observable<Element>>()

    @inlinable
    init(limit: Int) { self.limit = limit }

    /// Takes a place for a sequence that need not wait; `false` if it must.
    @inlinable
    mutating func startAhead() -> Bool {
        guard active < limit, waiting.isEmpty else { return false }
        active += 1
        return true
    }

    /// The next sequence to subscribe to, if there is room for one.
    @inlinable
    mutating func startNext() -> Observable<Element>? {
        guard active < limit, let source = waiting.popFirst() else { return nil }
        active += 1
        return source
    }
}

extension StatefulCoordinator {
    /// Takes up an inner sequence: now if there is room, else later.
    @inlinable
    func enqueue<Element>(_ source: Observable<Element>, _ forward: @escaping Sink.Next)
    where State == MergeQueue<Element> {
        if source.isScalar, serial.withLock({ state.startAhead() }) {
            var element = source.scalarElement
            self.forward(&element)
            let isAwaited = serial.withLock {
                state.active -= 1
                return !state.waiting.isEmpty
            }
            if isAwaited { startWaiting(forward) }
            return
        }
        sourceOpened()
        serial.withLock { state.waiting.append(source) }
        startWaiting(forward)
    }

    /// Subscribes to one waiting sequence. Asked for after all that may make room for one: so none waits longer than
    /// needed.
    @inlinable
    func startWaiting<Element>(_ forward: @escaping Sink.Next) where State == MergeQueue<Element> {
        drain.request {
            guard let source = serial.withLock({ state.startNext() }) else { return }
            if source.isScalar {
                var element = source.scalarElement
                self.forward(&element)
                return leave(forward)
            }
            subscribe(
                source,
                through: Input(next: forward, coordinator: self) { input, error in
                    let coordinator = input.coordinator(of: State.self)
                    if let error { return coordinator.fail(error) }
                    input.releaseUpstream()
                    coordinator.leave(forward)
                })
        }
    }

    /// A sequence has completed that was taken up by `startWaiting`.
    @inlinable
    func leave<Element>(_ forward: @escaping Sink.Next) where State == MergeQueue<Element> {
        serial.withLock { state.active -= 1 }
        startWaiting(forward)
        sourceClosed()
    }
}
