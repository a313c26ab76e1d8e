/// SARIF 2.1.0, the format of static analysis results: each leak at the line to look at, for code scanning and editors.
///
/// The signature is a partial fingerprint, so that a leak keeps its identity when lines move. An allowed leak is
/// suppressed, with the reason.
public struct SARIFReport: LeakFormat {
    /// `sarif`.
    public let name = "sarif"
    /// The readers of the format.
    public let readers = "GitHub's code scanning, editors"
    private let sourceRoot: String?

    /// The format.
    ///
    /// - Parameter sourceRoot: the folder of the repository; paths below it are written relative to it.
    public init(sourceRoot: String? = nil) { self.sourceRoot = sourceRoot }

    /// One run with a result for each group that grows.
    public func text(of document: LeakDocument) -> String {
        let results = document.scenarios.flatMap { record in
            record.groups.filter(\.verdict.isGrowing).map { Self.result(for: $0, in: record) }
        }
        let stale = document.staleAllowances.map { SARIFLog.Notification.warning("stale allowance: \($0)") }
        return SARIFLog(
            tool: "RxTrace",
            rule: .init(
                id: "leak", name: "Leak", description: "Repeated round trips leave more and more behind.",
                help: "Break the chain of references that the result names, or dispose what it holds."),
            results: results, notifications: document.scenarios.compactMap(Self.notification) + stale,
            sourceRoot: sourceRoot
        ).text
    }

    private static func notification(about record: GrowthReport) -> SARIFLog.Notification? {
        switch record.outcome {
        case .failed: .error("\(record.name): \(record.failure ?? "failed")")
        case .inconclusive: .warning("\(record.name): inconclusive: \(record.whyInconclusive)")
        case .notJudged: .error("\(record.name): not judged: \(record.notLookedAt)")
        case .clean, .found, .allowed: nil
        }
    }

    private static func result(for group: GrowthGroup, in record: GrowthReport) -> SARIFLog.Result {
        var result = SARIFLog.Result(
            message: "\(record.name): \(group.headline)", logicalName: ("\(record.name)/\(group.title)", group.title),
            place: group.sourceLine.map { ($0.file, $0.line) },
            fingerprint: group.signature.map { ("leakSignature/v1", $0) })
        if let frames = group.creationStack?.frames, !frames.isEmpty {
            let locations = frames.map { SARIFLog.Location($0.description, file: $0.file, line: $0.line) }
            result.stacks = [("made at", locations)]
        }
        if let retention = group.retention {
            let steps = retention.steps.map { SARIFLog.Location($0.description, file: $0.file, line: $0.line) }
            result.flow = ("held by", [steps])
        }
        result.suppression = group.allowance.map { "\($0.reason) (until \($0.until))" }
        return result
    }
}
