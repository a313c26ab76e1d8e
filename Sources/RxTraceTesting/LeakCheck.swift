import RxTrace

/// A test's judgement of a search for leaks.
struct LeakCheck {
    private let report: GrowthReport
    private let stale: [StaleAllowance]

    init(_ report: GrowthReport, allowing allowances: LeakAllowances) {
        self.report = report.allowing(allowances)
        // Entries of a file are for other tests too; those that are written in the test are for it alone.
        stale =
            allowances.stale(after: [self.report]).filter { $0.allowance.place == nil }
            + allowances.stale(after: [self.report], isWhole: false).filter { $0.allowance.place != nil }
    }

    /// Why the test fails, with the whole report; `nil` if it passes.
    var failure: String? {
        let heading: String
        switch report.outcome {
        case .clean, .allowed:
            guard !stale.isEmpty else { return nil }
            heading = "An allowance is of no use any more."
        case .leaking: heading = "Each run leaves more behind."
        case .undecided:
            heading = "Something had not come to rest after the last run. Dispose it or wait for it in the test."
        case .unavailable, .failed:
            heading = "Leaks cannot be looked for. Leave the check out where 'Resources.isTracing' is false."
        }
        return ([heading, LeakTree().text(of: report)] + stale.map { "stale allowance: \($0)" }).joined(separator: "\n")
    }
}
