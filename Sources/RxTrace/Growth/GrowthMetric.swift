import Rx

/// A quantity that is counted over repeated runs.
public enum GrowthMetric: Hashable, Sendable {
    /// All reactive resources of a kind.
    case kind(Resources.Kind)
    /// The reactive resources of one type, such as `map<Int, String>` or `DisposeBag`.
    case type(String, Resources.Kind)
    /// The live bytes of the heap.
    case heapBytes
    /// The Swift objects of one type, reactive or not, by its full name.
    case objects(String)
}

extension GrowthMetric: CustomStringConvertible {
    /// `sink`, `map<Int, String> (sink)`, `heap bytes` or `objects of App.ViewModel`.
    public var description: String {
        switch self {
        case .kind(let kind): "\(kind)"
        case .type(let name, let kind): "\(name) (\(kind))"
        case .heapBytes: "heap bytes"
        case .objects(let name): "objects of \(name)"
        }
    }

    /// The things that a description names; `nil` for any other text.
    init?(_ text: String) {
        if let kind = Resources.Kind.allCases.first(where: { text == "\($0)" }) {
            self = .kind(kind)
        } else if let kind = Resources.Kind.allCases.first(where: { text.hasSuffix(" (\($0))") }) {
            self = .type(String(text.dropLast(" (\(kind))".count)), kind)
        } else if text.hasPrefix("objects of ") {
            self = .objects(String(text.dropFirst("objects of ".count)))
        } else if text.hasPrefix("heap bytes") {
            self = .heapBytes
        } else {
            return nil
        }
    }

    /// The things that the text of a report names.
    static func decoded(_ text: String, from decoder: any Decoder) throws -> GrowthMetric {
        guard let metric = GrowthMetric(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' names nothing that is counted."))
        }
        return metric
    }
}
