extension ObservableType {
    /// Merges the elements of the sequences that `selector` returns.
    ///
    ///     let pages = ids.flatMap { id in load(page: id) }
    ///
    /// Completes when this sequence and all inner sequences have completed. The first error ends the whole sequence.
    /// The inner sequences may run on any threads: their elements are delivered one at a time.
    ///
    /// - Complexity: One allocation per subscription and one for each inner sequence, none per element. No allocation
    ///   for `just`, `empty`, `range`, `of` and `from`. If a source sends a `range`, `of` or `from` sequence during the
    ///   subscription to the source, that sequence takes turns with other work of the thread, which takes two
    ///   allocations.
    // Several times the cost of `map` over `just`: the inner sequence is created and destroyed. It is created on the
    // stack if the compiler sees `selector`. Otherwise it takes a separate allocation, for example if `selector`
    // captures something or returns one of several sequences.
    @_alwaysEmitIntoClient @inline(__always)
    public func flatMap<Source: ObservableConvertibleType>(
        _ selector: @escaping (Element) throws -> Source
    ) -> Observable<Source.Element> {
        let forward = Input.sending(Source.Element.self)
        return coordinate(state: ()) { address, sink in
            sink.receive(address) { (coordinator: Coordinator, element: inout Element) in
                do {
                    let source = try selector(element).asObservable()
                    if source.isScalar {
                        // This code and `emitInline` below are here and not in `merge`, so that such a sequence need
                        // not be allocated.
                        var inner = source.scalarElement
                        // Consumed before the delivery, so that the compiler need not keep the source alive across the
                        // lock.
                        _ = consume source
                        coordinator.send(&inner)
                    } else if !source.emitInline(into: coordinator, through: forward) {
                        coordinator.merge(source, forward)
                    }
                } catch {
                    coordinator.finish(error)
                }
            }
        }
    }
}

extension ObservableType where Element: ObservableConvertibleType {
    /// Delivers the elements of all inner sequences in the order of their arrival.
    ///
    ///     _ = Observable.of(Observable.of(1, 2), Observable.of(11, 12)).merge()
    ///         .subscribe(onNext: { print($0) })  // 1, 2, 11, 12
    ///
    /// Completes when this sequence and all inner sequences have completed. The first error ends the whole sequence.
    ///
    /// - Complexity: One allocation per subscription and one for each inner sequence that is not `just`, none per
    ///   element.
    @_alwaysEmitIntoClient
    public func merge() -> Observable<Element.Element> { flatMap { $0 } }
}

extension ObservableType {
    /// Delivers the elements of all `sources` in the order of their arrival.
    ///
    ///     let input = Observable.merge([keyboard, mouse])
    ///
    /// Completes when all sources have completed. The first error ends the whole sequence.
    ///
    /// - Complexity: One allocation per subscription and one for each source that is not `just`, none per element.
    @_alwaysEmitIntoClient
    public static func merge<Sources: Collection>(_ sources: Sources) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        merging(sources)
    }

    /// Delivers the elements of all `sources` in the order of their arrival. Completes when all sources have completed.
    /// The first error ends the whole sequence.
    ///
    /// - Complexity: One allocation per subscription and one for each source that is not `just`, none per element.
    @_alwaysEmitIntoClient
    public static func merge(_ sources: [Observable<Element>]) -> Observable<Element> { merging(sources) }

    /// Delivers the elements of all `sources` in the order of their arrival. Completes when all sources have completed.
    /// The first error ends the whole sequence.
    ///
    /// - Complexity: One allocation per subscription and one for each source that is not `just`, none per element.
    @_alwaysEmitIntoClient
    public static func merge(_ sources: Observable<Element>...) -> Observable<Element> { merging(sources) }
}

extension ObservableType {
    @_alwaysEmitIntoClient @inline(__always)
    static func merging<Sources: Collection>(
        named name: StaticString = #function, _ sources: Sources
    ) -> Observable<Element>
    where Sources.Element == Observable<Element> {
        let forward = Input.sending(Element.self)
        return Observable.coordinate(state: (), named: name, feeds: sources as? [ObservableBase] ?? []) { coordinator in
            for source in sources where !coordinator.isStopped { coordinator.merge(source, forward) }
            coordinator.finishSource()
        }
    }
}

extension Coordinator {
    /// Subscribes to an inner sequence whose elements go downstream as they are.
    @_alwaysEmitIntoClient
    final func merge<Element>(_ source: Observable<Element>, _ forward: @escaping Sink.Next) {
        if source.isScalar {
            var element = source.scalarElement
            return self.send(&element)
        }
        if source.emitInline(into: self, through: forward) { return }
        openSource()
        subscribe(to: source, through: Input(next: forward, coordinator: self, onEnd: Input.finishMergedSource))
    }
}

extension Input {
    /// The `next` of an input whose elements go downstream as they are.
    @_alwaysEmitIntoClient @inline(__always)
    static func sending<Element>(_ type: Element.Type) -> Sink.Next {
        { address, sink in
            sink.receive(address) { (input: Input, element: inout Element) in input.coordinator.send(&element) }
        }
    }
}
