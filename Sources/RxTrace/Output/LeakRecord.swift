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
    public internal(set) var groups: [LeakGroup]
    /// What could not be counted, and why.
    public let unavailable: [Gap]

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
    ///   - allowances: what may leak.
    ///   - day: the day on which it may.
    public init(_ report: GrowthReport, seconds: Double? = nil, allowing allowances: LeakAllowances = .none, on day: CalendarDay = .today) {
        name = report.name
        failure = nil
        runs = report.runs
        self.seconds = seconds
        groups = report.groups.map { group in
            LeakGroup(group, allowance: group.verdict.isGrowing ? allowances.allowance(for: group, in: report.name, on: day) : nil)
        }
        unavailable = report.unavailable.map { Gap(subject: $0.subject, reason: $0.reason) }
        let leaks = groups.filter { $0.verdict.isGrowing }
        outcome =
            if leaks.contains(where: { $0.allowance == nil }) {
                .leaking
            } else if groups.contains(where: { $0.verdict == .pending }) {
                .undecided
            } else if !leaks.isEmpty {
                .allowed
            } else {
                groups.isEmpty ? .unavailable : .clean
            }
    }

    /// The record of a round trip that could not be repeated.
    ///
    /// - Parameter failure: why, in one sentence.
    public init(name: String, failure: String, seconds: Double? = nil) {
        self.name = name
        outcome = .failed
        self.failure = failure
        runs = 0
        self.seconds = seconds
        groups = []
        unavailable = []
    }

    /// The groups that grow and may not.
    public var leaks: [LeakGroup] { groups.filter { $0.verdict.isGrowing && $0.allowance == nil } }
}
