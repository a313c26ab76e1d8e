import Foundation

/// The findings of repeated runs of a round trip, in total and for each group of live things.
///
/// Plain data: it can be sent to another process, and is a scenario of `results/schema/leaks-v1.schema.json`.
public struct GrowthReport: Sendable {
    /// The name of the round trip.
    public let name: String
    /// The reason why the round trip could not be repeated, in one sentence; `nil` if it could.
    public let failure: String?
    /// The number of times that it ran, including the warm-up.
    public let runs: Int
    /// The time that all runs and the search took together, in seconds; `nil` if it was not measured.
    public private(set) var seconds: Double?
    /// The groups of live things; empty if nothing could be counted.
    public private(set) var groups: [GrowthGroup]
    /// The subjects that were counted after every run.
    public let lookedAt: [Subject]
    /// The subjects that could not be counted, each with the reason.
    public let unavailable: [Unavailable]
    /// The number of bytes by which the heap rose during the runs, if it did not rise faster than while no run was
    /// under way; `nil` if it did not rise, or if it rose faster. Growth of fewer bytes is not noticed.
    public let driftBytes: Int?
    /// Whether other code of the process worked at the same time. Growth may belong to that code, and memory that it
    /// releases may hide growth.
    public private(set) var isDisturbed = false

    /// The work that was still scheduled when the detection ended, and was not scheduled when it began.
    public let pendingWork: PendingWork
    /// The pending work, grouped by the place where it was scheduled. Empty if calls were not recorded.
    public let waiting: [WaitingWork]

    /// Something that a detection looks at.
    public enum Subject: Hashable, Sendable, Codable, CustomStringConvertible {
        /// Reactive resources, by type and place.
        case resources
        /// Swift objects, closures and boxes, by type.
        case objects
        /// The bytes of the heap on all threads, for any use: objects, collections, tasks, memory of C.
        case heapBytes
        /// The bytes of the heap that the thread of the runs has taken.
        case heapBytesOfThread
        /// The elements that arrays, sets and dictionaries gain while they have room for them.
        case elements
        /// The memory that collections gain while objects or other memory also grow: a possible second leak.
        case memoryNextToLeaks
        /// The count of a `GrowthCounter` that the program has added, by its name.
        case counter(String)

        /// `resources`, `objects`, `heap bytes`, `heap bytes of one thread`, `elements`, `memory next to leaks`, or the
        /// counter's name.
        public var description: String {
            switch self {
            case .resources: "resources"
            case .objects: "objects"
            case .heapBytes: "heap bytes"
            case .heapBytesOfThread: "heap bytes of one thread"
            case .elements: "elements"
            case .memoryNextToLeaks: "memory next to leaks"
            case .counter(let name): name
            }
        }

        /// The subject of that name.
        static func named(_ name: String) -> Subject {
            [.resources, .objects, .heapBytes, .heapBytesOfThread, .elements, .memoryNextToLeaks]
                .first { $0.description == name } ?? .counter(name)
        }

        /// Reads the name that `encode(to:)` writes.
        public init(from decoder: any Decoder) throws { self = .named(try String(from: decoder)) }

        /// Writes the description.
        public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
    }

    /// Something that could not be counted.
    public struct Unavailable: Hashable, Sendable, Codable {
        /// The subject that could not be counted.
        public let metric: Subject
        /// Why, and what to do about it.
        public let reason: String

        private enum CodingKeys: String, CodingKey { case metric = "subject", reason }

        /// A count that is unavailable, with the reason.
        public init(metric: Subject, reason: String) { (self.metric, self.reason) = (metric, reason) }
    }

