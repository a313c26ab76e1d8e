/// What repeated runs of one round trip have shown, as plain data.
public struct LeakRecord: Codable, Sendable, Equatable {
    /// What was repeated.
    public let name: String
    /// What has come of it.
    public let outcome: Outcome
    /// Why the round trip could not be repeated, in one sentence; `nil` if it could.
    public let failure: String?
    /// How often it ran, warm-up included.
    public let runs: Int
    /// How long all runs took together, with the search; `nil` if nobody looked at the clock.
    public let seconds: Double?
    /// What was counted.
    public let groups: [LeakGroup]
    /// What could not be counted, and why.
    public let unavailable: [Gap]
    /// What schedulers still had before them at the end, in words; `nil` if that is nothing.
    public let pendingWork: String?
    /// What that work is, by where it was made: a paragraph each, what waits and until when in its first line, what
    /// to change in its last.
    public let waiting: [String]?

    /// What has come of a search.
    public enum Outcome: String, Codable, Sendable {
        /// Nothing grows.
        case clean
        /// Something grows that may not.
        case leaking
        /// Something grows, and an allowance lets it.
        case allowed
        /// Something had not come to rest.
        case undecided
        /// Nothing could be counted.
        case unavailable
        /// The round trip itself failed.
        case failed
    }

    /// Something that could not be counted.
    public struct Gap: Codable, Sendable, Equatable {
        /// What.
        public let subject: String
        /// Why, and what to do about it.
        public let reason: String
    }

    /// The record of a search. Looks up the names of functions, files and lines.
    ///
    /// - Parameters:
    ///   - report: what the search has found.
    ///   - seconds: how long it took.
    public init(_ report: GrowthReport, seconds: Double? = nil) {
        self.init(
            name: report.name, failure: nil, runs: report.runs, seconds: seconds,
            groups: report.groups.map(LeakGroup.init),
            unavailable: report.unavailable.map { Gap(subject: $0.subject, reason: $0.reason) },
            pendingWork: report.pendingWork.isEmpty ? nil : "\(report.pendingWork)",
            waiting: report.waiting.isEmpty ? nil : report.waiting.map(\.details))
    }

    /// The record of a round trip that could not be repeated.
    ///
    /// - Parameter failure: why, in one sentence.
    public init(name: String, failure: String, seconds: Double? = nil) {
        self.init(name: name, failure: failure, runs: 0, seconds: seconds, groups: [], unavailable: [])
    }

    private init(
        name: String, failure: String?, runs: Int, seconds: Double?, groups: [LeakGroup], unavailable: [Gap],
        pendingWork: String? = nil,
        waiting: [String]? = nil
    ) {
        self.name = name
        self.failure = failure
        self.runs = runs
        self.seconds = seconds
        self.groups = groups
        self.unavailable = unavailable
        self.pendingWork = pendingWork
        self.waiting = waiting
        outcome =
            if failure != nil {
                .failed
            } else if groups.contains(where: { $0.verdict.isGrowing && $0.allowance == nil }) {
                .leaking
            } else if groups.contains(where: { $0.verdict == .pending }) {
                .undecided
            } else if groups.contains(where: \.verdict.isGrowing) {
                .allowed
            } else {
                groups.isEmpty ? .unavailable : .clean
            }
    }

    /// The record with what `allowances` let leak on `day`.
    public func allowing(_ allowances: LeakAllowances, on day: CalendarDay = .today) -> LeakRecord {
        let groups = groups.map { group in
            var group = group
            let allowance = group.verdict.isGrowing ? allowances.allowance(for: group, in: name, on: day) : nil
            group.allowance = allowance.map { LeakGroup.Allowance(reason: $0.reason, until: "\($0.until)") }
            return group
        }
        return LeakRecord(
            name: name, failure: failure, runs: runs, seconds: seconds, groups: groups, unavailable: unavailable,
            pendingWork: pendingWork,
            waiting: waiting)
    }

    /// The groups that grow.
    public var growing: [LeakGroup] { groups.filter(\.verdict.isGrowing) }

    /// The groups that grow and may not.
    public var leaks: [LeakGroup] { growing.filter { $0.allowance == nil } }
}
