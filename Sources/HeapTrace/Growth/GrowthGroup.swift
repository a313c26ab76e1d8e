/// A group of live things over the runs: all things of one kind, or all things of one type that were made at one place.
public struct GrowthGroup: Sendable {
    /// The quantity that was counted.
    public let metric: GrowthMetric
    /// The counted things as text: `map<Int, String> (sink)`, or `heap bytes in blocks of 32 and 64`.
    public let title: String
    /// The number of things after each run, including the warm-up, minus the number before the first run. Bytes for
    /// `heapBytes`.
    public let counts: [Int]
    /// The behaviour of the counts.
    public let verdict: GrowthVerdict
    /// The call stack that made them; `nil` unless stacks were recorded.
    public let creationStack: CallStack?
    /// The holders of one of the things; `nil` if they were not searched for, or not found.
    public private(set) var retention: Retention?
    /// The other metrics that grow for the same cause.
    public let companions: [GrowthCompanion]
    /// The sizes in bytes of the blocks of the heap that contain the bytes, in ascending order. Empty for other
    /// metrics, and in a report that was decoded.
    public let blockSizes: [Int]
    /// Twelve hexadecimal digits that identify the cause. They are the same across runs and builds, because they are
    /// computed only from names. `nil` if neither a holder nor a function that made the things is known, because
    /// different leaks would then have the same digits.
    public let signature: String?
    /// The entry of an allow-list that covers this leak; `nil` if no entry covers it.
    public internal(set) var allowance: Allowance?

    /// The unit of a count.
    public enum Unit: String, Codable, Sendable {
        /// Live things.
        case count
        /// Bytes of the heap.
        case bytes
    }

    /// The reason why a leak is accepted, and for how long.
    public struct Allowance: Codable, Sendable, Equatable {
        /// The reason that the allow-list gives.
        public let reason: String
        /// The last day on which the leak is accepted, such as `2027-01-31`.
        public let until: String
    }

    /// Creates a group with the given values. Its signature is computed from the names in them.
    public init(
        metric: GrowthMetric, counts: [Int], verdict: GrowthVerdict, creationStack: CallStack? = nil,
        retention: Retention? = nil, companions: [GrowthCompanion] = [], blockSizes: [Int] = []
    ) {
        self.metric = metric
        self.counts = counts
        self.verdict = verdict
        // Named here, because the signature needs the names. Code that prints or sends the group reads no symbols.
        self.creationStack = creationStack?.named
        self.retention = retention
        self.companions = companions
        self.blockSizes = blockSizes
        title = Self.title(of: metric, blockSizes)
        signature = GrowthSignature.parts(title, self.creationStack, retention).map(GrowthSignature.text)
    }

    /// Returns a copy without the addresses of the program's objects; for a report.
    func withoutAddresses() -> GrowthGroup {
        var group = self
        group.retention = retention?.withoutAddresses()
        return group
    }

    private static func title(of metric: GrowthMetric, _ sizes: [Int]) -> String {
        guard let last = sizes.last else { return "\(metric)" }
        let first = sizes.dropLast()
        if first.count > 3 { return "\(metric) in blocks of \(sizes[0]) to \(last)" }
        return "\(metric) in blocks of "
            + (first.isEmpty ? "" : first.map(String.init).joined(separator: ", ") + " and ") + "\(last)"
    }

    /// The counted type, `map<Int, String>`; `nil` if the metric doesn't count a type.
    public var type: String? {
        switch metric {
        case .type(let name, _), .objects(let name), .elements(let name): name
        case .kind, .heapBytes: nil
        }
    }

    /// The unit of the counts.
    public var unit: Unit { metric == .heapBytes ? .bytes : .count }

    /// The leak in one line, with its holder and the change to make; the metric and its growth if no holder is known.
    public var headline: String { retention?.headline ?? description }

    /// The number of things after the last run, minus the number before the first run.
    public var kept: Int { counts.last ?? 0 }

    /// Whether the count differed between runs after the warm-up. The bytes of the heap always differ, so for them the
    /// verdict decides.
    package var hasMoved: Bool {
        if verdict.isGrowing || verdict.isOpen { return true }
        return metric != .heapBytes && Set(counts.dropFirst(GrowthRule().warmUpRuns)).count > 1
    }

    /// Whether the count fell from one run to the next, once the runs had warmed up.
    package var hasFallen: Bool {
        let counts = counts.dropFirst(GrowthRule().warmUpRuns)
        return zip(counts.dropFirst(), counts).contains { $0 < $1 }
    }

    /// The source line to look at first: the line of the closure on the path, or else of the code that made the things.
    var sourceLine: (file: String, line: Int)? {
        let closure = retention?.steps.last { $0.file != nil && $0.line != nil }
        if let file = closure?.file, let line = closure?.line { return (file, line) }
        let frames = creationStack?.frames.filter { $0.line != nil } ?? []
        guard let frame = frames.first(where: \.isYours) ?? frames.first, let file = frame.file, let line = frame.line
        else { return nil }
        return (file, line)
    }
}

extension GrowthGroup: CustomStringConvertible {
    /// `DisposeBag (disposable): growing by 1 a run [1 1]`, for example.
    public var description: String { "\(title): \(verdict)" }

