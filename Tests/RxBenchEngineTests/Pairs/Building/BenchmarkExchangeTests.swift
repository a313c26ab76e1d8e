import Testing

@testable import RxBenchEngine

@Suite("Exchanged benchmarks") struct BenchmarkExchangeTests {
    private var exchange = BenchmarkExchange(of: ["Suite/One.swift", "Suite/Two.swift"]) { $0.hasPrefix("Suite/") }

    /// Returns the exchanged files after a build with this output; `nil` if no exchange can remove the errors.
    private mutating func paths(after output: String) -> Set<String>? {
        exchange.add(after: output, root: "/built") ? exchange.paths : nil
    }

    private func errors(in paths: String...) -> String {
        paths.map { "/built/\($0):7:12: error: value of type 'Work' has no member 'new'\n" }.joined()
    }

    @Test mutating func `the files with errors are exchanged`() {
        let first = paths(after: errors(in: "Suite/One.swift"))
        #expect(first == ["Suite/One.swift"])
        let second = paths(after: errors(in: "Suite/One.swift", "Suite/Two.swift"))
        #expect(second == ["Suite/One.swift", "Suite/Two.swift"])
    }

    @Test(arguments: ["Suite/One.swift", "Suite/Unchanged.swift"])
    mutating func `if a file needs another file's version, all are exchanged`(path: String) {
        _ = exchange.add(["Suite/One.swift"])
        let all = paths(after: errors(in: path))
        #expect(all == ["Suite/One.swift", "Suite/Two.swift"])
        let none = paths(after: errors(in: path))
        #expect(none == nil)
    }

    @Test(arguments: [
        "/built/Suite/One.swift:1:1: error: no member\n/built/Work/Work.swift:1:1: error: no member\n",
        "/built/Harness/Shared.swift:1:1: error: no member\n",
        "/elsewhere/Suite/One.swift:1:1: error: no member\n", "error: emit-module command failed\n",
    ])
    mutating func `an error in other code is no reason for an exchange`(output: String) {
        let exchanged = paths(after: output)
        #expect(exchanged == nil)
        #expect(exchange.paths == [])
    }
}
