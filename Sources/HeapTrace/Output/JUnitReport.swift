/// A report in JUnit's XML, which CI systems display. It has a test case for each round trip.
///
/// A leak is a failure. A round trip that is inconclusive or not judged is an error. An allowed leak is skipped.
public struct JUnitReport: LeakFormat {
    /// `junit`.
    public let name = "junit"
    /// The readers of the format.
    public let readers = "Jenkins, GitLab, and other tools that show tests"

    /// The format.
    public init() {}

    /// One suite, called `leaks`.
    public func text(of document: LeakDocument) -> String {
        JUnitSuite(
            name: "leaks", cases: document.scenarios.map(Self.check),
            notes: document.staleAllowances.map { "stale allowance: \($0)" }
        ).text
    }

    private static func check(_ record: GrowthReport) -> JUnitSuite.Case {
        let parts = record.name.split(separator: "/", maxSplits: 1)
        let (group, name) = parts.count == 2 ? (String(parts[0]), String(parts[1])) : ("leaks", record.name)
        return JUnitSuite.Case(group: group, name: name, seconds: record.seconds ?? 0, result: result(of: record))
    }

    private static func result(of record: GrowthReport) -> JUnitSuite.Case.Result {
        let details = LeakTree().text(of: record)
        switch record.outcome {
        case .clean: return .passed
        case .found:
            let message = record.leaks.map(\.headline).joined(separator: "; ")
            return .failed(type: "leak", message: message, details: details)
        case .inconclusive:
            return .noVerdict(type: "inconclusive", message: record.whyInconclusive, details: details)
        case .notJudged: return .noVerdict(type: "not judged", message: record.notLookedAt, details: details)
        case .failed: return .noVerdict(type: "failed", message: record.failure ?? "", details: details)
        case .allowed:
            let reasons = record.groups.compactMap { group in
                group.allowance.map { "\(group.title) may leak until \($0.until): \($0.reason)" }
            }
            return .allowed(message: reasons.joined(separator: "; "))
        }
    }
}
