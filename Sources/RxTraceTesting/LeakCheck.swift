import RxTrace

/// What a test has to say of a search for leaks.
struct LeakCheck {
    private let report: GrowthReport
    private let allowances: LeakAllowances

    init(_ report: GrowthReport, allowing allowances: LeakAllowances) {
        self.report = report
        self.allowances = allowances
    }

    /// Why the test fails, with the whole report; `nil` if it passes.
    var failure: String? {
        let record = LeakRecord(report, allowing: allowances)
        let stale = self.stale.map { "stale allowance: \($0)" }
        let heading: String
        switch record.outcome {
        case .clean, .allowed:
            guard !stale.isEmpty else { return nil }
            heading = "An allowance is of no use any more."
        case .leaking: heading = "Each run leaves more behind."
        case .undecided: heading = "Something had not come to rest after the last run. Dispose it or wait for it in the test."
        case .unavailable, .failed: heading = "Leaks cannot be looked for. Leave the check out where 'Resources.isTracing' is false."
        }
        return ([heading, LeakTree().text(of: record)] + stale).joined(separator: "\n")
    }

    /// The entries that should go. One of a file that is for any round trip is judged where it would match, as other tests use it too.
    private var stale: [StaleAllowance] {
        allowances.stale(after: [report]).filter { stale in
            let entry = stale.allowance
            if entry.place == nil { return true }
            if stale.reason == .unmatched { return !entry.scenario.contains("*") }
            return !LeakAllowances([entry]).stale(after: [report], on: entry.until).contains { $0.reason == .unmatched }
        }
    }
}
