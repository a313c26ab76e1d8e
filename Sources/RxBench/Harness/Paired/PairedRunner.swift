import Foundation
import RxBenchStatistics

/// Compares benchmarks of two compiled sides: sweeps of short processes over all layouts in random order, until each comparison is settled or
/// the time is spent, and base against itself beside them.
public struct PairedRunner {
    private let launcher: any PairLauncher
    private let options: PairedOptions
    private let base, head: BuiltImage
    private let progress: (RunProgress) -> Void
    /// Base against itself is measured for so many benchmarks at most.
    static let mostControls = 4
    /// Instructions are counted for so many changed benchmarks at most.
    static let mostInstructionCounts = 20
    // Numbers of layouts far from those of the comparison itself.
    private static let controlLayouts = 1_000
    private static let twinLayouts = 2_000

    /// A runner that starts `executable` (the running tool) again as its workers.
    ///
    /// - Parameter progress: Called on the caller's thread before each process and each link.
    public init(executable: String, options: PairedOptions, base: BuiltImage, head: BuiltImage, progress: @escaping (RunProgress) -> Void = { _ in }) {
        launcher = PairProcessLauncher(executable: executable, timeoutSeconds: options.timeoutSeconds)
        self.options = options
        self.base = base
        self.head = head
        self.progress = progress
    }

    /// Compares the benchmarks called `ids`. One that fails does not stop the others.
    ///
    /// - Throws: ``Interrupted`` when a signal arrived, ``BuildFailure`` when an image cannot be linked. Nothing is left running then.
    public func run(_ ids: [String]) throws -> PairedMeasurements {
        var generator = SeededGenerator(seed: options.seed)
        let controls = Array(ids.shuffled(using: &generator).prefix(Self.mostControls))
        let plan = PairedPlan(comparisons: ids.count, controls: controls.count, totalSeconds: options.totalSeconds, layouts: options.layouts)
        let pairs = try link(plan.layouts)
        var session = Session(ids: ids, controls: controls, plan: plan, options: options)
        let begin = MonotonicClock.nanoseconds
        try countExactly(ids, pairs, &session)
        session.start = MonotonicClock.nanoseconds
        for sweep in 1...plan.sweeps {
            for visit in session.visits(sweep: sweep).shuffled(using: &generator) where !session.isDone(visit.index) {
                // At least one process for each benchmark and layout, however slow the machine is.
                if sweep > 1, session.isLate { break }
                try measure(visit, pairs, seed: generator.next(), &session)
            }
            let isLast = sweep == plan.sweeps || session.isLate
            if isLast || plan.looks.contains(sweep) { session.look(at: isLast ? 1 : Double(sweep) / Double(plan.sweeps)) }
            if isLast || session.family.isSettled { break }
        }
        session.finish()
        try countInstructions(pairs, &session)
        return session.measurements(seconds: Double(MonotonicClock.nanoseconds - begin) / 1e9)
    }

    /// The images of one layout.
    private struct Pair {
        let base, head: String
        /// Base in another layout.
        let control: String
    }

    private func link(_ count: Int) throws -> [Pair] {
        try (0..<count).map { layout in
            if let signal = Interruption.signal { throw Interrupted(signal: signal) }
            progress(RunProgress(id: "linking layouts", completed: 0, total: 1, remainingSeconds: options.totalSeconds + Double(count - layout)))
            // Equal sides have equal files, and a file is loaded once: head's layouts are others then.
            let isSame = base.key == head.key
            return Pair(
                base: try base.image(layout: layout), head: try head.image(layout: isSame ? Self.twinLayouts + layout : layout),
                control: try base.image(layout: Self.controlLayouts + layout))
        }
    }

    private func countExactly(_ ids: [String], _ pairs: [Pair], _ session: inout Session) throws {
        for (index, id) in ids.enumerated() {
            progress(session.progress(id))
            session.collections[index].exact = try count(.exact, id, pairs[0])
        }
    }

    /// Instructions tell a change of the code from one of its place: they are counted where the time changed, as callgrind takes a second or more.
    private func countInstructions(_ pairs: [Pair], _ session: inout Session) throws(Interrupted) {
        for index in session.changed.prefix(Self.mostInstructionCounts) {
            let id = session.collections[index].id
            progress(session.progress(id))
            session.collections[index].exact += try count(.instructions, id, pairs[0])
        }
    }

    private func count(_ pass: WorkerRequest.Pass, _ id: String, _ pair: Pair) throws(Interrupted) -> [ExactComparison] {
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        let base = try launcher.count(pass, image: pair.base, id: id)
        return Self.compare(base.exact, try launcher.count(pass, image: pair.head, id: id).exact)
    }

    static func compare(_ base: [ExactSeries], _ head: [ExactSeries]) -> [ExactComparison] {
        head.map { series in
            let before = base.first { $0.definition == series.definition }?.metric
            return ExactComparison(before ?? .unavailable(series.definition, .exact, because: "this side does not count it"), series.metric)
        }
    }

    private func measure(_ visit: Visit, _ pairs: [Pair], seed: UInt64, _ session: inout Session) throws(Interrupted) {
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        let id = session.collections[visit.index].id
        progress(session.progress(id))
        let pair = pairs[visit.layout]
        let request = PairRequest(
            base: pair.base, head: visit.isControl ? pair.control : pair.head, id: id, budgetNanoseconds: session.plan.sliceNanoseconds, seed: seed,
            arrangement: options.isInTwoProcesses ? .twoProcesses : .oneProcess)
        session.collections[visit.index].add(try launcher.reply(to: request), layout: visit.layout)
        session.completed += 1
    }
}

/// One process of a comparison.
struct Visit: Equatable {
    /// The comparison's place; controls follow the others.
    let index: Int
    let layout: Int
    let isControl: Bool
}

/// The state of one comparison of two sides.
private struct Session {
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

    func measurements(seconds: Double) -> PairedMeasurements {
        PairedMeasurements(
            results: (0..<comparisons).map { collections[$0].result(family.findings[$0]) },
            controls: (comparisons..<collections.count).map { collections[$0].result(controlFamily.findings[$0 - comparisons]) },
            layouts: plan.layouts, seconds: (seconds * 10).rounded() / 10)
    }
}
