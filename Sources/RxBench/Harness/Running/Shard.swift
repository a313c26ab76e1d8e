/// One of several equal parts of a suite, each of which another machine measures: `2/8`.
package struct Shard: Codable, Sendable, Hashable, CustomStringConvertible {
    /// The number of the part, from 1 to `count`.
    package let index: Int
    /// How many parts there are.
    package let count: Int

    /// Parses `2/8`; `nil` for anything but two whole numbers of which the first is between 1 and the second, and that
    /// is at most 10000.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), (1...10_000).contains(count),
            (1...count).contains(index)
        else { return nil }
        self.index = index
        self.count = count
    }

    /// Decodes the object form; a shard that cannot be is refused.
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

    /// Every `count`-th of `elements`, so that neighbours, which cost alike, go to different shards. The shards of a
    /// list have all of its elements, each once.
    package func part<Element>(of elements: [Element]) -> [Element] {
        stride(from: index - 1, to: elements.count, by: count).map { elements[$0] }
    }

    /// `2/8`.
    package var description: String { "\(index)/\(count)" }
}

/// One of the runs that a merged result was put together from.
package struct MergedPart: Codable, Sendable, Equatable {
    /// The shard that it was; `nil` for a run that was none.
    package let shard: Shard?
    /// When it began, ISO 8601 in UTC.
    package let date: String
    /// The seed of the order of its processes.
    package let seed: UInt64
    /// How long it took.
    package let durationSeconds: Double
    /// How many benchmarks it measured.
    package let benchmarks: Int

    /// Describes a part.
    package init(shard: Shard?, date: String, seed: UInt64, durationSeconds: Double, benchmarks: Int) {
        self.shard = shard
        self.date = date
        self.seed = seed
        self.durationSeconds = durationSeconds
        self.benchmarks = benchmarks
    }
}
