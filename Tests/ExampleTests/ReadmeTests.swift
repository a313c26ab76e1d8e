import Foundation
import Testing

/// The README is short, and its figures are equal to the figures in the stored result that it names.
@Suite struct ReadmeTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardized

    @Test func itIsOfAScreenAndAHalf() throws {
        #expect(try Self.readme().split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    }

    @Test func everyFigureOfItsTable_isThatOfTheFileItNames() throws {
        let readme = try Self.readme()
        let file = try #require(
            readme.firstMatch(of: /`(results\/linux[\w\/.-]+\.json)`/), "The README names no result.")
        let stored = try JSONDecoder().decode(
            Stored.self, from: Data(contentsOf: Self.package.appending(path: String(file.1))))
        let rows = Self.rows(in: readme)
        #expect(rows.count >= 10)
        for row in rows { #expect(row.figures == stored.figures(of: row.id), "\(row.id)") }
    }

    @Test func theTimeThatMeasuringTook_isThatOfTheFileItNames() throws {
        for page in ["README.md", "CONTRIBUTING.md"] {
            let text = try String(contentsOf: Self.package.appending(path: page), encoding: .utf8)
            let (seconds, file) = try #require(Self.measuring(in: text), "\(page) names no run.")
            let stored = try JSONDecoder().decode(
                Stored.self, from: Data(contentsOf: Self.package.appending(path: file)))
            #expect(stored.run.arguments == ["run"], "\(page): '\(file)'")
            #expect(seconds == stored.run.durationSeconds.formatted(.number.precision(.fractionLength(0))), "\(page)")
        }
        let planted = Self.measuring(in: "Measuring took 7 s in\n`results/a.json`. It took 8 s.")
        #expect(planted?.seconds == "7" && planted?.file == "results/a.json")
        #expect(Self.measuring(in: "Measuring took about two minutes.") == nil)
    }

    /// Returns the duration of a full run that a page states, and the stored result that the page names for it.
    private static func measuring(in text: String) -> (seconds: String, file: String)? {
        text.firstMatch(of: /[Mm]easuring took (\d+) s in\s`(results\/[\w\/.-]+\.json)`/).map {
            (String($0.1), String($0.2))
        }
    }

    @Test func figuresAreRead_andAWrongOneIsFound() {
        let rows = Self.rows(in: "| `operator/a` | 0.0004 | 2,120 |\n| `Sources/Rx` | the core |")
        #expect(rows.map(\.id) == ["operator/a"])
        let stored = Stored(
            run: Stored.Run(arguments: ["run"], durationSeconds: 1),
            benchmarks: [
                Stored.Benchmark(
                    id: "operator/a", operations: 10_000,
                    figures: ["allocations": Stored.Figure(value: 4), "instructions": Stored.Figure(value: 21_182_020)])
            ])
        #expect(rows.first?.figures == stored.figures(of: "operator/a"))
        #expect(Self.rows(in: "| `operator/a` | 0 | 2,120 |").first?.figures != stored.figures(of: "operator/a"))
        #expect(stored.figures(of: "operator/gone") == [])
    }

    /// Returns the rows of a table that begin with a benchmark's ID, and the figures in them.
    private static func rows(in text: String) -> [(id: String, figures: [String])] {
        text.matches(of: /(?m)^\| `((?:operator|scheduler|race)\/[^`]+)` \| ([^|]+) \| ([^|]+) \|$/).map {
            (String($0.1), [String($0.2), String($0.3)])
        }
    }

    private static func readme() throws -> String {
        try String(contentsOf: package.appending(path: "README.md"), encoding: .utf8)
    }

    /// The counts of a stored result, and the duration of its run.
    private struct Stored: Decodable {
        struct Run: Decodable {
            let arguments: [String]
            let durationSeconds: Double
        }

        struct Benchmark: Decodable {
            let id: String
            let operations: Double
            let figures: [String: Figure]
        }

        /// A plain number if all readings of a metric agree.
        struct Figure: Decodable {
            private enum CodingKeys: CodingKey { case value }
            let value: Double?

            init(value: Double?) { self.value = value }

            init(from decoder: any Decoder) throws {
                if let plain = try? decoder.singleValueContainer().decode(Double.self) {
                    value = plain
                } else {
                    value = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Double.self, forKey: .value)
                }
            }
        }

        let run: Run
        let benchmarks: [Benchmark]

        /// Returns the allocations and instructions per operation, with three digits.
        func figures(of id: String) -> [String] {
            guard let benchmark = benchmarks.first(where: { $0.id == id }) else { return [] }
            return ["allocations", "instructions"].compactMap { name in
                benchmark.figures[name]?.value.map { text($0 / benchmark.operations) }
            }
        }

        private func text(_ figure: Double) -> String {
            figure.formatted(
                .number.precision(.significantDigits(1...3)).locale(Locale(identifier: "en_US")).grouping(.automatic))
        }
    }
}
