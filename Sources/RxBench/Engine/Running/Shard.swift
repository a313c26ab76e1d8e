/// One of several equal parts of a suite that are measured on different machines, such as `2/8`.
package struct Shard: Codable, Sendable, Hashable, CustomStringConvertible {
    /// The number of this part, from 1 to `count`.
    package let index: Int
    /// The number of parts.
    package let count: Int

    /// Parses a text such as `2/8`. Returns `nil` unless the text consists of two whole numbers, the second is at most
    /// 10000, and the first is between 1 and the second.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), (1...10_000).contains(count),
            (1...count).contains(index)
        else { return nil }
        self.index = index
        self.count = count
    }

    /// Decodes the object form. Throws an error for an invalid shard.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let (index, count) = (
            try container.decode(Int.self, forKey: .index), try container.decode(Int.self, forKey: .count)
        )
        guard let shard = Shard("\(index)/\(count)") else {
            throw DecodingError.dataCorruptedError(forKey: .index, in: container, debugDescription: "no shard")
        }
        self = shard
    }

    private enum CodingKeys: CodingKey { case index, count }

    /// Returns every `count`-th element of `elements`. Neighbouring elements have similar costs, so they are in
    /// different shards. Each element is in exactly one shard.
    package func part<Element>(of elements: [Element]) -> [Element] {
        stride(from: index - 1, to: elements.count, by: count).map { elements[$0] }
    }

    /// The text of the shard, such as `2/8`.
    package var description: String { "\(index)/\(count)" }
}

/// One of the runs that were merged into a result.
package struct MergedPart: Codable, Sendable, Equatable {
    /// The shard of the run, or `nil` if the run was not a shard.
    package let shard: Shard?
    /// The time at which the run began, in ISO 8601 format in UTC.
    package let date: String
    /// The seed of the order of the run's processes.
    package let seed: UInt64
    /// The duration of the run.
    package let durationSeconds: Double
    /// The number of benchmarks that the run measured.
    package let benchmarks: Int

    /// Creates a part with the given properties.
    package init(shard: Shard?, date: String, seed: UInt64, durationSeconds: Double, benchmarks: Int) {
        self.shard = shard
        self.date = date
        self.seed = seed
        self.durationSeconds = durationSeconds
        self.benchmarks = benchmarks
    }
}
