extension ObservableType where Element: ObservableConvertibleType {
    /// Delivers the elements of the inner sequences. At most `maxConcurrent` of them are subscribed to at a time; the
    /// others wait in order.
    ///
    ///     let pages = requests.map { load($0) }.merge(maxConcurrent: 4)
    ///
    /// A waiting sequence is subscribed to when another completes, in the next turn of the current thread. Completes
    /// when this sequence and all inner sequences have completed. The first error ends the whole sequence. The stack
    /// does not grow, however many inner sequences end at once.
    ///
    /// - Complexity: One allocation per subscription and two for each inner sequence that is not `just`, none per
    ///   element.
    @_alwaysEmitIntoClient
    public func merge(maxConcurrent: Int) -> Observable<Element.Element> {
        flatMap(maxConcurrent: maxConcurrent) { $0 }
    }

    /// Runs the inner sequences one after the other.
    ///
    ///     _ = Observable.just(Observable.of(1, 2)).concat().subscribe(onNext: { print($0) })  // 1, 2
    ///
    /// Each inner sequence is subscribed to when the previous one completes, in the next turn of the current thread.
    /// The first error ends the whole sequence.
    ///
    /// - Complexity: One allocation per subscription and two for each inner sequence that is not `just`, none per
    ///   element.
    @_alwaysEmitIntoClient
    public func concat() -> Observable<Element.Element> { flatMap(maxConcurrent: 1) { $0 } }
}

extension ObservableType {
    /// Runs the sequences that `selector` returns one after the other.
    ///
    ///     // In order, one at a time.
    ///     let saved = edits.concatMap { edit in save(edit) }
    ///
    /// `selector` is called when an element arrives. Its sequence is subscribed to when the previous one completes, in
    /// the next turn of the current thread. The first error, including an error that `selector` throws, ends the whole
    /// sequence.
    ///
    /// - Complexity: One allocation per subscription and two for each inner sequence that is not `just`, none per
    ///   element.
    // Several times the cost of `map` over `just`: most of it is creating and destroying the inner sequence.
    @_alwaysEmitIntoClient @inline(__always)
    public func concatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        flatMap(maxConcurrent: 1, selector)
    }

    @_alwaysEmitIntoClient @inline(__always)
    func flatMap<Source: ObservableConvertibleType>(
        maxConcurrent: Int, _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        typealias State = MergeQueue<Source.Element>
        let forward = Input.sending(Source.Element.self)
        return coordinate(state: State(limit: maxConcurrent)) { address, sink in
            sink.receive(address) { (coordinator: StatefulCoordinator<State>, element: inout Element) in
                do {
                    coordinator.enqueue(try selector(element).asObservable(), forward)
                } catch {
                    coordinator.finish(error)
                }
            }
        }
    }
}

/// Inner sequences that wait until fewer than `limit` others are subscribed to.
@usableFromInline
struct MergeQueue<Element> {
    @usableFromInline let limit: Int
    /// The number of inner sequences that are subscribed to, or about to be. It equals `limit` while any sequence
    /// waits.
    @usableFromInline var active = 0
    @usableFromInline var waiting = RingBuffer<Observable<Element>>()

    @inlinable
    init(limit: Int) { self.limit = limit }

    /// Takes a place, and returns `false` if no place is free.
    @inlinable
    mutating func enter() -> Bool {
        guard active < limit else { return false }
        active += 1
        return true
    }

    /// Takes a place for a sequence. If no place is free, queues the sequence and returns `false`.
    @inlinable
    mutating func admit(_ source: Observable<Element>) -> Bool {
        if enter() { return true }
        waiting.append(source)
        return false
    }

    /// Frees a place, and returns `false` if a sequence waits for it.
    @inlinable
    mutating func leaveUnawaited() -> Bool {
        guard waiting.isEmpty else { return false }
        active -= 1
        return true
    }

    /// Frees a place, or returns the sequence that has waited longest, which takes the place.
    @inlinable
    mutating func leave() -> Observable<Element>? {
        if let next = waiting.popFirst() { return next }
        active -= 1
        return nil
    }
}

extension StatefulCoordinator {
    /// Handles an inner sequence: subscribes to it if there is room, or queues it.
    @_alwaysEmitIntoClient
    func enqueue<Element>(_ source: Observable<Element>, _ forward: @escaping Sink.Next)
    where State == MergeQueue<Element> {
        if source.isScalar, serial.withLock({ state.enter() }) {
            var element = source.scalarElement
            self.send(&element)
            if !serial.withLock({ state.leaveUnawaited() }) { leave(forward) }
            return
        }
        openSource()
        if serial.withLock({ state.admit(source) }) { start(source, forward) }
    }

    /// Subscribes to a sequence that has a place.
    @_alwaysEmitIntoClient
    func start<Element>(_ source: Observable<Element>, _ forward: @escaping Sink.Next)
    where State == MergeQueue<Element> {
        if source.isScalar {
            var element = source.scalarElement
            self.send(&element)
            leave(forward)
            return finishSource()
        }
        subscribe(
            to: source,
            through: Input(next: forward, coordinator: self) { input, error in
                let coordinator = input.coordinator(of: State.self)
                if let error { return coordinator.finish(error) }
                input.release()
                coordinator.leave(forward)
                coordinator.finishSource()
            })
    }

    /// Handles the completion of an inner sequence. The sequence that has waited longest is subscribed to in the next
    /// turn of the current thread: after other waiting work, and immediately if nothing runs there.
    @_alwaysEmitIntoClient
    func leave<Element>(_ forward: @escaping Sink.Next) where State == MergeQueue<Element> {
        guard let next = serial.withLock({ state.leave() }) else { return }
        if !Trampoline.isActive { return Trampoline.enter { start(next, forward) } }
        Trampoline.push(
            CoordinatorTurn(self) { coordinator in
                coordinator.known(as: StatefulCoordinator<State>.self).start(next, forward)
            })
    }
}

/// A turn of a coordinator on the current thread. It does nothing after the subscription has ended.
@usableFromInline
final class CoordinatorTurn: TrampolineAction {
    private let coordinator: Coordinator
    private let turn: (Coordinator) -> Void

    @usableFromInline
    init(_ coordinator: Coordinator, _ turn: @escaping (Coordinator) -> Void) {
        self.coordinator = coordinator
        self.turn = turn
    }

    @usableFromInline
    override func run() {
        if !coordinator.down.isStopped { turn(coordinator) }
    }
}
