import Foundation
import RxBench
import Synchronization

/// Compares benchmarks of two compiled sides. Short processes sweep over all layouts in random order, until each
/// comparison is settled or the time is spent. As a control, base is also compared with itself.
package struct PairedRunner {
    private let launcher: any PairLauncher
    private let options: PairedOptions
    private let base, head, newest: BuiltImage
    private let progress: (RunProgress) -> Void
    /// The largest number of benchmarks for which base is measured against itself.
    static let mostControls = 4
    /// The largest number of changed benchmarks for which instructions are counted.
    static let mostInstructionCounts = 20
    // These layout numbers are far from the layout numbers of the comparison itself.
    private static let controlLayouts = 1_000
    private static let twinLayouts = 2_000

    /// Creates a runner that starts `executable` (the running tool) again as its workers.
    ///
    /// - Parameters:
    ///   - newest: Head with its own benchmarks, if `head` may have base's version of some.
    ///   - progress: Called on the caller's thread before each process and each link.
    package init(
        executable: String, options: PairedOptions, base: BuiltImage, head: BuiltImage, newest: BuiltImage? = nil,
        progress: @escaping (RunProgress) -> Void = { _ in }
    ) {
        launcher = PairProcessLauncher(
            executable: executable, timeoutSeconds: options.timeoutSeconds, allocator: options.allocator)
        self.options = options
        self.base = base
        self.head = head
        self.newest = newest ?? head
        self.progress = progress
    }

    /// Compares the benchmarks with the IDs `ids`. A benchmark that fails does not stop the others, and a benchmark
    /// that a side lacks is part of the result. A benchmark that only head has is measured once, to show that it works.
    ///
    /// - Parameter catalog: The benchmarks of each side.
    /// - Throws: ``Interrupted`` if a signal arrived, ``BuildFailure`` if an image cannot be linked. No process is left
    ///   running.
    package func run(_ ids: [String], in catalog: PairedCatalog) throws -> PairedMeasurements {
        let begin = MonotonicClock.nanoseconds
        if !options.measuresIdenticalCode, try isIdentical() { return identical(ids, catalog) }
        var generator = SeededGenerator(seed: options.seed)
        let shared = ids.filter { catalog.missingSide(of: $0) == nil }
        let controls = Array(shared.shuffled(using: &generator).prefix(Self.mostControls))
        let plan = plan(comparing: shared.count)
        let form: LinkCommand.Form = options.arrangement == .twoPrograms ? .program : .image
        var (pairs, linkingSeconds) = try link(0..<plan.layouts, as: form, remainingSeconds: options.totalSeconds)
        // The control uses base in further layouts.
        let controlImages = try (0..<plan.layouts).map { try base.linked(layout: Self.controlLayouts + $0, as: form) }
        // Counts are the same in an image as in a program.
        let counting = form == .image ? pairs : try link(0..<1, as: .image, remainingSeconds: 0).pairs
        let counted = try countExactly(shared, counting, catalog)
        let single = ids.filter { !shared.contains($0) }
        let images = try newest.key == head.key || single.isEmpty ? counting.map(\.head) : (0..<2).map(newest.image)
        let lonely = try single.map { id in try lookAlone(id, catalog, images, seed: generator.next()) }
        var session = PairedSession(counted, controls: controls, plan: plan, options: options)
        var sweep = 0
        while !session.isSettled, sweep == 0 || !session.isLate {
            sweep += 1
            let parts = session.parts(sweep: sweep)
            for (part, visits) in parts.enumerated() {
                for visit in visits.shuffled(using: &generator) where !session.isDone(visit.index) {
                    // The first sweep is always completed, so that each benchmark has at least one process for each
                    // layout even on a slow machine.
                    if sweep > 1, session.isLate { break }
                    let pair = pairs[visit.layout]
                    let head = visit.isControl ? controlImages[visit.layout] : pair.head
                    try measure(visit, Pair(base: pair.base, head: head), seed: generator.next(), &session)
                }
                if sweep == 1, part == 0, parts.count > 1 {
                    session.lookAtBound()
                    continue
                }
                guard session.look() else { continue }
                let further = session.furtherLayouts(linkingSeconds: linkingSeconds ?? Self.usualLinkingSeconds)
                let numbers = session.layouts..<session.layouts + further
                let linked = try link(numbers, as: form, remainingSeconds: session.remainingSeconds)
                pairs += linked.pairs
                linkingSeconds = linked.secondsEach ?? linkingSeconds
                session.add(layouts: further)
                // The next sweep begins with the new layouts.
                if further > 0 { break }
            }
        }
        session.finish()
        try countInstructions(counting, &session)
        return session.measurements(of: ids, lonely, seconds: Double(MonotonicClock.nanoseconds - begin) / 1e9)
    }

    /// Returns the number of link orders that are needed to find any of the benchmarks in `ids` changed, even if the
    /// change is large.
    package static func layouts(toConvince ids: [String], in catalog: PairedCatalog) -> Int {
        PairedPlan.layouts(toConvince: ids.count { catalog.missingSide(of: $0) == nil })
    }

    /// Returns the longest time that measuring the benchmarks in `ids` can take. This is the requested time, or the
    /// time of one process of each benchmark in every link order if that is longer.
    package func longestSeconds(_ ids: [String], in catalog: PairedCatalog) -> Double {
        let count = ids.count { catalog.missingSide(of: $0) == nil }
        let least = plan(comparing: count).seconds(comparisons: count, controls: min(count, Self.mostControls))
        return max(options.totalSeconds, least)
    }

    private func plan(comparing count: Int) -> PairedPlan {
        PairedPlan(
            comparisons: max(1, count), controls: min(count, Self.mostControls), totalSeconds: options.totalSeconds,
            layouts: options.layouts, isBounded: options.noSlowerThan != nil)
    }

    /// Returns whether both sides have the same machine code. This is the case if their images of one link order, which
    /// contain no symbols, are equal byte by byte.
    private func isIdentical() throws -> Bool {
        if base.key == head.key { return true }
        return FileManager.default.contentsEqual(atPath: try base.image(layout: 0), andPath: try head.image(layout: 0))
    }

    /// Returns the result for sides with the same machine code. Benchmarks that both sides have are reported as the
    /// same without a measurement.
    private func identical(_ ids: [String], _ catalog: PairedCatalog) -> PairedMeasurements {
        let results = ids.map { id in
            let side = catalog.missingSide(of: id)
            return PairedResult(
                id: id, quantity: .time, operations: 1, isMissingInBase: side == .base, isMissingInHead: side == .head,
                verdict: side == nil ? .same : nil)
        }
        return PairedMeasurements(
            results: results, controls: [], layouts: 0, seconds: 0, noSlowerThan: options.noSlowerThan,
            isIdenticalCode: true)
    }

    /// The images of one layout.
    private struct Pair {
        let base, head: String
    }

    /// The assumed time for linking a pair if all pairs so far came from the cache.
    private static let usualLinkingSeconds = 1.0

    /// Links both sides of each of the layouts `numbers` at the same time. `remainingSeconds` is the time that is left
    /// for measuring. The result `secondsEach` is the mean time of a pair that was not in the cache, or `nil` if all
    /// pairs were in the cache.
    private func link(
        _ numbers: Range<Int>, as form: LinkCommand.Form, remainingSeconds: Double
    ) throws -> (pairs: [Pair], secondsEach: Double?) {
        // Equal sides have equal files, and a file is loaded only once. In this case head therefore gets different
        // layouts.
        let twins = base.key == head.key ? Self.twinLayouts : 0
        var linked = (count: 0, seconds: 0.0)
        let pairs = try numbers.map { layout in
            if let signal = Interruption.signal { throw Interrupted(signal: signal) }
            progress(
                RunProgress(
                    id: "linking layouts", elapsedSeconds: options.totalSeconds - remainingSeconds,
                    remainingSeconds: remainingSeconds + Double(numbers.upperBound - layout), mayEndSooner: true))
            let sides = [(image: base, layout: layout), (image: head, layout: twins + layout)]
            let isCached = sides.allSatisfy { $0.image.isLinked(layout: $0.layout, as: form) }
            let begin = MonotonicClock.nanoseconds
            let images = Mutex<[Int: Result<String, any Error>]>([:])
            DispatchQueue.concurrentPerform(iterations: sides.count) { side in
                let image = Result { try sides[side].image.linked(layout: sides[side].layout, as: form) }
                images.withLock { $0[side] = image }
            }
            if !isCached {
                linked.count += 1
                linked.seconds += Double(MonotonicClock.nanoseconds - begin) / 1e9
            }
            let paths = try images.withLock { $0 }.sorted { $0.key < $1.key }.map { try $0.value.get() }
            return Pair(base: paths[0], head: paths[1])
        }
        return (pairs, linked.count == 0 ? nil : linked.seconds / Double(linked.count))
    }

    private func countExactly(
        _ ids: [String], _ pairs: [Pair], _ catalog: PairedCatalog
    ) throws(Interrupted) -> [CountedBenchmark] {
        var counted: [CountedBenchmark] = []
        let begin = MonotonicClock.nanoseconds
        for (done, id) in ids.enumerated() {
            showCounting("counting in \(id)", done, of: ids.count, since: begin, further: options.totalSeconds)
            counted.append(
                try CountedBenchmark(id: id, operations: catalog.operations(of: id)) { (process) throws(Interrupted) in
                    // Each process uses a different link order, because the position of the code affects how threads
                    // interleave.
                    try count(.exact, id, pairs[process % pairs.count])
                })
        }
        return counted
    }

    /// Counts a benchmark that only one side has, and times it against itself in another layout so that a failure is
    /// detected.
    ///
    /// - Parameter images: Images of head in different layouts.
    private func lookAlone(
        _ id: String, _ catalog: PairedCatalog, _ images: [String], seed: UInt64
    ) throws(Interrupted) -> PairedResult {
        let side = catalog.missingSide(of: id)
        guard side == .base else {
            return PairedCollection(id: id, layouts: images.count, missingSide: side)
                .result(nil, margin: options.margin)
        }
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        let counts = try launcher.count(.exact, image: images[0], id: id)
        let quantity = PairedQuantity.all(recordsLatencies: counts.recordsLatencies ?? false)[0]
        var collection = PairedCollection(
            id: id, quantity: quantity, operations: catalog.operations(of: id), layouts: images.count,
            missingSide: side)
        if let failure = counts.failure { collection.fail(failure, in: .head) }
        collection.exact = ExactComparison.all([], [counts.exact])
        let request = PairRequest(
            base: images[0], head: images[images.count > 1 ? 1 : 0], id: id, budgetNanoseconds: 0, seed: seed,
            arrangement: options.arrangement == .oneProcess && images.count > 1 ? .oneProcess : .twoProcesses)
        var measured = try launcher.reply(to: request)
        if measured.failedSide != nil { measured.failedSide = .head }
        collection.add(measured, layout: 0)
        return collection.result(nil, margin: options.margin)
    }

    /// Counts instructions, which distinguish a change of the code from a change of its position in memory. They are
    /// counted only for benchmarks whose time changed, because callgrind takes a second or more.
    private func countInstructions(_ pairs: [Pair], _ session: inout PairedSession) throws(Interrupted) {
        let places = session.changed.prefix(Self.mostInstructionCounts)
        let begin = MonotonicClock.nanoseconds
        for (done, place) in places.enumerated() {
            let id = session.collections[place].id
            showCounting("counting instructions of \(id)", done, of: places.count, since: begin, further: 0)
            let (base, head) = try count(.instructions, id, pairs[0])
            session.add(ExactComparison.all([base.exact], [head.exact]), at: place)
        }
    }

    /// Reports the progress of counting: `done` of `count` benchmarks since `begin`, followed by `further` seconds.
    private func showCounting(_ text: String, _ done: Int, of count: Int, since begin: UInt64, further: Double) {
        let elapsed = Double(MonotonicClock.nanoseconds - begin) / 1e9
        let each = done == 0 ? Self.usualCountingSeconds : elapsed / Double(done)
        progress(
            RunProgress(
                id: text, elapsedSeconds: elapsed, remainingSeconds: Double(count - done) * each + further,
                mayEndSooner: further > 0))
    }

    /// The assumed time for counting a benchmark before the first benchmark has been counted.
    private static let usualCountingSeconds = 1.0

    private func count(
        _ pass: WorkerRequest.Pass, _ id: String, _ pair: Pair
    ) throws(Interrupted) -> (base: WorkerReply, head: WorkerReply) {
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        return (try launcher.count(pass, image: pair.base, id: id), try launcher.count(pass, image: pair.head, id: id))
    }

    private func measure(
        _ visit: Visit, _ pair: Pair, seed: UInt64, _ session: inout PairedSession
    ) throws(Interrupted) {
        if let signal = Interruption.signal { throw Interrupted(signal: signal) }
        let id = session.id(visit.index)
        progress(session.progress(id))
        let request = PairRequest(
            base: pair.base, head: pair.head, id: id,
            budgetNanoseconds: session.sliceNanoseconds(visit.index), seed: seed,
            arrangement: options.arrangement, operations: session.operations(visit.index))
        let begin = MonotonicClock.nanoseconds
        let reply = try launcher.reply(to: request)
        session.add(reply, visit, seconds: Double(MonotonicClock.nanoseconds - begin) / 1e9)
    }
}

/// One process of a comparison.
struct Visit: Equatable {
    /// The benchmark's index. Controls follow the other benchmarks.
    let index: Int
    let layout: Int
    let isControl: Bool
}
