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
    /// The elements of one array, set or dictionary that had room for them, by its type: `Set<UUID>`.
    case elements(String)
}

extension GrowthMetric {
    /// Whether the counts are bytes, which collections allocate in steps.
    var growsInSteps: Bool { self == .heapBytes }
}

extension GrowthMetric: CustomStringConvertible {
    /// `sink`, `map<Int, String> (sink)`, `heap bytes`, `objects of App.ViewModel` or `elements of
    /// Set<UUID>`.
    public var description: String {
        switch self {
        case .kind(let kind): "\(kind)"
        case .type(let name, let kind): "\(name) (\(kind))"
        case .heapBytes: "heap bytes"
        case .objects(let name): "objects of \(name)"
        case .elements(let type): "elements of \(type)"
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
        } else if text.hasPrefix("elements of ") {
            self = .elements(String(text.dropFirst("elements of ".count)))
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

/// Something beside reactive resources that detections of growth follow, such as all Swift objects by type.
///
/// It is read once after each run, so it may take some milliseconds. What it keeps between readings is not to grow with
/// their number: that would be a leak of its own.
public protocol GrowthCounter: Sendable {
    /// The things that it counts, in the plural: `objects`. Of two with one name the later is followed.
    var name: String { get }

    /// How many there are at this moment.
    func read() -> GrowthReading

    /// Where the objects of a metric are, so that their holders can be looked for; empty unless it is implemented.
    func addresses(of metric: GrowthMetric, in heap: HeapSnapshot) -> [UInt]
}

extension GrowthCounter {
    public func addresses(of metric: GrowthMetric, in heap: HeapSnapshot) -> [UInt] { [] }
}

/// The reading of a `GrowthCounter`.
public enum GrowthReading: Sendable {
    /// The count of each metric; one that is missing counts 0.
    case counts([GrowthMetric: Int])
    /// It could not be read: why, and what to do about it.
    case unavailable(String)
}

extension RxTrace {
    private static let counters = Guarded<[any GrowthCounter]>([])

    /// Follows `counter` in every detection of growth that begins from now on.
    public static func follow(_ counter: any GrowthCounter) {
        counters.withLock { counters in counters = counters.filter { $0.name != counter.name } + [counter] }
    }

    /// Follows the counter of that name no longer.
    public static func unfollow(named name: String) { counters.withLock { $0.removeAll { $0.name == name } } }

    static var followed: [any GrowthCounter] { counters.withLock { $0 } }
}
