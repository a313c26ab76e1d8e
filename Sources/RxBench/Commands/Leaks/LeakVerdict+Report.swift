import RxBenchReport
import RxTrace

extension LeakVerdict {
    /// What a search has found, for a page.
    init(_ report: GrowthReport) {
        let outcome: Outcome =
            switch report.outcome {
            case .clean: .clean
            case .leaking: .leaking
            case .allowed: .allowed
            case .undecided: .undecided
            case .unavailable: .unavailable
            case .failed: .failed
            }
        let groups = report.groups.filter { $0.verdict != .clean }.map { group in
            group.headline + (group.allowance.map { "; allowed until \($0.until): \($0.reason)" } ?? "")
        }
        let gaps = report.unavailable.map { "\($0.subject) unavailable: \($0.reason)" }
        let pending = report.pendingWork.isEmpty ? nil : "\(report.pendingWork)"
        self.init(
            name: report.name, outcome: outcome, findings: [report.failure, pending].compactMap(\.self) + groups + gaps)
    }
}
