import RxBench

/// The most that each benchmark may count: the content of `results/budgets.json`, which is kept beside the code and
/// changes with it.
///
/// An entry may go down at any time. It may go up with a reason beside it only:
/// `{"atMost": 5, "raisedFrom": 4, "reason": "…"}` instead of `4`.
package struct Budgets: Sendable, Equatable {
    /// The version of the format that this build writes and the newest that it reads.
    package static let currentSchemaVersion = 1
    /// The metrics that are budgeted.
    package static let metrics = [Metric.allocations, Metric.objects, Metric.instructions]

    /// Where the entries were counted.
    package var conditions: Conditions
    /// The counts that each benchmark may show, by ID.
    package var benchmarks: [String: Entries]

    /// The conditions that counts depend on besides the code.
    package struct Conditions: Codable, Sendable, Equatable {
        /// `release` or `debug`; empty when it is unknown.
        package let configuration: String
        /// Whether the measured code counted its resources.
        package let isTracing: Bool
        /// The processor's architecture.
        package let architecture: String
        /// The operating system's name and version.
        package let operatingSystem: String
        /// The compiler; empty when it is unknown.
        package let swiftVersion: String
        /// The version of jemalloc; empty when it is unknown.
        package let jemalloc: String

        /// The conditions of a run in `environment`.
        package init(_ environment: Environment) {
            configuration = environment.configuration.value ?? ""
            isTracing = environment.isTracing.value ?? false
            architecture = environment.architecture.value ?? ""
            operatingSystem = environment.operatingSystem.value ?? ""
            swiftVersion = environment.swiftVersion.value ?? ""
            jemalloc = environment.jemalloc.value ?? ""
        }
    }

    /// The counts that one benchmark may show.
    package struct Entries: Sendable, Equatable {
        /// Operations per iteration when the entries were counted; an iteration with others cannot be held to them.
        package var operations: Int
        /// The entries, by metric.
        package var entries: [String: Entry]
    }

    /// The most that one metric may count.
    package struct Entry: Sendable, Equatable {
        /// The most, per iteration.
        package var atMost: Double
        /// The budget before it was raised; `nil` for an entry that never was.
        package var raisedFrom: Double?
        /// Why it was raised.
        package var reason: String?

        /// An entry.
        package init(atMost: Double, raisedFrom: Double? = nil, reason: String? = nil) {
            self.atMost = atMost
            self.raisedFrom = raisedFrom
            self.reason = reason
        }

        /// Whether a reason with words in it stands beside the entry.
        package var hasReason: Bool { reason?.contains { !$0.isWhitespace } ?? false }
    }

    /// Budgets without an entry.
    package init(conditions: Conditions, benchmarks: [String: Entries] = [:]) {
        self.conditions = conditions
        self.benchmarks = benchmarks
    }
}

/// Why budgets cannot be used.
package enum BudgetError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read.
    case unreadable(String)
    /// The file holds no budgets; what is wrong, as a clause.
    case malformed(String, String)
    /// The file was written in a format that this build does not know.
    case newer(String, version: Int)

    /// One sentence with the remedy.
    package var description: String {
        switch self {
        case .unreadable(let name):
            """
            No budgets can be read at '\(name)'. Make them with 'rxbench compare latest --budget \(name) \
            --update-budget'.
            """
        case .malformed(let name, let problem):
            "'\(name)' holds no budgets: \(problem). Restore it, or make it anew with '--update-budget'."
        case .newer(let name, let version):
            """
            '\(name)' has format version \(version); this build reads up to \(Budgets.currentSchemaVersion). Build \
            a newer rxbench to read it.
            """
        }
    }
}
