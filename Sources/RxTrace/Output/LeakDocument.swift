/// What searches for leaks have found, as plain data: the content of a report in any format.
///
///     let report = RxTrace.detectGrowth(named: "search") {}
///     let document = LeakDocument([LeakRecord(report)])
///     print(document.verdict)  // 1 round trip: 1 without growth.
///
/// Its JSON has a version; its schema is `results/schema/leaks-v1.schema.json`.
public struct LeakDocument: Codable, Sendable, Equatable {
    /// The version of the format that this build writes.
    public static let currentSchemaVersion = 1

    /// The version of the format.
    public let schemaVersion: Int
    /// One record for each round trip, in the order in which they ran.
    public let scenarios: [LeakRecord]
    /// The entries of the allow-list that should go, a sentence each.
    public let staleAllowances: [String]

    /// A document of `scenarios` in the current format.
    public init(_ scenarios: [LeakRecord], staleAllowances: [StaleAllowance] = []) {
        schemaVersion = Self.currentSchemaVersion
        self.scenarios = scenarios
        self.staleAllowances = staleAllowances.map(\.description)
    }

    /// All in one sentence: `9 round trips: 1 leaking (search/open), 8 without growth.`
    public var verdict: String {
        func names(_ outcome: LeakRecord.Outcome) -> [String] { scenarios.filter { $0.outcome == outcome }.map(\.name) }
        func clause(_ outcome: LeakRecord.Outcome, _ words: String) -> String? {
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
