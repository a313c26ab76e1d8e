import RxBenchStatistics

/// One figure of one benchmark, with its unit, its uncertainty and the raw samples behind it.
package struct Metric: Codable, Sendable, Equatable {
    /// How a metric was obtained, and so how two of them are compared.
    package enum Kind: String, Codable, Sendable {
        /// Counted; equal work gives an equal figure. Compared by equality.
        case exact
        /// Estimated from several processes. Compared by interval.
        case sampled
    }

    /// Nanoseconds per operation.
    package static let time = "time"
    /// Time per operation as a multiple of the baseline's.
    package static let ratioToBaseline = "ratioToBaseline"
    /// Allocations of all threads in one iteration.
    package static let allocations = "allocations"
    /// Bytes of these allocations, in size classes.
    package static let allocatedBytes = "allocatedBytes"
    /// Deallocations of all threads in one iteration.
    package static let deallocations = "deallocations"
    /// Allocations less deallocations of all threads in one iteration: the blocks that it leaves behind, negative where
    /// it frees older ones.
    package static let netAllocations = "netAllocations"
    /// How many live resources an iteration left behind.
    package static let liveResources = "liveResources"
    /// Instructions of all threads in one iteration, in user mode.
    package static let instructions = "instructions"
    /// Objects of Swift classes, closure contexts among them, that one iteration allocated.
    package static let objects = "objects"
    /// How often one iteration retained an object of Swift's.
    package static let retains = "retains"
    /// How often one iteration released an object of Swift's.
    package static let releases = "releases"
    /// The largest resident size of a worker process.
    package static let peakResident = "peakResidentBytes"

    /// A stable name in camel case.
    package let name: String
    /// The unit of the value.
    package let unit: String
    /// Counted or estimated.
    package let kind: Kind
    /// The figure, or the reason why there is none. For an exact metric that differed between iterations, their median;
    /// for instructions the least, as the allocator now and then adds some.
    package let reading: Reading<Double>
    /// Whether all iterations of an exact metric agreed, and no other thread had a part in them; `nil` for a sampled
    /// one, and for a count that another tool took once.
    package let isStable: Bool?
    /// Whether other threads worked in the iterations: which of them is first differs from process to process, and so
    /// may the counts. `nil` for a metric of one thread.
    package let isThreaded: Bool?
    /// Where the median of process medians lies; `nil` for an exact metric and for fewer than two processes.
    package let interval: Interval?
    /// Quantiles over all samples, named by probability: `0.5`.
    package let quantiles: [String: Double]?
    /// One value for each process (sampled) or iteration (exact), in the order of measurement.
    package let values: [Double]
    /// For time: raw samples of each process, evenly thinned, in the order of measurement.
    package let samples: [[Double]]?

    /// A range that holds the figure, with its confidence from 0 to 1.
    package typealias Interval = ConfidenceInterval

    /// A metric that was counted in several iterations.
    ///
    /// - Parameter isThreaded: Whether other threads worked meanwhile.
    package static func exact(_ definition: MetricDefinition, _ values: [Double], isThreaded: Bool = false) -> Metric {
        let isStable = !isThreaded && values.allSatisfy { $0 == values.first }
        let least = definition.name == instructions ? values.min().map(Reading.value) : nil
        return Metric(
            name: definition.name, unit: definition.unit, kind: .exact, reading: least ?? middle(values),
            isStable: isStable,
            isThreaded: isThreaded ? true : nil, interval: nil, quantiles: nil, values: values, samples: nil)
    }

    /// A metric that was estimated once in each of several processes.
    ///
    /// - Parameter share: The part of the interval's error that was spent on the look at which the measurement stopped;
    ///   the interval is as much wider, and its confidence holds however often was looked.
    package static func sampled(
        _ definition: MetricDefinition, _ values: [Double], samples: [[Double]]? = nil, all: [Double]? = nil,
        share: Double = 1
    ) -> Metric {
        let error = 0.05
        let interval = MedianInterval.estimate(of: values, target: 1 - error * share).map { interval in
            share == 1 || interval.confidence <= 1 - error
                ? interval : Interval(low: interval.low, high: interval.high, confidence: 1 - error)
        }
        let sorted = (all ?? values).sorted()
        var quantiles: [String: Double] = [:]
        for probability in [0, 0.25, 0.5, 0.75, 0.9, 0.99, 1] {
            quantiles["\(probability)"] = Quantiles.quantile(probability, ofSorted: sorted)
        }
        return Metric(
            name: definition.name, unit: definition.unit, kind: .sampled, reading: middle(values), isStable: nil,
            isThreaded: nil,
            interval: interval, quantiles: quantiles, values: values, samples: samples)
    }

    /// A metric that could not be read.
    package static func unavailable(_ definition: MetricDefinition, _ kind: Kind, because reason: String) -> Metric {
        Metric(
            name: definition.name, unit: definition.unit, kind: kind, reading: .unavailable(reason), isStable: nil,
            isThreaded: nil,
            interval: nil, quantiles: nil, values: [], samples: nil)
    }

    private static func middle(_ values: [Double]) -> Reading<Double> {
        Quantiles.median(of: values).map(Reading.value) ?? .unavailable("nothing was measured")
    }
}