    /// The outcome of a search.
    public enum Outcome: String, Codable, Sendable {
        /// The bytes of the heap were counted, and nothing grows.
        case clean
        /// A group grows, and no allowance covers it.
        case found
        /// At least one group grows, and allowances cover all growing groups.
        case allowed
        /// No leak was found, but a count had not settled or still rises, so there is no verdict yet.
        case inconclusive
        /// Other code worked at the same time. Or no leak was found, but the bytes of the heap were not counted, or an
        /// allowed leak may hide a second one.
        case notJudged = "not judged"
        /// The round trip itself failed.
        case failed
    }

    /// Creates a report of given groups, for tests of renderers and for groups with more information.
    public init(
        name: String, runs: Int, groups: [GrowthGroup], lookedAt: [Subject] = [.resources, .objects, .heapBytes],
        unavailable: [Unavailable] = [], driftBytes: Int? = nil,
        pendingWork: PendingWork = PendingWork(pieces: 0, timers: 0), waiting: [WaitingWork] = []
    ) {
        self.name = name
        failure = nil
        self.runs = runs
        self.groups = groups
        self.lookedAt = lookedAt
        self.unavailable = unavailable
        self.driftBytes = driftBytes
        self.pendingWork = pendingWork
        self.waiting = waiting
    }

    /// Creates the report on a round trip that could not be repeated.
    ///
    /// - Parameters:
    ///   - name: the name of the round trip.
    ///   - failure: the reason, in one sentence.
    ///   - seconds: the time that it took, in seconds; `nil` if it was not measured.
    public init(name: String, failure: String, seconds: Double? = nil) {
        self.name = name
        self.failure = failure
        self.seconds = seconds
        (runs, groups, lookedAt, unavailable, driftBytes) = (0, [], [], [], nil)
        (pendingWork, waiting) = (PendingWork(pieces: 0, timers: 0), [])
    }

    /// Creates a copy of a report with the time that the search took.
    ///
    /// - Parameters:
    ///   - report: the report to copy.
    ///   - seconds: the time in seconds; `nil` if it was not measured.
    public init(_ report: GrowthReport, seconds: Double? = nil) {
        self = report
        self.seconds = seconds
    }

    /// Returns the report in which each growing group has the allowance that covers it on `day`, if there is one.
    public func allowing(_ allowances: LeakAllowances, on day: CalendarDay = .today) -> GrowthReport {
        var report = self
        for index in groups.indices {
            let group = groups[index]
            let allowance = group.verdict.isGrowing ? allowances.allowance(for: group, in: name, on: day) : nil
            report.groups[index].allowance = allowance.map { .init(reason: $0.reason, until: "\($0.until)") }
        }
        return report
    }

    /// Returns a copy of the report that states that other code worked during the runs.
    package func disturbed() -> GrowthReport {
        var report = self
        report.isDisturbed = true
        return report
    }

    /// The most severe verdict of all groups; `nil` if nothing could be counted.
    public var verdict: GrowthVerdict? { groups.map(\.verdict).max { $0.severity < $1.severity } }

    /// Whether the bytes of the heap were counted. A report without them is not a verdict, because a collection that
    /// grows, or a task that never ends, would not be noticed.
    public var isJudged: Bool { lookedAt.contains(.heapBytes) || lookedAt.contains(.heapBytesOfThread) }

    /// The outcome, which follows from the verdicts, the allowances, the failure and the subjects that were examined.
    public var outcome: Outcome {
        if failure != nil { return .failed }
        // Growth may belong to the other code, and memory that it takes or releases may hide growth.
        if isDisturbed { return .notJudged }
        if !leaks.isEmpty { return .found }
        if groups.contains(where: \.verdict.isOpen) { return .inconclusive }
        if !isJudged { return .notJudged }
        if growing.isEmpty { return .clean }
        // The allowed leak makes the bytes rise, and a second one may be hidden in them.
        return unavailable.contains { $0.metric == .memoryNextToLeaks } ? .notJudged : .allowed
    }

    /// The reason why a report is inconclusive, and the remedy.
    package var whyInconclusive: String {
        groups.contains { $0.verdict == .pending }
            ? "Something was still running after the last run. Dispose it or wait for it."
            : "Something still rises, too unevenly to be called a leak. Repeat it in the body, or allow more runs."
    }

