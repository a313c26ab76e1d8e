extension ObservableType {
    /// Delivers the elements, the elements of the sequences that `selector` returns for them, and so on recursively.
    ///
    ///     let tree = Observable.just(1).expand { $0 < 4 ? Observable.of($0 * 2, $0 * 2 + 1) : .empty() }
    ///     _ = tree.subscribe(onNext: { print($0) })  // 1, 2, 3, 4, 5, 6, 7
    ///
    /// An element is delivered before `selector` is called with it. Completes when all sequences have completed. The
    /// first error, including an error that `selector` throws, ends the whole sequence. A sequence is subscribed to in
    /// the next turn of the current thread, so that the stack does not grow with the depth.
    ///
    /// - Complexity: Two allocations per subscription and three for each inner sequence, none per element.
    @_alwaysEmitIntoClient
    public func expand<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Element> where Source.Element == Element {
        let expansion = Expansion(selector)
        return coordinate(state: ()) { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in
                expansion.pass(element, coordinator)
            }
        }
    }
}

/// The recursive step of `expand`.
@usableFromInline
final class Expansion<Element>: @unchecked Sendable {
    // @unchecked: immutable; the user guarantees the function's thread safety.
    private let select: (Element) throws -> Observable<Element>

    @usableFromInline
    init<Source: ObservableConvertibleType>(_ selector: @escaping (Element) throws -> Source)
    where Source.Element == Element {
        select = { try selector($0).asObservable() }
    }

    /// Delivers an element, and starts or schedules the subscription to the sequence that `select` returns for it.
    @usableFromInline
    func pass(_ element: Element, _ coordinator: Coordinator) {
        var delivered = element
        coordinator.send(&delivered)
        if coordinator.down.isStopped { return }
        let source: Observable<Element>
        do { source = try select(element) } catch { return coordinator.finish(error) }
        coordinator.openSource()
        if !Trampoline.isActive { return Trampoline.enter { start(source, coordinator) } }
        Trampoline.push(CoordinatorTurn(coordinator) { self.start(source, $0) })
    }

    private func start(_ source: Observable<Element>, _ coordinator: Coordinator) {
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, element: inout Element) in self.pass(element, input.coordinator) }
        }
        coordinator.subscribe(
            to: source, through: Input(next: next, coordinator: coordinator, onEnd: Input.finishMergedSource))
    }
}
