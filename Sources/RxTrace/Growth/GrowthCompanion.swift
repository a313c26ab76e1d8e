/// Something that grows for the same cause as the group that it is named with.
public struct GrowthCompanion: Hashable, Sendable {
    /// What was counted.
    public let subject: GrowthSubject
    /// How many more each run leaves behind, in the mean.
    public let perRun: Double

    /// A companion of given figures.
    public init(_ subject: GrowthSubject, perRun: Double) {
        self.subject = subject
        self.perRun = perRun
    }

    /// One companion for each subject, in the order of their names: what is made at several places counts together.
    static func companions(of groups: [GrowthGroup]) -> [GrowthCompanion] {
        var sums: [GrowthSubject: Double] = [:]
        for group in groups {
            if case .growing(let slope) = group.verdict { sums[group.subject, default: 0] += slope.perRun }
        }
        return sums.map { GrowthCompanion($0.key, perRun: $0.value) }
            .sorted { $0.subject.description < $1.subject.description }
    }
}

extension GrowthCompanion: CustomStringConvertible {
    /// `SubjectSubscription (disposable): 2 a run`, for example.
    public var description: String { "\(subject): \(GrowthSlope.text(perRun)) a run" }
}
