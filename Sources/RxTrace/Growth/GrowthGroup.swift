import Rx

/// What one group of live things did over the runs: those of one kind, or of one type that were made at one place.
public struct GrowthGroup: Sendable {
    /// What was counted.
    public let subject: GrowthSubject
    /// How many there were after each run more than before the first, warm-up included; bytes for `heapBytes`.
    public let counts: [Int]
    /// What they did.
    public let verdict: GrowthVerdict
    /// Where they were made; `nil` unless stacks were recorded.
    public let creationStack: CallStack?
    /// Who holds one of them; `nil` if nobody was asked, or nobody was found.
    public let retention: Retention?
    /// What else grows for the same cause, as what holds these holds them too.
    public let companions: [GrowthCompanion]
    /// Of the heap's bytes: what the blocks take that they are in, in bytes, the smallest first; empty for all else.
    public let blockSizes: [Int]
    /// Twelve hexadecimal digits that name the cause: the same across runs and builds, as they are made of names alone.
    public let signature: String

    /// A group of given figures; its signature is made of the names in them.
    public init(
        subject: GrowthSubject, counts: [Int], verdict: GrowthVerdict, creationStack: CallStack? = nil,
        retention: Retention? = nil,
        companions: [GrowthCompanion] = [], blockSizes: [Int] = []
    ) {
        self.subject = subject
        self.counts = counts
        self.verdict = verdict
        self.creationStack = creationStack
        self.retention = retention
        self.companions = companions
        self.blockSizes = blockSizes
        signature = GrowthSignature.text(
            of: GrowthSignature.parts(Self.title(of: subject, blockSizes), creationStack, retention))
    }

    /// What was counted, in words: `map<Int, String> (sink)`, or `heap bytes in blocks of 32 and 64`.
    var title: String { Self.title(of: subject, blockSizes) }

    private static func title(of subject: GrowthSubject, _ sizes: [Int]) -> String {
        guard let last = sizes.last else { return "\(subject)" }
        let first = sizes.dropLast()
        if first.count > 3 { return "\(subject) in blocks of \(sizes[0]) to \(last)" }
        return "\(subject) in blocks of "
            + (first.isEmpty ? "" : first.map(String.init).joined(separator: ", ") + " and ") + "\(last)"
    }
}

extension GrowthGroup: CustomStringConvertible {
    /// `DisposeBag (disposable): growing by 1 a run [1 1]`, for example.
    public var description: String { "\(title): \(verdict)" }

    /// The group in lines: what leaks, how it is held and what to change, where that is known; then what grows, where
    /// it was made and who holds it.
    public var details: String {
        var lines = [retention?.headline ?? description]
        if retention != nil { lines.append("  \(description)") }
        if !companions.isEmpty {
            lines.append("  and with it " + companions.map(\.description).joined(separator: ", "))
        }
        if let place = creationStack?.framesOfYours.first { lines.append("  made by \(place)") }
        if let retention { lines += retention.way.map { "  \($0)" } }
        return lines.joined(separator: "\n")
    }
}
