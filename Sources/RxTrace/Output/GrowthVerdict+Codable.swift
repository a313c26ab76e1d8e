/// `{"verdict": "growing", "perRun": 1, "low": 1, "high": 1}`: the verdict's name and its figures.
extension GrowthVerdict: Codable {
    private enum CodingKeys: String, CodingKey { case verdict, kept, bound, perRun, low, high }

    /// Reads the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .verdict) {
        case "clean": self = .clean
        case "lazy": self = .lazy(kept: try container.decode(Int.self, forKey: .kept))
        case "bounded": self = .bounded(by: try container.decode(Int.self, forKey: .bound))
        case "unsteady": self = .unsteady(by: try container.decode(Int.self, forKey: .bound))
        case "pending": self = .pending
        case "growing":
            let low = try container.decode(Double.self, forKey: .low)
            let high = try container.decode(Double.self, forKey: .high)
            guard low <= high else {
                throw DecodingError.dataCorruptedError(
                    forKey: .low, in: container, debugDescription: "'low' is above 'high'.")
            }
            self = .growing(
                GrowthSlope(perRun: try container.decode(Double.self, forKey: .perRun), interval: low...high))
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .verdict, in: container, debugDescription: "'\(other)' is no verdict.")
        }
    }

    /// Writes the verdict's name and its figures.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(summary, forKey: .verdict)
        switch self {
        case .clean, .pending: break
        case .lazy(let kept): try container.encode(kept, forKey: .kept)
        case .bounded(let bound), .unsteady(let bound): try container.encode(bound, forKey: .bound)
        case .growing(let slope):
            try container.encode(slope.perRun, forKey: .perRun)
            try container.encode(slope.interval.lowerBound, forKey: .low)
            try container.encode(slope.interval.upperBound, forKey: .high)
        }
    }
}
