import OpenCombine

extension PublishedLeak {
    /// A common report about `@Published` of Combine: a model sinks its own property and captures `self` in the sink.
    /// The published mend is `[weak self]`.
    static let publishedProperty = PublishedLeak(
        name: "published-property",
        expected: Expectation(
            "FilterModel", heldBy: "FilterModel.bag", "FilterModel.query", "FilterModel._query",
            change: "closure in FilterModel.bind()"),
        innocents: { count in
            (0..<count).map { _ in
                let model = FilterModel()
                model.bindWeakly()
                return model
            }
        },
        leaky: .synchronous {
            let model = FilterModel()
            model.bind()
            model.query = "sw"
        },
        fixed: .synchronous {
            let model = FilterModel()
            model.bindWeakly()
            model.query = "sw"
        })
}

private final class FilterModel: OpenCombine.ObservableObject {
    @OpenCombine.Published var query = ""
    @OpenCombine.Published private(set) var matches: [String] = []
    private var bag = Set<AnyCancellable>()
    private let words = ["swift", "swallow", "eagle"]

    func bind() {
        $query
            .removeDuplicates()
            .sink { query in self.matches = self.words.filter { $0.hasPrefix(query) } }
            .store(in: &bag)
    }

    func bindWeakly() {
        $query
            .removeDuplicates()
            .sink { [weak self] query in
                guard let self else { return }
                matches = words.filter { $0.hasPrefix(query) }
            }
            .store(in: &bag)
    }
}
