import HeapTrace

/// The outcome of one search, which a case's process sends to the process that prints the table.
struct Finding: Codable {
    /// `found`, `clean` or another outcome of a search.
    let outcome: String
    /// The first line of each leak in the report.
    let headlines: [String]
    /// The report's leaks, without counts that have settled.
    let leaks: String
    /// The whole report.
    let details: String

    init(_ report: GrowthReport) {
        outcome = report.outcome.rawValue
        headlines = report.leaks.map(\.headline)
        leaks = report.leaks.map(\.details).joined(separator: "\n")
        details = report.details
    }

    /// The outcome of a search whose process ended early.
    init(failure: String) { (outcome, headlines, leaks, details) = ("failed", [], "", failure) }

    /// Whether the search has reported a leak.
    var isLeak: Bool { outcome == GrowthReport.Outcome.found.rawValue }

    /// Whether the report on a mended program is right. A search that cannot decide does not count as clean.
    func isClean(except leakOfSystem: String?) -> Bool {
        if outcome == GrowthReport.Outcome.clean.rawValue { return true }
        guard isLeak, let leakOfSystem else { return false }
        return headlines.allSatisfy { $0.contains(leakOfSystem) }
    }

    /// The faults of a report on a leak, compared with the case's expectation; empty if the report is right.
    func faults(of leak: PublishedLeak) -> [String] {
        let expected = leak.expected
        guard isLeak, let headline = headlines.first else { return ["missed"] }
        var faults: [String] = []
        if !leaks.contains(expected.leakedClass) { faults.append("class '\(expected.leakedClass)'") }
        if !expected.holders.contains(where: leaks.contains) { faults.append("holder '\(expected.holders[0])'") }
        if !expected.changes.contains(where: leaks.contains) { faults.append("change '\(expected.changes[0])'") }
        if !([expected.leakedClass] + expected.holders).contains(where: headline.contains) {
            faults.append("headline")
        }
        let advice = headline.split(separator: ": ", maxSplits: 1).dropFirst().first ?? ""
        if !expected.advice.contains(where: advice.contains) { faults.append("advice '\(expected.advice[0])'") }
        faults += leak.alsoReported.filter { !leaks.contains($0) }.map { "second leak '\($0)'" }
        if leaks.contains("Bystanders") || leaks.contains("NeighbourWork") { faults.append("innocents accused") }
        return faults
    }
}
