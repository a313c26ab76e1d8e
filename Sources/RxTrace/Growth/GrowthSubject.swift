import Rx

/// What was counted over repeated runs.
public enum GrowthSubject: Hashable, Sendable {
    /// All reactive resources of a kind.
    case kind(Resources.Kind)
    /// The reactive resources of one type, such as `map<Int, String>` or `DisposeBag`.
    case type(String, Resources.Kind)
    /// The live bytes of the heap.
    case heapBytes
    /// The Swift objects of one type, reactive or not, by its full name.
    case objects(String)
}

extension GrowthSubject: CustomStringConvertible {
    /// `sink`, `map<Int, String> (sink)`, `heap bytes` or `objects of App.ViewModel`.
    public var description: String {
        switch self {
        case .kind(let kind): "\(kind)"
        case .type(let name, let kind): "\(name) (\(kind))"
        case .heapBytes: "heap bytes"
        case .objects(let name): "objects of \(name)"
        }
    }
}
