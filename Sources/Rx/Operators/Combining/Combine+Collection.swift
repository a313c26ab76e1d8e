extension ObservableType {
    /// The results that `resultSelector` makes of the latest elements of all sequences, whenever one of them has a new
    /// one.
    ///
    ///     let total = Observable.combineLatest(prices) { $0.reduce(0, +) }
    ///
    /// As `combineLatest` for two sequences; the elements come in the order of the collection. Without any sequence it
    /// sends what `resultSelector` makes of no elements, and completes.
    ///
    /// - Complexity: O(*s*) an element of *s* sequences. Two allocations per subscription and one for each sequence;
    ///   per result the array for `resultSelector`.
    // Each result is handed over in an array of its own, which is allocated and filled. Sequences that are given one by
    // one need none.
    @_alwaysEmitIntoClient @inline(__always)
    public static func combineLatest<Sources: Collection>(
        _ collection: Sources, resultSelector: @escaping ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        if collection.isEmpty { return .deferred { .just(try resultSelector([])) } }
        typealias Values = [Sources.Element.Element?]
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, element: inout Sources.Element.Element) in
                let index = input.index
                input.withCoordinator { (coordinator: StatefulCoordinator<Combination<Values>>) in
                    coordinator.combine({ $0[index].fill(&element) }) {
                        try resultSelector($0.state.values.map { $0.unsafelyUnwrapped })
                    }
                }
            }
        }
        let sources = collection.map { CombinedSource($0, next: next) }
        return combining(
            Combination(
                Values(repeating: nil, count: sources.count), count: sources.count, endsEarly: true, release: .last),
            sources)
    }

    /// The latest elements of all sequences, in their order, whenever one of them has a new one.
    ///
    /// - Complexity: O(*s*) an element of *s* sequences. Two allocations per subscription and one for each sequence;
    ///   per result its array.
    @_alwaysEmitIntoClient
    public static func combineLatest<Sources: Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType, Sources.Element.Element == Element {
        Observable<[Element]>.combineLatest(collection) { $0 }
    }

    /// The results that `resultSelector` makes of the first elements of all sequences, then of the second ones, and so
    /// on.
    ///
    ///     let rows = Observable.zip(columns) { $0.joined(separator: ";") }
    ///
    /// As `zip` for two sequences; the elements come in the order of the collection. It completes as well when an
    /// element arrives and every other sequence has completed. Without any sequence it completes at once.
    ///
    /// - Complexity: O(*s*) a result of *s* sequences. Two allocations per subscription and one for each sequence; per
    ///   result the array for `resultSelector`, and where a queue grows.
    // An array for each result, as `combineLatest`.
    @_alwaysEmitIntoClient @inline(__always)
    public static func zip<Sources: Collection>(
        _ collection: Sources, resultSelector: @escaping ([Sources.Element.Element]) throws -> Element
    ) -> Observable<Element> where Sources.Element: ObservableType {
        typealias Values = [ZipQueue<Sources.Element.Element>]
        let next: Sink.Next = { address, sink in
            sink.receive(address) { (input: Input, element: inout Sources.Element.Element) in
                let index = input.index
                input.withCoordinator { (coordinator: StatefulCoordinator<Combination<Values>>) in
                    coordinator.combine({ $0[index].add(element) }) { coordinator in
                        try resultSelector(
                            coordinator.state.values.indices.map { index in coordinator.take { $0[index].take() } })
                    }
                }
            }
        }
        let sources = collection.map { CombinedSource($0, next: next) }
        return combining(
            Combination(
                Values(repeating: ZipQueue(), count: sources.count), count: sources.count, endsEarly: true,
                release: .firstIfCompleted),
            sources)
    }

    /// The first elements of all sequences, in their order, then the second ones, and so on.
    ///
    /// - Complexity: O(*s*) a result of *s* sequences. Two allocations per subscription and one for each sequence; per
    ///   result its array, and where a queue grows.
    @_alwaysEmitIntoClient
    public static func zip<Sources: Collection>(_ collection: Sources) -> Observable<[Element]>
    where Sources.Element: ObservableType, Sources.Element.Element == Element {
        Observable<[Element]>.zip(collection) { $0 }
    }
}
