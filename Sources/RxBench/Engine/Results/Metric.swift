import RxBench

/// A figure of a benchmark, with its unit, its uncertainty and its raw samples.
package struct Metric: Codable, Sendable, Equatable {
    /// The way in which a metric was obtained. It decides how two metrics are compared.
    package enum Kind: String, Codable, Sendable {
        /// The metric was counted. Equal work gives an equal figure. Two such metrics are compared for equality.
        case exact
        /// The metric was estimated from several processes. Two such metrics are compared by their intervals.
        case sampled
    }

    /// The time per operation in nanoseconds.
    package static let time = "time"
    /// The time per operation as a multiple of the baseline's time.
    package static let ratioToBaseline = "ratioToBaseline"
    /// The number of allocations of all threads in one iteration.
    package static let allocations = "allocations"
    /// The number of bytes in these allocations, counted by size class.
    package static let allocatedBytes = "allocatedBytes"
    /// The number of deallocations of all threads in one iteration.
    package static let deallocations = "deallocations"
    /// The number of allocations minus the number of deallocations of all threads in one iteration. This is the number
    /// of blocks that the iteration leaves behind. It is negative if the iteration frees older blocks.
    package static let netAllocations = "netAllocations"
    /// The number of live resources that an iteration left behind.
    package static let liveResources = "liveResources"
    /// The number of instructions of all threads in one iteration, in user mode.
    package static let instructions = "instructions"
    /// The number of objects of Swift classes, including closure contexts, that one iteration allocated.
    package static let objects = "objects"
    /// The number of times that one iteration retained a Swift object.
    package static let retains = "retains"
    /// The number of times that one iteration released a Swift object.
    package static let releases = "releases"
    /// The largest resident size of a worker process.
    package static let peakResident = "peakResidentBytes"

    /// A stable name in camel case.
    package let name: String
    /// The unit of the value.
    package let unit: MetricUnit
    /// Whether the metric was counted or estimated.
    package let kind: Kind
    /// The figure, or the reason why it is unavailable. If the counts of an exact metric differ between iterations, the
    /// figure is their median. For instructions it is the smallest count, because the allocator occasionally adds some.
    package let reading: Reading<Double>
    /// Whether all iterations of an exact metric agreed and no other thread worked in them. It is `nil` for a sampled
    /// metric, and for a count that another tool took once.
    package let isStable: Bool?
    /// Whether other threads worked in the iterations. The order of the threads differs between processes, so the
    /// counts may differ too. It is `nil` for a metric of a single thread.
    package let isThreaded: Bool?
    /// The confidence interval of the median of the process medians. It is `nil` for an exact metric and for fewer than
    /// two processes.
    package let interval: Interval?
    /// The quantiles of all samples of a time, by probability, such as `0.5`.
    package let quantiles: [String: Double]?
    /// The value of each process (of a sampled metric) or of each iteration (of an exact metric), in the order of
    /// measurement. It is empty for context switches and page faults, unless the run was asked to keep samples.
    package let values: [Double]
    /// The raw samples of a time, for each process, in the order of measurement. They are thinned evenly. It is `nil`
    /// unless the run was asked to keep samples.
    package let samples: [[Double]]?

    /// A range that contains the figure with a confidence from 0 to 1.
    package typealias Interval = ConfidenceInterval

    /// Creates a metric that was counted in several iterations.
    ///
    /// - Parameter isThreaded: Whether other threads worked during the iterations.
    package static func exact(_ definition: MetricDefinition, _ values: [Double], isThreaded: Bool = false) -> Metric {
        let isStable = !isThreaded && values.allSatisfy { $0 == values.first }
        let least = definition.name == instructions ? values.min().map(Reading.value) : nil
        return Metric(
            name: definition.name, unit: definition.unit, kind: .exact, reading: least ?? middle(values),
            isStable: isStable,
            isThreaded: isThreaded ? true : nil, interval: nil, quantiles: nil, values: values, samples: nil)
    }

    /// Creates a metric that was estimated once in each of several processes.
    ///
    /// - Parameters:
    ///   - all: The samples of all processes, from which quantiles are computed.
    ///   - share: The part of the interval's error that was spent on the look at which the measurement stopped. The
    ///     interval is wider accordingly, so its confidence holds regardless of the number of looks.
    package static func sampled(
        _ definition: MetricDefinition, _ values: [Double], samples: [[Double]]? = nil, all: [Double]? = nil,
        share: Double = 1
    ) -> Metric {
        let error = 0.05
        let interval = MedianInterval.estimate(of: values, target: 1 - error * share).map { interval in
            share == 1 || interval.confidence <= 1 - error
                ? interval : Interval(low: interval.low, high: interval.high, confidence: 1 - error)
        }
        let quantiles = all.map { all in
            let sorted = all.sorted()
            let pairs = [0.25, 0.5, 0.75, 0.99].compactMap { probability in
                Quantiles.quantile(probability, ofSorted: sorted).map {
                    ("\(probability)", $0.rounded(toSignificantDigits: 4))
                }
            }
            return Dictionary(uniqueKeysWithValues: pairs)
        }
        return Metric(
            name: definition.name, unit: definition.unit, kind: .sampled, reading: middle(values), isStable: nil,
            isThreaded: nil,
            interval: interval, quantiles: quantiles, values: values, samples: samples)
    }

    /// Creates a metric that could not be read.
    package static func unavailable(_ definition: MetricDefinition, _ kind: Kind, because reason: String) -> Metric {
        Metric(
            name: definition.name, unit: definition.unit, kind: kind, reading: .unavailable(reason), isStable: nil,
            isThreaded: nil,
            interval: nil, quantiles: nil, values: [], samples: nil)
    }

    /// The metric with its value alone.
    var withoutValues: Metric {
        Metric(
            name: name, unit: unit, kind: kind, reading: reading, isStable: isStable, isThreaded: isThreaded,
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

    /// Decodes a metric. Its value may be null with a reason.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        unit = try container.decode(MetricUnit.self, forKey: .unit)
        kind = try container.decode(Kind.self, forKey: .kind)
        reading = try Reading(from: decoder)
        isStable = try container.decodeIfPresent(Bool.self, forKey: .isStable)
        isThreaded = try container.decodeIfPresent(Bool.self, forKey: .isThreaded)
        interval = try container.decodeIfPresent(Interval.self, forKey: .interval)
        values = try container.decode([Double].self, forKey: .values)
        quantiles = try container.decodeIfPresent([String: Double].self, forKey: .quantiles)
        samples = try container.decodeIfPresent([[Double]].self, forKey: .samples)
    }

    /// Encodes the metric. A missing value is encoded as null with its reason.
    package func encode(to encoder: any Encoder) throws {
        try reading.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        // The scatter is derived from the values, so it is written only for other programs and never read.
        try container.encode([
            .name: name, .unit: unit, .kind: kind, .isStable: isStable, .isThreaded: isThreaded, .interval: interval,
            .quantiles: quantiles, .scatter: scatter, .values: values, .samples: samples,
        ])
    }
}

/// The recorded durations of one or more processes.
package struct LatencyDistribution: Sendable, Equatable {
    /// The distinct durations in ascending order.
    package let buckets: [LatencyBucket]
    /// The number of durations.
    package let count: UInt64

    /// The metrics in reports, with their probabilities.
    package static let reported: [(name: String, probability: Double)] = [
        ("latencyP50", 0.5), ("latencyP90", 0.9), ("latencyP99", 0.99), ("latencyP999", 0.999), ("latencyMaximum", 1),
    ]

    /// Sorts `buckets` and adds up the counts of equal durations. O(*n* log *n*).
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

    /// The distribution with at most a few dozen buckets. The reported quantiles are the same.
    package var reduced: LatencyDistribution {
        let shares = (1..<16).map { Double($0) / 16 } + Self.reported.map(\.probability)
        let ends = Set([buckets.first?.nanoseconds] + shares.map(quantile))
        var reduced: [LatencyBucket] = []
        var waiting: UInt64 = 0
        for bucket in buckets {
            waiting = waiting.saturatingSum(bucket.count)
            guard ends.contains(bucket.nanoseconds) else { continue }
            reduced.append(LatencyBucket(nanoseconds: bucket.nanoseconds, count: waiting))
            waiting = 0
        }
        return LatencyDistribution(reduced)
    }

    /// Returns the smallest duration such that at least the share `probability` of all durations do not exceed it, or
    /// `nil` if nothing was recorded.
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
    /// Returns the sum, or the largest number if the sum overflows. Counts may come from untrusted files.
    package func saturatingSum(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}
