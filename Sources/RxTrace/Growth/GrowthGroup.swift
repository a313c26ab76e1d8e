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
    /// Twelve hexadecimal digits that name the cause, the same across runs and builds.
    public let signature: String

    /// A group of given figures; its signature is made of the names in them.
    public init(subject: GrowthSubject, counts: [Int], verdict: GrowthVerdict, creationStack: CallStack? = nil) {
        self.subject = subject
        self.counts = counts
        self.verdict = verdict
        self.creationStack = creationStack
        signature = GrowthSignature.text(of: ["\(subject)"] + (creationStack?.frames.map(\.function) ?? []))
    }
}

extension GrowthGroup: CustomStringConvertible {
    /// `sink: growing by 1 a run [1 1]`, for example.
    public var description: String { "\(subject): \(verdict)" }
}
