/// One group of live things over the runs, as plain data.
public struct LeakGroup: Codable, Sendable, Equatable {
    /// What was counted, in words: `map<Int, String> (sink)`, `heap bytes`.
    public let subject: String
    /// The type of what was counted, `map<Int, String>`; `nil` if that is not a type.
    public let type: String?
    /// What is counted: things, or bytes.
    public let unit: Unit
    /// What they did.
    public let verdict: GrowthVerdict
    /// How many there were after each run more than before the first, warm-up included.
    public let counts: [Int]
    /// Twelve hexadecimal digits that name the cause.
    public let signature: String
    /// Where they were made, innermost call first; `nil` unless stacks were recorded.
    public let creationStack: [Frame]?
    /// Who holds them; `nil` if nobody was asked or nobody was found.
    public let retention: Holding?
    /// What else grows for the same cause, each with how much.
    public let companions: [String]
    /// By which entry of an allow-list they may leak; `nil` if they may not.
    public internal(set) var allowance: Allowance?

    /// What a count counts.
    public enum Unit: String, Codable, Sendable {
        /// Live things.
        case count
        /// Bytes of the heap.
        case bytes
    }

    /// One call of a stack.
    public struct Frame: Codable, Sendable, Hashable {
        /// The function, demangled.
        public let function: String
        /// The source file's path; `nil` where the binary does not tell.
        public let file: String?
        /// The line in `file`, from 1.
        public let line: Int?
        /// The program's or library's file name.
        public let image: String
        /// Whether the call is one of this package, the standard library, the system or without a name, where users
        /// have nothing to change.
        public let isInternal: Bool
    }

    /// Why something that leaks may.
    public struct Allowance: Codable, Sendable, Equatable {
        /// Why.
        public let reason: String
        /// The last day on which it may, `2027-01-31`.
        public let until: String
    }

    init(_ group: GrowthGroup) {
        subject = group.title
        type =
            switch group.subject {
            case .type(let name, _), .objects(let name): name
            case .kind, .heapBytes: nil
            }
        unit = group.subject == .heapBytes ? .bytes : .count
        verdict = group.verdict
        counts = group.counts
        signature = group.signature
        creationStack = group.creationStack.map { stack in
            stack.frames.map {
                Frame(function: $0.function, file: $0.file, line: $0.line, image: $0.image, isInternal: !$0.isYours)
            }
        }
        retention = group.retention.map(Holding.init)
        companions = group.companions.map(\.description)
        allowance = nil
    }

    /// What it comes down to in one line: what leaks, how it is held and what to change, or else what grows.
    public var headline: String { retention?.headline ?? "\(subject): \(verdict)" }

    /// How many more there were after the last run than before the first.
    public var kept: Int { counts.last ?? 0 }

    /// The source line to look at first: of the closure that holds, or of the code that made it.
    var place: (file: String, line: Int)? {
        let closure = retention?.steps.last { $0.file != nil && $0.line != nil }
        if let file = closure?.file, let line = closure?.line { return (file, line) }
        let frame = creationStack?.first { $0.line != nil && !$0.isInternal } ?? creationStack?.first { $0.line != nil }
        guard let file = frame?.file, let line = frame?.line else { return nil }
        return (file, line)
    }
}
