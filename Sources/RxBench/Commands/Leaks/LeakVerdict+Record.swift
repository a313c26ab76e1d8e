import RxBenchReport
import RxTrace

extension LeakVerdict {
    /// What `record` says, for a page.
    init(_ record: LeakRecord) {
        let outcome: Outcome =
            switch record.outcome {
            case .clean: .clean
            case .leaking: .leaking
            case .allowed: .allowed
            case .undecided: .undecided
            case .unavailable: .unavailable
            case .failed: .failed
            }
        let groups = record.groups.filter { $0.verdict != .clean }.map { group in
            group.headline + (group.allowance.map { "; allowed until \($0.until): \($0.reason)" } ?? "")
        }
        let gaps = record.unavailable.map { "\($0.subject) unavailable: \($0.reason)" }
        self.init(
            name: record.name, outcome: outcome,
            findings: [record.failure, record.pendingWork].compactMap(\.self) + groups + gaps)
    }
}
