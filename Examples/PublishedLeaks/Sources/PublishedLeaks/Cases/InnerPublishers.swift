import OpenCombine

extension PublishedLeak {
    /// A common report about `flatMap` of Combine: each query opens an inner stream that never completes, and `flatMap`
    /// keeps all of them. The published mend is `map` and `switchToLatest()`.
    static let innerPublishers = PublishedLeak(
        name: "inner-publishers",
        expected: Expectation(
            "LiveResults", heldBy: "FlatMap", "SearchModel.subscription", "SearchModel.queries",
            change: "SearchModel.init(", "closure in SearchModel.init", "FlatMap", "SearchModel.queries"),
        innocents: { count in (0..<count).map { LiveResults(query: "\($0)") } },
        leaky: .synchronous { SearchModel.merging.search("swift") },
        fixed: .synchronous { SearchModel.switching.search("swift") })
}

private final class LiveResults {
    let query: String
    let results = CurrentValueSubject<[String], Never>([])

    init(query: String) { self.query = query }
}

private final class SearchModel {
    static let merging = SearchModel(switchesToLatest: false)
    static let switching = SearchModel(switchesToLatest: true)

    private let queries = PassthroughSubject<String, Never>()
    private var results: [String] = []
    private var subscription: AnyCancellable?

    init(switchesToLatest: Bool) {
        if switchesToLatest {
            subscription =
                queries
                .map { query in Self.open(query) }
                .switchToLatest()
                .sink { [weak self] in self?.results = $0 }
        } else {
            subscription =
                queries
                .flatMap { query in Self.open(query) }
                .sink { [weak self] in self?.results = $0 }
        }
    }

    func search(_ query: String) { queries.send(query) }

    private static func open(_ query: String) -> AnyPublisher<[String], Never> {
        let live = LiveResults(query: query)
        return live.results.map { results in results + [live.query] }.eraseToAnyPublisher()
    }
}
