import CRaces
import RxBench

/// A fault that the search has found, with the way there.
package struct RaceFinding: Codable, Sendable {
    /// The kind of the fault.
    package enum Kind: String, Codable, Sendable {
        case forbidden = "forbidden outcome"
        case dataRace = "data race"
        case useAfterFree = "use after free"
        case doubleFree = "double free"
        case deadlock
        case livelock
        case crash
        /// The process had to be ended, as its threads did not come to an end.
        case hang
        case leak
    }

    package let kind: Kind
    /// The outcome in a sentence.
    package let sentence: String
    /// The schedule, shrunk, that repeats it; empty where it was met on real threads.
    package var replay: String
    /// Switches away from an actor that could have gone on.
    package var preemptions: Int
    /// After how many executions it was met.
    package var executions = 0
    /// How the search met it.
    package var stage = ""
    /// The execution, step by step; of a long one the first 40 steps and the last 60.
    package var steps: [RaceStep] = []
    /// How many steps the execution has; `nil` in a record of an earlier version.
    package var stepCount: Int?
    /// The words with which the program has ended itself, as it printed them.
    package var message: String?
    /// Calls that belong to the fault: of both accesses, of all actors that wait, or of what is left behind.
    package var stacks: [RaceCalls] = []
}

/// One step of an execution.
package struct RaceStep: Codable, Sendable {
    package let actor: Int
    /// Its action: `load`, `store`, `lock`, …
    package let action: String
    /// A name for the place in memory, the same all through the execution: `v1`, or `Mutex a` for what is locked or
    /// waited for.
    package let variable: String?
    /// Whether the place is not memory of the program but what is locked or waited for.
    package var isThing: Bool?
    package let before, after: UInt64
    /// The function, innermost first.
    package let frames: [RaceFrame]

    /// The innermost function that somebody has written for this program.
    package var place: RaceFrame? { frames.first { !$0.isForeign } }
}

/// A function and a line of it.
package struct RaceFrame: Codable, Sendable, Equatable {
    /// The mangled name, or the plain one of a language without.
    package let function: String
    package let path: String?
    package let line: Int

    /// Whether it belongs to Swift's own libraries or to no source.
    package var isForeign: Bool {
        path == nil || line == 0 || ["$s15Synchronization", "$ss", "$sS"].contains { function.hasPrefix($0) }
            || path.map { $0.hasSuffix("<compiler-generated>") || $0.contains("/CRaces/") } ?? true
    }
}

/// Calls with what they mean.
package struct RaceCalls: Codable, Sendable {
    /// `B reads`, `A has freed`, …
    package let title: String
    package let frames: [RaceFrame]
}

/// How far a part of the search came.
package struct RaceStage: Codable, Sendable {
    /// The way in which schedules are chosen.
    package enum Method: String, Codable, Sendable {
        /// All schedules with at most so many preemptions.
        case bound
        /// The same, with a scheduling point at each count of references.
        case boundWithReferences
        /// The same, with one store that comes late.
        case boundWithDelayedStore
        /// All schedules, of equivalent ones one.
        case reduced
        case priorities
        case random
        /// A given schedule.
        case replay
        /// Rounds that are played on real threads and not searched.
        case threads
    }

    package let method: Method
    /// The largest number of preemptions in a schedule; `nil` for methods without a bound.
    package private(set) var bound: Int?
    package let executions: UInt64
    /// Whether there is no further schedule of this kind.
    package let isExhausted: Bool
    package let seconds: Double
    package let mostSteps: Int

    /// The stage in a few words.
    package var name: String { method.name(bound: bound) }

    /// Rounds on real threads; 0 where the process did not report their number.
    package static func onThreads(rounds: UInt64, seconds: Double) -> RaceStage {
        RaceStage(method: .threads, executions: rounds, isExhausted: false, seconds: seconds, mostSteps: 0)
    }
}

extension RaceStage.Method {
    /// The method in a few words.
    package func name(bound: Int?) -> String {
        let bound = bound.map { "bound \($0)" } ?? "no bound"
        return switch self {
        case .bound: bound
        case .boundWithReferences: "\(bound), with references"
        case .boundWithDelayedStore: "\(bound), with a delayed store"
        case .reduced: "all, reduced"
        case .priorities, .random, .replay: rawValue
        case .threads: "real threads"
        }
    }
}

/// The accesses that the compiler has made calls of in the program with the races.
package enum RaceInstrumentation: String, Codable, Sendable {
    case absent = "none"
    /// Those that ThreadSanitizer sees.
    case ordinary
    /// All functions, with outlined copies of values and deinitialisers.
    case deep
    /// As the ordinary one, with ThreadSanitizer's own library.
    case threadSanitizer = "thread-sanitizer"

    /// That of this program.
    package static var current: RaceInstrumentation {
        switch rxraces_instrumentation() {
        case rxraces_ordinary: .ordinary
        case rxraces_deep: .deep
        case rxraces_sanitized: .threadSanitizer
        default: .absent
        }
    }
}

