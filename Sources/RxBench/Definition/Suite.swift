/// A named list of benchmarks.
///
/// ```swift
/// let parsing = Suite("Parsing", [smallFile, largeFile])
/// print(parsing.benchmarks.map(\.id))  // [parse/file?lines=10, parse/file?lines=10000]
/// ```
public struct Suite: Sendable {
    /// The name of the suite in `rxbench list`.
    public let name: String
    /// The benchmarks, in the order in which reports show them.
    public let benchmarks: [Benchmark]

    /// Creates a suite of `benchmarks`. Duplicate IDs are rejected when suites are combined into a catalogue.
    public init(_ name: String, _ benchmarks: [Benchmark]) {
        self.name = name
        self.benchmarks = benchmarks
    }
}
