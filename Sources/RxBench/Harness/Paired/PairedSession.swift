import RxBenchStatistics

/// The state of one comparison of two sides.
struct PairedSession {
    let plan: PairedPlan
    let comparisons: Int
    var collections: [PairedCollection]
    var family: PairedFamily
    private var controlFamily: PairedFamily
    private let totalSeconds: Double
    var start = MonotonicClock.nanoseconds
    var completed = 0

    init(ids: [String], controls: [String], plan: PairedPlan, options: PairedOptions) {
        self.plan = plan
        comparisons = ids.count
        totalSeconds = max(options.totalSeconds, plan.seconds(comparisons: ids.count, controls: controls.count))
        collections = (ids + controls).map { PairedCollection(id: $0, layouts: plan.layouts) }
        family = PairedFamily(count: ids.count, significance: PairedOptions.significance, margin: options.margin, precision: options.precision)
        controlFamily = PairedFamily(count: controls.count, significance: PairedOptions.significance, margin: options.margin)
    }

    /// A quarter of the control's layouts takes its turn in each sweep, so that four sweeps have visited all; a single sweep visits all.
    func visits(sweep: Int) -> [Visit] {
        let period = plan.sweeps < 4 ? 1 : Int(1 / PairedPlan.controlShare)
        return collections.indices.flatMap { index in
            (0..<plan.layouts).compactMap { layout in
                let isControl = index >= comparisons
                return isControl && !(layout + sweep).isMultiple(of: period) ? nil : Visit(index: index, layout: layout, isControl: isControl)
            }
        }
    }

    func isDone(_ index: Int) -> Bool {
        collections[index].hasFailed || (index < comparisons && family.findings[index]?.isSettled == true)
    }

    var isLate: Bool { Double(MonotonicClock.nanoseconds - start) / 1e9 > totalSeconds }

    mutating func look(at fraction: Double) { family.look(at: fraction, collections.prefix(comparisons).map(\.units)) }

    /// The comparisons that have changed, the clearest first.
    var changed: [Int] {
        (0..<comparisons).filter { family.findings[$0].map { $0.verdict == .slower || $0.verdict == .faster } ?? false }
            .sorted { abs((family.findings[$0]?.ratio ?? 1) - 1) > abs((family.findings[$1]?.ratio ?? 1) - 1) }
    }

    /// The control is looked at once, at the end.
    mutating func finish() { controlFamily.look(at: 1, collections.dropFirst(comparisons).map(\.units)) }

    func progress(_ id: String) -> RunProgress {
        let elapsed = Double(MonotonicClock.nanoseconds - start) / 1e9
        return RunProgress(
            id: id, completed: Int(min(elapsed, totalSeconds) * 1e3), total: Int(totalSeconds * 1e3), remainingSeconds: max(0, totalSeconds - elapsed))
    }

    /// All results in the order of `ids`; those of the `lonely` ones are known already.
    func measurements(of ids: [String], _ lonely: [PairedResult], seconds: Double) -> PairedMeasurements {
        let results = Dictionary(
            uniqueKeysWithValues: ((0..<comparisons).map { collections[$0].result(family.findings[$0]) } + lonely).map { ($0.id, $0) })
        return PairedMeasurements(
            results: ids.compactMap { results[$0] },
            controls: (comparisons..<collections.count).map { collections[$0].result(controlFamily.findings[$0 - comparisons]) },
            layouts: plan.layouts, seconds: (seconds * 10).rounded() / 10)
    }
}
