/// The findings of searches for leaks as plain data: the content of a report in any format.
///
///     let report = RxTrace.detectGrowth(named: "search") {}
///     let document = LeakDocument([report])
///     print(document.verdict)  // 1 round trip: 1 without growth.
///
/// Its JSON has a version; its schema is `results/schema/leaks-v1.schema.json`.
public struct LeakDocument: Codable, Sendable, Equatable {
    /// The version of the format that this build writes.
    public static let currentSchemaVersion = 1

    /// The version of the format.
    public let schemaVersion: Int
    /// One report for each round trip, in the order in which they ran.
    public let scenarios: [GrowthReport]
    /// The entries of the allow-list that should go, a sentence each.
    public let staleAllowances: [String]

    /// A document of `scenarios` in the current format.
    public init(_ scenarios: [GrowthReport], staleAllowances: [StaleAllowance] = []) {
        schemaVersion = Self.currentSchemaVersion
        self.scenarios = scenarios
        self.staleAllowances = staleAllowances.map(\.description)
    }

    /// All in one sentence: `9 round trips: 1 leaking (search/open), 8 without growth.`
    public var verdict: String {
        func names(_ outcome: GrowthReport.Outcome) -> [String] {
            scenarios.filter { $0.outcome == outcome }.map(\.name)
        }
        func clause(_ outcome: GrowthReport.Outcome, _ words: String) -> String? {
            let names = names(outcome)
            guard !names.isEmpty else { return nil }
            let shown = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
            return "\(names.count) \(words) (\(shown))"
        }
        let clean = names(.clean).count
        let clauses = [
            clause(.leaking, "leaking"), clause(.failed, "failed"), clause(.undecided, "undecided"),
            clause(.unavailable, "not examined"), clause(.allowed, "allowed to leak"),
            clean > 0 ? "\(clean) without growth" : nil,
            staleAllowances.isEmpty ? nil : .counted(staleAllowances.count, "stale allowance"),
        ]
        return "\(String.counted(scenarios.count, "round trip")): \(clauses.compactMap { $0 }.joined(separator: ", "))."
    }
}

/// A text form of what searches for leaks have found.
///
/// A formatter is a pure function of a document; it reads no clock, no file and no symbol.
public protocol LeakFormat: Sendable {
    /// The name of the format on a command line: `sarif`.
    var name: String { get }
    /// The readers of the format, in a few words.
    var readers: String { get }
    /// The whole text, ending in a line feed. O(*n*) in the number of groups and frames.
    func text(of document: LeakDocument) -> String
}

/// All formats.
public enum LeakFormats {
    /// In the order of a help text.
    public static let all: [any LeakFormat] = [
        LeakTree(), LeakJSON(), FoldedStacks(), Speedscope(), JUnitReport(), SARIFReport(),
    ]

    /// The format called `name`, or `nil`.
    public static func named(_ name: String) -> (any LeakFormat)? { all.first { $0.name == name } }
}
