import Rx

/// What repeated runs of a round trip have shown, in total and for each group of live things.
public struct GrowthReport: Sendable {
    /// What was repeated.
    public let name: String
    /// How often it ran, warm-up included.
    public let runs: Int
    /// What each group did; empty if nothing could be counted.
    public let groups: [GrowthGroup]
    /// What could not be counted, each with its reason.
    public let unavailable: [Unavailable]

    /// What schedulers still had before them when it ended, and not when it began.
    public let pendingWork: PendingWork
    /// What that work is, by where it was made; empty where calls were not recorded.
    public let waiting: [WaitingWork]

    /// Something that could not be counted.
    public struct Unavailable: Hashable, Sendable {
        /// What: `resources`, for example.
        public let subject: String
        /// Why, and what to do about it.
        public let reason: String

        public init(subject: String, reason: String) {
            self.subject = subject
            self.reason = reason
        }
    }

    /// A report of given groups: for tests of what prints them, and for groups with more in them.
    public init(
        name: String, runs: Int, groups: [GrowthGroup], unavailable: [Unavailable] = [],
        pendingWork: PendingWork = PendingWork(pieces: 0, timers: 0), waiting: [WaitingWork] = []
    ) {
        self.name = name
        self.runs = runs
        self.groups = groups
        self.unavailable = unavailable
        self.pendingWork = pendingWork
        self.waiting = waiting
    }

    /// The gravest of all groups' verdicts; `nil` if nothing could be counted.
    public var verdict: GrowthVerdict? { groups.map(\.verdict).max { $0.gravity < $1.gravity } }
}

extension GrowthReport: CustomStringConvertible {
    /// The verdict in one line, and below it each group that grows with where it was made and who holds it; the last
    /// line says what to change, where that is known.
    public var details: String {
        let growing = groups.filter(\.verdict.isGrowing)
        let others = GrowthReport(
            name: name, runs: runs, groups: groups.filter { !$0.verdict.isGrowing }, unavailable: unavailable,
            pendingWork: pendingWork,
            waiting: waiting)
        let heading = description.split(separator: "\n").prefix(1).map(String.init)
        let blocks = growing.flatMap { $0.details.split(separator: "\n").map { "  \($0)" } }
        return (heading + others.description.split(separator: "\n").dropFirst().map(String.init) + blocks).joined(
            separator: "\n")
    }

    /// The verdict in one line, and a line for each group that did not stay as it was.
    public var description: String {
        let heading = "\(name): \(verdict?.summary ?? "unavailable"), after \(String.counted(runs, "run"))"
        var lines = groups.filter { $0.verdict != .clean }.map { "  \($0)" }
        if !pendingWork.isEmpty { lines.append("  still scheduled: \(pendingWork)") }
        lines += waiting.flatMap { $0.details.split(separator: "\n") }.map { "    \($0)" }
        return ([heading] + lines + unavailable.map { "  \($0.subject): unavailable, because \($0.reason)" }).joined(
            separator: "\n")
    }
}
