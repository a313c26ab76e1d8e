import Rx

/// One detection under way: the counts so far, and whether another run is needed.
struct GrowthSearch {
    private let name: String
    private let rule: GrowthRule
    private let baseline = ResourceSnapshot()
    private var snapshots: [ResourceSnapshot] = []
    private var target: Int
    private var wasSteady = true
    /// Whether another run is needed.
    private(set) var isOpen = true

    init(name: String, runs: Int, maximumRuns: Int) {
        precondition(runs >= 16, "A detection looks at '\(runs)' runs. Use 16 or more.")
        precondition(maximumRuns >= runs, "A detection of '\(runs)' runs has at most '\(maximumRuns)'. Use '\(runs)' or more.")
        self.name = name
        rule = GrowthRule(firstRuns: runs, maximumRuns: maximumRuns)
        target = rule.warmUpRuns + runs
        snapshots.reserveCapacity(target)
    }

    /// The counts after the last run, or before the first.
    var latest: ResourceSnapshot { snapshots.last ?? baseline }

    mutating func record(_ snapshot: ResourceSnapshot, isSteady: Bool) {
        snapshots.append(snapshot)
        wasSteady = isSteady
        if snapshot.total == nil { return isOpen = false }
        guard snapshots.count >= target else { return }
        let needed = steps.map { if case .runUntil(let runs) = $0.step { runs } else { 0 } }.max() ?? 0
        target = needed
        isOpen = needed > snapshots.count
    }

    /// What the rule says of each kind, and the counts over the baseline.
    private var steps: [(kind: Resources.Kind, counts: [Int], step: GrowthRule.Step)] {
        Resources.Kind.allCases.map { kind in
            let counts = snapshots.map { $0.difference(from: baseline).change(of: kind) ?? 0 }
            return (kind, counts, rule.step(after: counts, baseline: 0))
        }
    }

    var report: GrowthReport {
        if latest.total == nil {
            return GrowthReport(name: name, runs: snapshots.count, groups: [], unavailable: [.resources])
        }
        return GrowthReport(name: name, runs: snapshots.count, groups: steps.map { kind, counts, step in
            guard case .decided(let verdict) = step else { preconditionFailure("A search ends when all is decided.") }
            let isPending = !wasSteady && !verdict.isGrowing && verdict != .clean
            return GrowthGroup(subject: .kind(kind), counts: counts, verdict: isPending ? .pending : verdict)
        })
    }
}

extension GrowthReport.Unavailable {
    static let resources = Self(
        subject: "resources", reason: "this build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'.")
}
