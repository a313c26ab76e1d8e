import RxBench

/// All suites of a tool. No ID appears twice, and every baseline exists.
package struct Catalog: Sendable {
    /// The suites, in the given order.
    package let suites: [Suite]
    private let byID: [BenchmarkID: Benchmark]

    /// Checks and indexes `suites`. O(*n*) in the number of benchmarks.
    ///
    /// - Throws: ``CatalogError`` if an ID appears twice or a baseline does not exist.
    package init(_ suites: [Suite]) throws(CatalogError) {
        var byID: [BenchmarkID: Benchmark] = [:]
        for benchmark in suites.flatMap(\.benchmarks) {
            guard byID.updateValue(benchmark, forKey: benchmark.id) == nil else { throw .duplicate(benchmark.id) }
        }
        for benchmark in suites.flatMap(\.benchmarks) {
            guard let baseline = benchmark.baseline else { continue }
            guard byID[baseline] != nil, baseline != benchmark.id else {
                throw .unknownBaseline(baseline, of: benchmark.id)
            }
        }
        self.suites = suites
        self.byID = byID
    }

    /// Indexes `suites` without checking them. If benchmarks share an ID, the first one is used.
    init(unchecked suites: [Suite]) {
        self.suites = suites
        byID = Dictionary(suites.flatMap(\.benchmarks).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// All benchmarks, in the order of the suites.
    package var benchmarks: [Benchmark] { suites.flatMap(\.benchmarks) }

    /// The benchmark with the ID `id`, or `nil`. O(1).
    package subscript(id: BenchmarkID) -> Benchmark? { byID[id] }
}

/// The reasons why suites cannot be combined.
package enum CatalogError: Error, Equatable, CustomStringConvertible {
    /// Two benchmarks share an ID.
    case duplicate(BenchmarkID)
    /// The baseline of a benchmark does not exist, or is the benchmark itself.
    case unknownBaseline(BenchmarkID, of: BenchmarkID)

    /// A sentence that describes the error and the remedy.
    package var description: String {
        switch self {
        case .duplicate(let id):
            "Two benchmarks are called '\(id)'. Rename one of them: results are matched by ID."
        case .unknownBaseline(let baseline, let id):
            """
            '\(id)' is relative to '\(baseline)', which is no other benchmark of these suites. Correct \
            'relativeTo:' or add the benchmark.
            """
        }
    }
}
