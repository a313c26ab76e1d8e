extension ObservableType {
    /// Merges the elements of the sequences that `selector` returns.
    ///
    ///     let pages = ids.flatMap { id in load(page: id) }
    ///
    /// Completes when this sequence and all inner sequences have completed. The first error ends the whole sequence.
    /// The inner sequences may run on any threads: their elements are delivered one at a time.
    ///
    /// - Complexity: One allocation per subscription and one for each inner sequence, none per element. None for `just`
    ///   and `empty`, nor for `range`, `of` and `from`, unless a source sends them while it is subscribed to: then
    ///   they take turns with other work of the thread, which takes two.
    // Several times `map` over `just`: the inner sequence is made and destroyed, on the stack where the compiler sees
    // `selector`, in an allocation of its own where it does not: one that captures something, or makes one of several.
    @inlinable @inline(__always)
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let forward = Input.forwarding(Source.Element.self)
        return coordinate(state: ()) { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in
                do {
                    let source = try selector(element).asObservable()
                    if source.isScalar {
                        // Here and not in `merge`, as `pour` below, so that such a sequence need not be allocated.
                        var inner = source.scalarElement
                        // Before the delivery, so that the compiler need not keep it across the lock.
                        _ = consume source
                        coordinator.forward(&inner)
                    } else if !source.pour(into: coordinator, through: forward) {
                        coordinator.merge(source, forward)
                    }
                } catch {
                    coordinator.fail(error)
                }
            }
        }
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// The elements of all inner sequences, as they come.
    ///
    ///     _ = Observable.of(Observable.of(1, 2), Observable.of(11, 12)).merge()
    ///         .subscribe(onNext: { print($0) })  // 1, 2, 11, 12
    ///
    /// Completes when this sequence and all inner ones have; the first error ends everything.
    ///
    /// - Complexity: One allocation per subscription and one for each inner sequence that is not `just`, none per
    ///   element.
    @inlinable
    public func merge() -> Observable<Element.Element> { flatMap { $0 } }
}

extension ObservableType {
    /// The elements of all `sources`, as they come.
    ///
    ///     let input = Observable.merge([keyboard, mouse])
    ///
    /// Completes when all have; the first error ends everything.
    ///
    /// - Complexity: One allocation per subscription and one for each source that is not `just`, none per element.
    @inlinable
    public static func merge<Sources: Collection>(_ sources: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        merging(sources)
    }

    /// The elements of all `sources`, as they come. Completes when all have; the first error ends everything.
    ///
    /// - Complexity: One allocation per subscription and one for each source that is not `just`, none per element.
    @inlinable
    public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> { merging(sources) }

    /// The elements of all `sources`, as they come. Completes when all have; the first error ends everything.
    ///
    /// - Complexity: One allocation per subscription and one for each source that is not `just`, none per element.
    @inlinable
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> { merging(sources) }
}

extension ObservableType {
    @inlinable @inline(__always)
    static func merging<Sources: Collection>(
        named name: StaticString = #function, _ sources: Sources
    ) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        let forward = Input.forwarding(Element.self)
        return Observable.coordinate(state: (), named: name, feeds: sources as? [ObservableBase] ?? []) { coordinator in
            for source in sources where !coordinator.isStopped { coordinator.merge(source, forward) }
            coordinator.sourceClosed()
        }
    }
}

extension Coordinator {
    /// Subscribes to an inner sequence whose elements go downstream as they are.
    @inlinable
    final func merge<Element>(_ source: Observable<Element>, _ forward: @escaping Sink.Next) {
        if source.isScalar {
            var element = source.scalarElement
            return self.forward(&element)
        }
        if source.pour(into: self, through: forward) { return }
        sourceOpened()
        subscribe(source, through: Input(next: forward, coordinator: self, onEnd: Input.mergedSourceEnded))
    }
}

extension Input {
    /// The `next` of an input whose elements go downstream as they are.
    @inlinable @inline(__always)
    static func forwarding<Element>(_ type: Element.Type) -> Sink.Next {
        { address, sink in
            sink.receive(address) { (input: Input, element: inout Element) in input.coordinator.forward(&element) }
        }
    }
}
