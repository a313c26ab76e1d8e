import RxBenchStatistics

/// Measures with the clock and nothing else attached: batches of about a millisecond until the budget is spent.
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
        let subject = try Batch(calibrating: workload)
        let reference: Batch? =
            if let baseline {
                try blaming(baseline) { () throws(PreparedWorkload.Refusal) in
                    try Batch(calibrating: PreparedWorkload(baseline))
                }
            } else { nil }
        defer { reference?.workload.tearDown() }
        try warmUp(subject, reference, until: start + UInt64(Double(budgetNanoseconds) * warmUpShare))

        let usage = ResourceUsage.now()
        let series = try measure(subject, reference, until: start + budgetNanoseconds)
        let usageAfter = ResourceUsage.now()
        if workload.recordsLatencies, workload.latencies.count == 0 { throw .noLatency }
        try workload.check(after: .last)
        if let reference, let baseline {
            try blaming(baseline) { () throws(PreparedWorkload.Refusal) in try reference.workload.check(after: .last) }
        }

        var reply = WorkerReply()
        reply.time = TimeSeries(
            median: Quantiles.median(of: series.subject) ?? 0,
            ratio: Quantiles.median(of: zip(series.subject, series.reference).map { $0 / $1 }),
            samples: thin(series.subject, to: sampleLimit), control: min(controlBefore, ControlLoop.measure()),
            iterations: series.subject.count * subject.iterations,
            usage: usage.flatMap { before in usageAfter?.since(before) },
            latencies: workload.recordsLatencies ? workload.latencies.buckets : nil,
            outcomes: workload.recordsOutcomes ? workload.outcomes.outcomes : nil, allocator: TimeAllocator.current)
        return reply
    }

    /// What `body` refuses is the baseline's doing.
    private static func blaming<Result>(
        _ baseline: Benchmark, _ body: () throws(PreparedWorkload.Refusal) -> Result
    ) throws(PreparedWorkload.Refusal) -> Result {
        do throws(PreparedWorkload.Refusal) { return try body() } catch { throw .baseline(baseline.id, error) }
    }

    private static func warmUp(
        _ subject: Batch, _ reference: Batch?, until deadline: UInt64
    ) throws(PreparedWorkload.Refusal) {
        while MonotonicClock.nanoseconds < deadline {
            _ = try subject.measure()
            _ = try reference?.measure()
        }
        subject.workload.forgetWarmUp()
    }

    /// Subject and reference in ABBA order, so that a drift of the machine's speed falls on both alike.
    private static func measure(
        _ subject: Batch, _ reference: Batch?, until deadline: UInt64
    ) throws(PreparedWorkload.Refusal) -> (subject: [Double], reference: [Double]) {
        var subjects: [Double] = []
        var references: [Double] = []
        while subjects.count < mostBatches, subjects.count < fewestBatches || MonotonicClock.nanoseconds < deadline {
            let isSubjectFirst = subjects.count.isMultiple(of: 2)
            if isSubjectFirst { subjects.append(try subject.measure()) }
            if let reference { references.append(try reference.measure()) }
            if !isSubjectFirst { subjects.append(try subject.measure()) }
        }
        return (subjects, references)
    }

    /// At most `limit` of `values`, evenly spaced in time, with four significant digits.
    static func thin(_ values: [Double], to limit: Int) -> [Double] {
        guard values.count > limit, limit > 0 else { return values.map { $0.rounded(toSignificantDigits: 4) } }
        return (0..<limit).map { values[$0 * values.count / limit].rounded(toSignificantDigits: 4) }
    }
}

extension Double {
    /// The nearest number with so many significant digits; 0 and infinities stay as they are.
    func rounded(toSignificantDigits digits: Int) -> Double {
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
        // Dividing by a whole number keeps the shortest decimal form; multiplying by 0.001 does not.
        return scale >= 1 ? (self * scale).rounded() / scale : (self * scale).rounded() * (1 / scale)
    }
}