extension Metric {
    private enum CodingKeys: CodingKey {
        case name, unit, kind, value, unavailable, isStable, isThreaded, interval, quantiles, values, samples, scatter
    }

    /// Tells a decoder to leave samples and quantiles out.
    static var skipsSamples: CodingUserInfoKey {
        guard let key = CodingUserInfoKey(rawValue: "rxbench.skipsSamples") else {
            preconditionFailure("A key of any text can be made.")
        }
        return key
    }

    /// Decodes a metric whose value may be null with a reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        unit = try container.decode(String.self, forKey: .unit)
        kind = try container.decode(Kind.self, forKey: .kind)
        reading = try Reading(from: decoder)
        isStable = try container.decodeIfPresent(Bool.self, forKey: .isStable)
        isThreaded = try container.decodeIfPresent(Bool.self, forKey: .isThreaded)
        interval = try container.decodeIfPresent(Interval.self, forKey: .interval)
        values = try container.decode([Double].self, forKey: .values)
        let skips = decoder.userInfo[Self.skipsSamples] as? Bool ?? false
        quantiles = skips ? nil : try container.decodeIfPresent([String: Double].self, forKey: .quantiles)
        samples = skips ? nil : try container.decodeIfPresent([[Double]].self, forKey: .samples)
    }

    /// Encodes the metric; a missing value is null, with its reason.
    package func encode(to encoder: any Encoder) throws {
        try reading.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        // The scatter follows from the values, so that it is written for other programs and never read.
        try container.encode([
            .name: name, .unit: unit, .kind: kind, .isStable: isStable, .isThreaded: isThreaded, .interval: interval,
            .quantiles: quantiles, .scatter: scatter, .values: values, .samples: samples,
        ])
    }
}

/// How often one duration was recorded; durations that agree in three significant digits share a bucket.
package struct LatencyBucket: Codable, Sendable, Equatable {
    /// The highest duration of the bucket, in nanoseconds.
    package let nanoseconds: UInt64
    /// How often it was recorded.
    package let count: UInt64
}

/// Recorded durations, of one process or of several put together.
package struct LatencyDistribution: Sendable, Equatable {
    /// Distinct durations, ascending.
    package let buckets: [LatencyBucket]
    /// How many durations there are.
    package let count: UInt64

    /// The metrics that reports show, with their probabilities.
    package static let reported: [(name: String, probability: Double)] = [
        ("latencyP50", 0.5), ("latencyP90", 0.9), ("latencyP99", 0.99), ("latencyP999", 0.999), ("latencyMaximum", 1),
    ]

    /// Puts `buckets` in order and adds up equal durations. O(*n* log *n*).
    package init(_ buckets: [LatencyBucket]) {
        var counts: [UInt64: UInt64] = [:]
        for bucket in buckets {
            counts[bucket.nanoseconds] = (counts[bucket.nanoseconds] ?? 0).saturatingSum(bucket.count)
        }
        self.buckets = counts.map { LatencyBucket(nanoseconds: $0.key, count: $0.value) }.sorted {
            $0.nanoseconds < $1.nanoseconds
        }
        count = buckets.reduce(0) { $0.saturatingSum($1.count) }
    }

    /// The smallest duration that at least the share `probability` does not exceed, or `nil` when nothing was recorded.
    package func quantile(_ probability: Double) -> UInt64? {
        let wanted = max(1, UInt64(exactly: (probability * Double(count)).rounded(.up)) ?? count)
        var seen: UInt64 = 0
        for bucket in buckets {
            seen = seen.saturatingSum(bucket.count)
            if seen >= wanted { return bucket.nanoseconds }
        }
        return nil
    }
}

extension UInt64 {
    /// The sum, or the greatest number where it would be more: counts come from files that anybody can write.
    package func saturatingSum(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