    /// The groups that grow.
    public var growing: [GrowthGroup] { groups.filter(\.verdict.isGrowing) }

    /// The growing groups that no allowance covers.
    public var leaks: [GrowthGroup] { growing.filter { $0.allowance == nil } }
}

extension GrowthReport: CustomStringConvertible {
    /// The report as `LeakTree` prints it.
    public var description: String { LeakTree().text(of: self) }

    /// The report as `LeakTree` prints it: the outcome in one line, and below it each group that changed, with the
    /// place where it was made, its holder and the change to make.
    public var details: String { description }
}

extension GrowthReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case name, outcome, failure, runs, seconds, groups, lookedAt, unavailable, driftBytes, isDisturbed, pendingWork
        case waiting
    }

    /// Reads the form that `encode(to:)` writes. The outcome is not read, because it follows from the other values.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        failure = try container.decodeIfPresent(String.self, forKey: .failure)
        runs = try container.decode(Int.self, forKey: .runs)
        seconds = try container.decodeIfPresent(Double.self, forKey: .seconds)
        groups = try container.decode([GrowthGroup].self, forKey: .groups)
        lookedAt = try container.decode([Subject].self, forKey: .lookedAt)
        unavailable = try container.decode([Unavailable].self, forKey: .unavailable)
        driftBytes = try container.decodeIfPresent(Int.self, forKey: .driftBytes)
        isDisturbed = try container.decodeIfPresent(Bool.self, forKey: .isDisturbed) ?? false
        pendingWork =
            try container.decodeIfPresent(PendingWork.self, forKey: .pendingWork) ?? PendingWork(pieces: 0, timers: 0)
        waiting = try container.decodeIfPresent([WaitingWork].self, forKey: .waiting) ?? []
    }

    /// Writes the form that the schema describes, without the keys that have no value.
    public func encode(to encoder: any Encoder) throws {
        try encoder.write([
            CodingKeys.name: name, .outcome: outcome, .failure: failure, .runs: runs, .seconds: seconds,
            .groups: groups, .lookedAt: lookedAt, .unavailable: unavailable, .driftBytes: driftBytes,
            .isDisturbed: isDisturbed ? true : nil, .pendingWork: pendingWork.isEmpty ? nil : pendingWork,
            .waiting: waiting.isEmpty ? nil : waiting,
        ])
    }

}

extension GrowthReport: Equatable {
    /// Whether the two have the same figures and words. Addresses, which differ from run to run, are not compared.
    public static func == (one: GrowthReport, other: GrowthReport) -> Bool {
        (one.name, one.failure, one.runs, one.seconds, one.driftBytes, one.isDisturbed)
            == (other.name, other.failure, other.runs, other.seconds, other.driftBytes, other.isDisturbed)
            && (one.groups, one.lookedAt, one.unavailable) == (other.groups, other.lookedAt, other.unavailable)
            && (one.pendingWork, one.waiting) == (other.pendingWork, other.waiting)
    }
}

