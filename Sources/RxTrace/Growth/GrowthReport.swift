import Rx

/// What repeated runs of a round trip have shown, in total and for each kind of resource.
public struct GrowthReport: Sendable {
    /// What was repeated.
    public let name: String
    /// How often it ran, warm-up included.
    public let runs: Int
    /// What each kind of resource did, in the order of `Resources.Kind.allCases`; empty in a build that does not trace.
    public let groups: [Group]

    /// One kind of resource over the runs.
    public struct Group: Sendable {
        /// Which resources.
        public let kind: Resources.Kind
        /// What they did.
        public let verdict: GrowthVerdict
        /// How many were alive after each run more than before the first, warm-up included.
        public let counts: [Int]
    }

    /// The gravest of all groups' verdicts; `nil` in a build that does not trace.
    public var verdict: GrowthVerdict? { groups.map(\.verdict).max { $0.gravity < $1.gravity } }
}

extension GrowthReport: CustomStringConvertible {
    /// The verdict in one line, and a line for each kind that did not stay as it was.
    public var description: String {
        guard let verdict else {
            return "\(name): unavailable: this build does not trace resources. Build for debugging, or with '--traits default,TRACE_RESOURCES'."
        }
        let heading = "\(name): \(verdict.summary), after \(runs) runs"
        let lines = groups.filter { $0.verdict != .clean }.map { "  \($0.kind): \($0.verdict)" }
        return ([heading] + lines).joined(separator: "\n")
    }
}
