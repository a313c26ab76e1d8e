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

    /// Compares the benchmarks called `ids`. One that fails does not stop the others, and one that a side lacks is part of the result; where head alone has it,
    /// it is measured once, so that it is known to work.
    ///
    /// - Parameter catalog: What each side has.
    /// - Throws: ``Interrupted`` when a signal arrived, ``BuildFailure`` when an image cannot be linked. Nothing is left running then.
    public func run(_ ids: [String], in catalog: PairedCatalog) throws -> PairedMeasurements {
        var generator = SeededGenerator(seed: options.seed)
        let shared = ids.filter { catalog.missingSide(of: $0) == nil }
        let controls = Array(shared.shuffled(using: &generator).prefix(Self.mostControls))
        let plan = PairedPlan(comparisons: max(1, shared.count), controls: controls.count, totalSeconds: options.totalSeconds, layouts: options.layouts)
        let pairs = try link(plan.layouts)
        var session = PairedSession(ids: shared, controls: controls, plan: plan, options: options)
        let begin = MonotonicClock.nanoseconds
        try countExactly(shared, pairs, &session)
        let lonely = try ids.filter { !shared.contains($0) }.map { id in
            try lookAlone(PairedCollection(id: id, layouts: plan.layouts, missingSide: catalog.missingSide(of: id)), pairs, seed: generator.next())
        }
        session.start = MonotonicClock.nanoseconds
        for sweep in 1...plan.sweeps where !shared.isEmpty {
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
        return session.measurements(of: ids, lonely, seconds: Double(MonotonicClock.nanoseconds - begin) / 1e9)
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

    private func countExactly(_ ids: [String], _ pairs: [Pair], _ session: inout PairedSession) throws {
        for (index, id) in ids.enumerated() {
            progress(session.progress(id))
            try count(.exact, of: &session.collections[index], pairs[0])
        }
    }

    /// What one side alone has is counted, and timed against itself in another layout, so that a failure shows.
    private func lookAlone(_ collection: PairedCollection, _ pairs: [Pair], seed: UInt64) throws(Interrupted) -> PairedResult {
        var collection = collection
        guard collection.missingSide == .base else { return collection.result(nil) }
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        let reply = try launcher.count(.exact, image: pairs[0].head, id: collection.id)
        if let failure = reply.failure { collection.fail(failure, in: .head) }
        collection.exact = Self.compare([], reply.exact)
        let request = PairRequest(
            base: pairs[0].head, head: pairs[1].head, id: collection.id, budgetNanoseconds: 0, seed: seed,
            arrangement: options.isInTwoProcesses ? .twoProcesses : .oneProcess)
        var measured = try launcher.reply(to: request)
        if measured.failedSide != nil { measured.failedSide = .head }
        collection.add(measured, layout: 0)
        return collection.result(nil)
    }

    /// Instructions tell a change of the code from one of its place: they are counted where the time changed, as callgrind takes a second or more.
    private func countInstructions(_ pairs: [Pair], _ session: inout PairedSession) throws(Interrupted) {
        for index in session.changed.prefix(Self.mostInstructionCounts) {
            progress(session.progress(session.collections[index].id))
            try count(.instructions, of: &session.collections[index], pairs[0])
        }
    }

    private func count(_ pass: WorkerRequest.Pass, of collection: inout PairedCollection, _ pair: Pair) throws(Interrupted) {
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        let base = try launcher.count(pass, image: pair.base, id: collection.id)
        let head = try launcher.count(pass, image: pair.head, id: collection.id)
        if let failure = base.failure { collection.fail(failure, in: .base) }
        if let failure = head.failure { collection.fail(failure, in: .head) }
        collection.exact += Self.compare(base.exact, head.exact)
    }

    static func compare(_ base: [ExactSeries], _ head: [ExactSeries]) -> [ExactComparison] {
        head.map { series in
            let before = base.first { $0.definition == series.definition }?.metric
            return ExactComparison(before ?? .unavailable(series.definition, .exact, because: "this side does not count it"), series.metric)
        }
    }

    private func measure(_ visit: Visit, _ pairs: [Pair], seed: UInt64, _ session: inout PairedSession) throws(Interrupted) {
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
