import RxBench

/// Measures time only. Runs batches of about a millisecond until the budget is spent.
enum TimePass {
    /// The share of the budget that is spent before the first sample counts.
    static let warmUpShare = 0.2
    static let fewestBatches = 3
    static let mostBatches = 20_000

    static func run(
        _ benchmark: Benchmark, baseline: Benchmark?, budgetNanoseconds: UInt64, sampleLimit: Int
    ) throws(PreparedWorkload.Refusal) -> WorkerReply {
        let controlBefore = ControlLoop.measure()
        let workload = try PreparedWorkload(benchmark)
        defer { workload.tearDown() }
        let start = MonotonicClock.nanoseconds
        let candidate = try Batch(calibrating: workload)
        let reference: Batch? =
            if let baseline {
                try blaming(baseline) { () throws(PreparedWorkload.Refusal) in
                    try Batch(calibrating: PreparedWorkload(baseline))
                }
            } else { nil }
        defer { reference?.workload.tearDown() }
        try warmUp(candidate, reference, until: start + UInt64(Double(budgetNanoseconds) * warmUpShare))

        let usage = ResourceUsage.now()
        let series = try measure(candidate, reference, until: start + budgetNanoseconds)
        let usageAfter = ResourceUsage.now()
        if workload.recordsLatencies, workload.latencies.count == 0 { throw .noLatency }
        try workload.check(after: .last)
        if let reference, let baseline {
            try blaming(baseline) { () throws(PreparedWorkload.Refusal) in try reference.workload.check(after: .last) }
        }

        var reply = WorkerReply()
        reply.time = TimeSeries(
            median: Quantiles.median(of: series.candidate) ?? 0,
            ratio: Quantiles.median(of: zip(series.candidate, series.reference).map { $0 / $1 }),
            samples: thin(series.candidate, to: sampleLimit), control: min(controlBefore, ControlLoop.measure()),
            iterations: series.candidate.count * candidate.iterations,
            usage: usage.flatMap { before in usageAfter?.since(before) },
            latencies: workload.recordsLatencies ? workload.latencies.buckets : nil,
            outcomes: workload.recordsOutcomes ? workload.outcomes.outcomes : nil, allocator: TimeAllocator.current)
        return reply
    }

    /// Runs `body`, and attributes its refusal to the baseline.
    private static func blaming<Result>(
        _ baseline: Benchmark, _ body: () throws(PreparedWorkload.Refusal) -> Result
    ) throws(PreparedWorkload.Refusal) -> Result {
        do throws(PreparedWorkload.Refusal) { return try body() } catch { throw .baseline(baseline.id, error) }
    }

    private static func warmUp(
        _ candidate: Batch, _ reference: Batch?, until deadline: UInt64
    ) throws(PreparedWorkload.Refusal) {
        while MonotonicClock.nanoseconds < deadline {
            _ = try candidate.measure()
            _ = try reference?.measure()
        }
        candidate.workload.forgetWarmUp()
    }

    /// Measures the candidate and the reference in the order ABBA, so that a drift of the machine's speed affects both
    /// equally.
    private static func measure(
        _ candidate: Batch, _ reference: Batch?, until deadline: UInt64
    ) throws(PreparedWorkload.Refusal) -> (candidate: [Double], reference: [Double]) {
        var candidates: [Double] = []
        var references: [Double] = []
        while candidates.count < mostBatches, candidates.count < fewestBatches || MonotonicClock.nanoseconds < deadline
        {
            let isCandidateFirst = candidates.count.isMultiple(of: 2)
            if isCandidateFirst { candidates.append(try candidate.measure()) }
            if let reference { references.append(try reference.measure()) }
            if !isCandidateFirst { candidates.append(try candidate.measure()) }
        }
        return (candidates, references)
    }

    /// Returns at most `limit` of `values`, evenly spaced in time and rounded to four significant digits.
    static func thin(_ values: [Double], to limit: Int) -> [Double] {
        guard values.count > limit, limit > 0 else { return values.map { $0.rounded(toSignificantDigits: 4) } }
        return (0..<limit).map { values[$0 * values.count / limit].rounded(toSignificantDigits: 4) }
    }
}

extension Double {
    /// Returns the nearest number with `digits` significant digits. 0 and infinities are returned unchanged.
    package func rounded(toSignificantDigits digits: Int) -> Double {
        guard isFinite, self != 0 else { return self }
        var scale = 1.0
        var lead = magnitude
        while lead >= 10 {
            lead /= 10
            scale /= 10
        }
        while lead < 1 {
            lead *= 10
            scale *= 10
        }
        for _ in 1..<digits { scale *= 10 }
        // Division by a whole number keeps the shortest decimal form, but multiplication by 0.001 does not.
        return scale >= 1 ? (self * scale).rounded() / scale : (self * scale).rounded() * (1 / scale)
    }
}

/// A number of iterations that are timed together, so that the cost of reading the clock is negligible.
package struct Batch {
    /// The target duration of about a millisecond. It is long compared with a reading of the clock, and short compared
    /// with the scheduler's time slice.
    package static let targetNanoseconds: UInt64 = 1_000_000

    let workload: PreparedWorkload
    let iterations: Int

    /// Determines the number of iterations by running `workload`. This is part of the warm-up.
    init(calibrating workload: PreparedWorkload) throws(PreparedWorkload.Refusal) {
        self.workload = workload
        iterations = try Self.iterations(workload.time)
    }

    /// Doubles the number of iterations until they take half of `target` nanoseconds, and returns the number that takes
    /// `target` nanoseconds. Returns 1 if a single iteration takes longer.
    ///
    /// - Parameter time: A closure that returns the time of the given number of iterations in nanoseconds.
    package static func iterations<Failure>(
        target: UInt64 = targetNanoseconds, _ time: (Int) throws(Failure) -> UInt64
    ) throws(Failure) -> Int {
        var iterations = 1
        var elapsed = try time(1)
        while elapsed < target / 2, iterations < 1 << 24 {
            iterations *= 2
            elapsed = try time(iterations)
        }
        let scale = Double(target) / Double(max(elapsed, 1))
        return max(1, Int((Double(iterations) * min(scale, 2)).rounded()))
    }

    /// Runs one batch and returns its time per operation in nanoseconds.
    func measure() throws(PreparedWorkload.Refusal) -> Double {
        Double(try workload.time(iterations)) / Double(iterations * workload.benchmark.operations)
    }
}

/// A fixed arithmetic loop that is the same in every commit. If its time changes, the machine's speed has changed.
enum ControlLoop {
    private static let steps = 200_000

    /// Returns the time of one step in nanoseconds, as the median of a few runs. Takes about a millisecond.
    static func measure() -> Double {
        let runs = (0..<5).map { _ in
            let start = MonotonicClock.nanoseconds
            var value: UInt64 = 1
            for _ in 0..<steps { value = opaque(value &* 6_364_136_223_846_793_005 &+ 1) }
            blackHole(value)
            return Double(MonotonicClock.nanoseconds - start) / Double(steps)
        }
        return Quantiles.median(of: runs) ?? 0
    }
}