/// All that was found out about one race.
package struct RaceRecord: Codable, Sendable {
    package let id: String
    package let stages: [RaceStage]
    /// How often each outcome was seen.
    package let outcomes: [RaceOutcome]
    package var finding: RaceFinding?
    /// A fault that the search has met and that another process, on the same schedule, has not: it is no finding.
    package var unrepeated: RaceFinding?
    /// The call that is not modelled, for which the race was not searched.
    package let refusal: String?
    /// The actor that ran without a step when the time was over, and where, for which the search says nothing.
    package var unfinished: RaceCalls?
    /// Notes for the reader.
    package let notes: [String]
    /// How its program was compiled; `nil` in a record of an earlier version.
    package var instrumentation: RaceInstrumentation?

    /// What the search says of the race.
    package enum Verdict: Equatable, Sendable {
        case found, clean
        /// It was looked at, and cannot be told yet: an actor did not come to an end, or no bound was exhausted.
        case unfinished, outOfTime
        /// A fault was met that a new process does not meet on the same schedule.
        case unrepeated
        /// It was not looked at, as it uses what is not modelled.
        case notJudged
    }

    package var verdict: Verdict {
        if finding != nil { return .found }
        if unrepeated != nil { return .unrepeated }
        if refusal != nil { return .notJudged }
        if unfinished != nil { return .unfinished }
        let isBounded = stages.contains { $0.bound != nil }
        return isBounded && !stages.contains(where: \.isExhausted) ? .outOfTime : .clean
    }

    /// The record without its finding, which could not be repeated.
    package var withoutRepetition: RaceRecord {
        var record = self
        record.unrepeated = finding
        record.finding = nil
        return record
    }

    package var executions: UInt64 { stages.reduce(0) { $0 + $1.executions } }
    package var seconds: Double { stages.reduce(0) { $0 + $1.seconds } }
    /// Whether nothing was found, and not for want of schedules.
    package var isOpen: Bool {
        !isStress && [.clean, .outOfTime].contains(verdict) && notes.isEmpty && stages.contains { !$0.isExhausted }
    }
    /// So many actors an execution has at most, numbered from 0.
    package static let mostActors = Int(rxraces_most_actors)
    /// Whether its process ended without telling how many rounds it has played.
    package var isUncounted: Bool { isStress && [.crash, .hang].contains(finding?.kind) }
    /// The most complete stage that was exhausted: all schedules, or else the highest bound. `nil` if none was.
    package var exhausted: RaceStage? {
        guard verdict != .notJudged, !isStress else { return nil }
        let done = stages.filter(\.isExhausted)
        return done.first { $0.method == .reduced }
            ?? done.last { $0.method == .bound || $0.method == .boundWithDelayedStore }
    }
    /// Whether it was played on real threads.
    package var isStress: Bool { stages.first?.method == .threads }
}

extension RaceRecord {
    /// The record of a race whose process has ended without one: on real threads that is what was looked for.
    ///
    /// - Parameter sentence: How it ended.
    package init(id: String, endedBy kind: RaceFinding.Kind, sentence: String, seconds: Double) {
        self.id = id
        stages = [RaceStage.onThreads(rounds: 0, seconds: seconds)]
        outcomes = []
        finding = RaceFinding(kind: kind, sentence: sentence, replay: "", preemptions: 0)
        refusal = nil
        notes = []
    }
}

/// How far a search has come.
package struct RaceProgress: Codable, Sendable {
    /// `bound 2`, `random`, …
    package let stage: String
    /// Of the stage alone.
    package let executions: UInt64
    /// Since the stage began.
    package let seconds: Double
}

/// A request of the tool to an instrumented image.
package struct RaceRequest: Codable, Sendable {
    package var id: String
    package var seconds: Double
    /// The highest bound of preemptions.
    package var bound = 2
    /// Also without a bound, of equivalent schedules one.
    package var isExhaustive = false
    /// At random only.
    package var isRandom = false
    package var seed: UInt64 = 1
    /// Whether to tell on the way how far it came, a ``RaceProgress`` a line before the record.
    package var tellsProgress = false
    /// A schedule to repeat instead.
    package var replay: String?
    /// How often the schedule is repeated; it ends at the first time that ends in another way.
    package var repetitions = 1

    package init(id: String, seconds: Double) {
        self.id = id
        self.seconds = seconds
    }
}
