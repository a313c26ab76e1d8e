/// A quantity that is counted over repeated runs.
public enum GrowthMetric: Hashable, Sendable {
    /// All reactive resources of a kind.
    case kind(TracedKind)
    /// The reactive resources of one type, such as `map<Int, String>` or `DisposeBag`.
    case type(String, TracedKind)
    /// The live bytes of the heap.
    case heapBytes
    /// The Swift objects of one type, reactive or not, by its full name.
    case objects(String)
    /// The elements of one array, set or dictionary, by its type: `Set<UUID>`.
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
}

extension GrowthMetric: Codable {
    private enum CodingKeys: String, CodingKey { case counts, kind, name }
    /// The subject, by its name in the schema of leak reports.
    private enum Subject: String, Codable { case resources, heapBytes, objects, elements }

    /// Reads the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func name() throws -> String { try container.decode(String.self, forKey: .name) }
        switch try container.decode(Subject.self, forKey: .counts) {
        case .heapBytes: self = .heapBytes
        case .objects: self = .objects(try name())
        case .elements: self = .elements(try name())
        case .resources:
            let text = try container.decode(String.self, forKey: .kind)
            guard let kind = TracedKind.allCases.first(where: { "\($0)" == text }) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .kind, in: container, debugDescription: "'\(text)' is no kind of resources.")
            }
            self = try container.decodeIfPresent(String.self, forKey: .name).map { .type($0, kind) } ?? .kind(kind)
        }
    }

    /// Writes the subject, the kind of resources and the name of the type, if the metric has them.
    public func encode(to encoder: any Encoder) throws {
        let (subject, kind, name): (Subject, TracedKind?, String?) =
            switch self {
            case .kind(let kind): (.resources, kind, nil)
            case .type(let name, let kind): (.resources, kind, name)
            case .heapBytes: (.heapBytes, nil, nil)
            case .objects(let name): (.objects, nil, name)
            case .elements(let name): (.elements, nil, name)
            }
        try encoder.write([CodingKeys.counts: subject, .kind: kind.map { "\($0)" }, .name: name])
    }
}

/// A count that detections of growth follow in addition to reactive resources, such as all Swift objects by type.
///
/// It is read once after each run, so it may take some milliseconds. The memory that it keeps between readings must not
/// grow with their number, because that would be a leak itself.
public protocol GrowthCounter: Sendable {
    /// The name of the counted things, in the plural: `objects`. If two counters have the same name, only the counter
    /// that was added later is followed.
    var name: String { get }

    /// Returns the present counts.
    func read() -> GrowthReading

    /// Returns the addresses of a metric's objects, so that the search can find their holders. The default
    /// implementation returns no addresses.
    func addresses(of metric: GrowthMetric, in heap: HeapSnapshot) -> [UInt]
}

extension GrowthCounter {
    public func addresses(of metric: GrowthMetric, in heap: HeapSnapshot) -> [UInt] { [] }
}

/// A type of counted objects, by the address of its metadata: the key of a counter's own tables.
///
/// The search for collections that gain elements ignores collections of this type, because only the tracer has them.
package struct CountedType: Hashable, Sendable {
    package let metadata: UInt

    package init(_ metadata: UInt) { self.metadata = metadata }
}

/// The reading of a `GrowthCounter`.
public enum GrowthReading: Sendable {
    /// The count of each metric. A missing metric has the count 0.
    case counts([GrowthMetric: Int])
    /// The counts could not be read. The text gives the reason and the remedy.
    case unavailable(String)
}

extension HeapTrace {
    private static let counters = Locked<[any GrowthCounter]>([])

    /// Follows `counter` in every detection of growth that begins after this call.
    public static func follow(_ counter: any GrowthCounter) {
        counters.withLock { counters in counters = counters.filter { $0.name != counter.name } + [counter] }
    }

    /// Stops following the counter with this name.
    public static func unfollow(named name: String) { counters.withLock { $0.removeAll { $0.name == name } } }

    package static var followed: [any GrowthCounter] { counters.withLock { $0 } }
}