extension HeapTrace {
    /// Checks whether a round trip leaves more objects or memory behind each time.
    ///
    ///     let report = HeapTrace.detectGrowth(named: "search") {
    ///         _ = Observable<Int>.never().subscribe()
    ///     }
    ///     print(report.verdict?.isGrowing ?? false)  // false
    ///
    /// Runs `body` 23 times: three warm-up runs, which do not count, and 20 runs that are compared with each other.
    /// While a count still rises, the number of runs is doubled, up to `maximumRuns`. This distinguishes a leak from a
    /// cache with a limit. After 160 runs the detection continues only until the further runs have taken the patience,
    /// or all runs have left 64 MB. While a count rises, stacks are recorded, so that the report can name the place
    /// where the objects are made. At the end the heap is searched for their holders. After each run the detection
    /// waits until schedulers have done the work that the run has scheduled, for a second at most, and until the counts
    /// are steady.
    ///
    /// It follows the bytes of the heap on all threads, reactive resources in a build that traces them, and the
    /// counters that were passed to `follow(_:)`. These are figures of the whole process, so run one detection at a
    /// time and no other code. This function blocks its thread while it waits. On the main thread the main queue
    /// continues.
    ///
    /// - Parameters:
    ///   - name: the name of the round trip in the report.
    ///   - runs: the number of runs before the first decision, without the warm-up; 16 or more.
    ///   - maximumRuns: the largest number of runs, without the warm-up.
    ///   - patience: the time to wait for a late release before a leak is reported, and the time that runs may take
    ///     after the first 160.
    ///   - body: a round trip: opens something, uses it and closes it.
    /// - Returns: a report whose outcome is *not judged* if the bytes of the heap cannot be counted.
    /// - Throws: the first error that `body` throws.
    public static func detectGrowth<Failure: Error>(
        named name: String, runs: Int = 20, maximumRuns: Int = 1_600, patience: Duration = defaultPatience,
        _ body: () throws(Failure) -> Void
    ) throws(Failure) -> GrowthReport {
        var search = GrowthSearch(name: name, runs: runs, maximumRuns: maximumRuns, patience: patience)
        defer { search.close() }
        while let pause = search.pauseBeforeRuns() { search.sleep(pause) }
        while search.isOpen {
            search.beginRun()
            try body()
            var settling = search.endRun()
            while let pause = search.pause(&settling) { search.sleep(pause) }
            search.record(settling)
            while let pause = search.pauseForDrift() { search.sleep(pause) }
        }
        while let pause = search.pauseForLateRelease() { search.sleep(pause) }
        return search.report()
    }

    /// Checks whether an asynchronous round trip leaves more objects or memory behind each time.
    ///
    /// This works like the function of the same name for a round trip that is not asynchronous, but suspends while it
    /// waits.
    nonisolated(nonsending) public static func detectGrowth<Failure: Error>(
        named name: String, runs: Int = 20, maximumRuns: Int = 1_600, patience: Duration = defaultPatience,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Void
    ) async throws(Failure) -> GrowthReport {
        try await detectGrowth(
            named: name, runs: runs, maximumRuns: maximumRuns, patience: patience, until: { false }, body)!
    }

    /// Does the same, but returns `nil` if `isInterrupted` returns true between two runs or readings.
    nonisolated(nonsending) package static func detectGrowth<Failure: Error>(
        named name: String, runs: Int, maximumRuns: Int, patience: Duration, until isInterrupted: () -> Bool,
        _ body: nonisolated(nonsending) () async throws(Failure) -> Void
    ) async throws(Failure) -> GrowthReport? {
        var search = GrowthSearch(
            name: name, runs: runs, maximumRuns: maximumRuns, patience: patience, isAsynchronous: true)
        defer { search.close() }
        while !isInterrupted(), let pause = search.pauseBeforeRuns() { await search.suspend(pause) }
        while !isInterrupted(), search.isOpen {
            search.beginRun()
            try await body()
            var settling = search.endRun()
            while !isInterrupted(), let pause = search.pause(&settling) { await search.suspend(pause) }
            if isInterrupted() { return nil }
            search.record(settling)
            while !isInterrupted(), let pause = search.pauseForDrift() { await search.suspend(pause) }
        }
        while !isInterrupted(), let pause = search.pauseForLateRelease() { await search.suspend(pause) }
        return isInterrupted() ? nil : search.report()
    }

    /// The default patience of a detection: 5 s, or the number of seconds in the variable `RX_TRACE_PATIENCE`.
    public static let defaultPatience: Duration =
        ProcessInfo.processInfo.environment["RX_TRACE_PATIENCE"].flatMap(Double.init).map { .seconds(max(0, $0)) }
        ?? .seconds(5)
}