    /// The group as `LeakTree` prints it: the leak, its holder and the change to make, if they are known; then the
    /// growth, where the objects were made, and the path that holds them.
    public var details: String { LeakTree().text(of: self) }
}

extension GrowthGroup: Codable {
    private enum CodingKeys: String, CodingKey {
        case title = "subject", metric, type, unit, verdict, counts, signature, creationStack, retention, companions,
            allowance
    }

    /// Reads the form that `encode(to:)` writes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        metric = try container.decode(GrowthMetric.self, forKey: .metric)
        verdict = try container.decode(GrowthVerdict.self, forKey: .verdict)
        counts = try container.decode([Int].self, forKey: .counts)
        signature = try container.decodeIfPresent(String.self, forKey: .signature)
        creationStack = try container.decodeIfPresent(CallStack.self, forKey: .creationStack)
        retention = try container.decodeIfPresent(Retention.self, forKey: .retention)
        companions = try container.decode([GrowthCompanion].self, forKey: .companions)
        allowance = try container.decodeIfPresent(Allowance.self, forKey: .allowance)
        blockSizes = []
    }

    /// Writes the form that the schema describes, without the keys that have no value.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            CodingKeys.title: title, .metric: metric, .type: type, .unit: unit, .verdict: verdict, .counts: counts,
            .signature: signature, .creationStack: creationStack, .retention: retention, .companions: companions,
            .allowance: allowance,
        ])
    }
}

/// A metric that grows for the same cause as the group that contains it.
public struct GrowthCompanion: Hashable, Codable, Sendable {
    /// The quantity that was counted.
    public let metric: GrowthMetric
    /// The mean number of things that each run leaves behind.
    public let perRun: Double

    /// Creates a companion with the given values.
    public init(_ metric: GrowthMetric, perRun: Double) { (self.metric, self.perRun) = (metric, perRun) }

    /// Returns one companion for each metric, sorted by name. Things that were made at different places are added up.
    static func companions(of groups: [GrowthGroup]) -> [GrowthCompanion] {
        var sums: [GrowthMetric: Double] = [:]
        for group in groups {
            if case .growing(let slope) = group.verdict { sums[group.metric, default: 0] += slope.perRun }
        }
        return sums.map { GrowthCompanion($0.key, perRun: $0.value) }
            .sorted { $0.metric.description < $1.metric.description }
    }
}

extension GrowthCompanion: CustomStringConvertible {
    /// `SubjectSubscription (disposable): 2 a run`, for example.
    public var description: String { "\(metric): \(GrowthSlope.text(perRun)) a run" }
}

extension GrowthGroup: Equatable {
    /// Whether the two have the same figures and words. Addresses, which differ from run to run, are not compared.
    public static func == (one: GrowthGroup, other: GrowthGroup) -> Bool {
        (one.metric, one.title, one.counts, one.verdict) == (other.metric, other.title, other.counts, other.verdict)
            && (one.signature, one.retention, one.companions, one.allowance)
                == (other.signature, other.retention, other.companions, other.allowance)
            && one.namedFrames == other.namedFrames
    }

    private var namedFrames: [StackFrame]? {
        creationStack?.frames.map {
            StackFrame(
                address: 0, function: $0.function, file: $0.file, line: $0.line, image: $0.image,
                isInternal: $0.isInternal)
        }
    }
}

/// The name of a cause: the same across runs and builds, because it is made of names alone.
enum GrowthSignature {
    /// Returns the names that distinguish a cause from others.
    ///
    /// These are the counted things, and the path that holds them, without positions. A path without a closure may hold
    /// many unlike things. Then the function that made them is added, but not its callers, because a test runner is not
    /// part of the cause. In optimised code an initialiser may have no frame in the functions that called it; a closure
    /// that is held keeps its name.
    ///
    /// `nil` without a path and a function: the name of the counted things is not a place.
    static func parts(_ title: String, _ stack: CallStack?, _ retention: Retention?) -> [String]? {
        let way = retention?.stableNames ?? []
        if retention?.namesClosure ?? false { return [title] + way }
        let maker = (stack?.framesOfYours.first ?? stack?.frames.first)?.function
        guard maker != nil || retention?.namesPlace ?? false else { return nil }
        return [title, maker.map(enclosingFunction) ?? ""] + way
    }

    /// The function that contains a closure, or the function of which this one is a specialisation. Code that was
    /// inlined into either is the same code.
    private static func enclosingFunction(_ function: String) -> String {
        function.replacing(#/^(specialized |closure #\d+ in )+/#, with: "")
    }

    /// Twelve hexadecimal digits of the parts' names.
    ///
    /// 48 bits of FNV-1a with 64 bits. G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, "The FNV Non-Cryptographic Hash
    /// Algorithm", IETF draft-eastlake-fnv, section 2; folded to 48 bits as its section 3 has it.
    static func text(of parts: [String]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for part in parts {
            part.utf8.forEach(add)
            // No UTF-8 text contains this byte, so "ab", "c" and "a", "bc" have different hashes.
            add(0xFF)
        }
        let folded = (hash >> 48) ^ (hash & 0xFFFF_FFFF_FFFF)
        let digits = String(folded, radix: 16)
        return String(repeating: "0", count: 12 - digits.count) + digits
    }
}
