import CRaces
import RxBench

/// A fault that the search has found, with the steps that lead to it.
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
        /// The process had to be killed because its threads did not end.
        case hang
        case leak
    }

    package let kind: Kind
    /// A sentence that describes the outcome.
    package let sentence: String
    /// The shrunk schedule that repeats the fault. It is empty for a fault on real threads.
    package var replay: String
    /// The number of switches away from an actor that could have continued.
    package var preemptions: Int
    /// The number of executions until the fault was found.
    package var executions = 0
    /// The name of the stage that found the fault; `nil` if a schedule was replayed.
    package var stage: String?
    /// The steps of the execution. For a long execution, these are only the first 40 steps and the last 60.
    package var steps: [RaceStep] = []
    /// The number of steps of the execution, or `nil` in a record of an earlier version.
    package var stepCount: Int?
    /// The message that the program printed before it terminated itself.
    package var message: String?
    /// The call stacks that belong to the fault: of both accesses, of all waiting actors, or of the allocations that
    /// were not freed.
    package var stacks: [RaceCalls] = []
}

/// One step of an execution.
package struct RaceStep: Codable, Sendable {
    package let actor: Int
    /// The action: `load`, `store`, `lock`, and so on.
    package let action: String
    /// The name of the memory location, which is the same throughout the execution: `v1`, or `Mutex a` for an object
    /// that is locked or waited for.
    package let variable: String?
    /// Whether the location is an object that is locked or waited for, and not memory of the program.
    package var isThing: Bool?
    /// Whether the step does not help to understand the finding: a call of the runtime without a name, or a load in
    /// code that the compiler generated.
    package var isIncidental: Bool?
    package let before, after: UInt64
    /// The call stack, with the innermost function first.
    package let frames: [RaceFrame]

    /// The innermost function in the stack that belongs to the program's own source code.
    package var place: RaceFrame? { frames.first { !$0.isForeign } }
}

/// A function in a call stack, with a line of its source.
package struct RaceFrame: Codable, Sendable, Equatable {
    /// The mangled name, or the plain name in a language without mangling.
    package let function: String
    package let path: String?
    package let line: Int

    /// Whether the function belongs to Swift's own libraries or has no source.
    package var isForeign: Bool {
        path == nil || line == 0 || ["$s15Synchronization", "$ss", "$sS"].contains { function.hasPrefix($0) }
            || path.map { $0.hasSuffix("<compiler-generated>") || $0.contains("/CRaces/") } ?? true
    }
}

/// A call stack with a title that says what it means.
package struct RaceCalls: Codable, Sendable {
    /// The title, such as `B reads` or `A has freed`.
    package let title: String
    package let frames: [RaceFrame]
}

/// The progress of one part of the search.
package struct RaceStage: Codable, Sendable {
    /// The methods of choosing schedules.
    package enum Method: String, Codable, Sendable {
        /// All schedules with at most `bound` preemptions.
        case bound
        /// All schedules within the bound, with a scheduling point at each retain and release.
        case boundWithReferences
        /// All schedules within the bound, with one delayed store.
        case boundWithDelayedStore
        /// One schedule of each equivalence class, without a bound.
        case reduced
        case priorities
        case random
        /// A given schedule.
        case replay
        /// Rounds on real threads, which are not searched.
        case threads
    }

    package let method: Method
    /// The largest number of preemptions in a schedule, or `nil` for methods without a bound.
    package private(set) var bound: Int?
    package let executions: UInt64
    /// Whether all schedules of this kind have been executed.
    package let isExhausted: Bool
    package let seconds: Double
    package let mostSteps: Int

    /// A short name of the stage.
    package var name: String { method.name(bound: bound) }

    /// Returns a stage of rounds on real threads. `rounds` is 0 if the process did not report the number.
    package static func onThreads(rounds: UInt64, seconds: Double) -> RaceStage {
        RaceStage(method: .threads, executions: rounds, isExhausted: false, seconds: seconds, mostSteps: 0)
    }
}

extension RaceStage.Method {
    /// Returns a short name of the method.
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

/// The memory accesses that are instrumented in the program that contains the races.
package enum RaceInstrumentation: String, Codable, Sendable {
    case absent = "none"
    /// The accesses that ThreadSanitizer instruments.
    case ordinary
    /// The accesses in all functions, including outlined copies of values and deinitialisers.
    case deep
    /// The same accesses as `ordinary`, with ThreadSanitizer's own library.
    case threadSanitizer = "thread-sanitizer"

    /// The instrumentation of this program.
    package static var current: RaceInstrumentation {
        switch rxraces_instrumentation() {
        case rxraces_ordinary: .ordinary
        case rxraces_deep: .deep
        case rxraces_sanitized: .threadSanitizer
        default: .absent
        }
    }
}

/// The result of the search of one race.
package struct RaceRecord: Codable, Sendable {
    package let id: String
    package let stages: [RaceStage]
    /// The outcomes, with the number of times that each occurred.
    package let outcomes: [RaceOutcome]
    package var finding: RaceFinding?
    /// A fault that the search found but that another process did not repeat on the same schedule. It does not count as
    /// a finding.
    package var unrepeated: RaceFinding?
    /// The call of a function that is not modelled, which prevented the search.
    package let refusal: String?
    /// The actor that was running without taking a step when the time limit passed, and its call stack. In this case
    /// the search is inconclusive.
    package var unfinished: RaceCalls?
    /// Notes for the user.
    package let notes: [String]
    /// The instrumentation of the race's program, or `nil` in a record of an earlier version.
    package var instrumentation: RaceInstrumentation?

    /// The verdict of the search on the race.
    package enum Verdict: Equatable, Sendable {
        case found, clean
        /// The race was searched but is not decided.
        case inconclusive(Doubt)
        /// The race was not searched, because it calls a function that is not modelled.
        case notJudged
    }

    /// The reasons why a search is not decided.
    package enum Doubt: Sendable {
        /// An actor did not end.
        case unfinished
        /// The time was over before any bound was exhausted.
        case outOfTime
        /// The search found a fault that a new process did not repeat on the same schedule.
        case unrepeated
    }

    package var verdict: Verdict {
        if finding != nil { return .found }
        if unrepeated != nil { return .inconclusive(.unrepeated) }
        if refusal != nil { return .notJudged }
        if unfinished != nil { return .inconclusive(.unfinished) }
        let isBounded = stages.contains { $0.bound != nil }
        return isBounded && !stages.contains(where: \.isExhausted) ? .inconclusive(.outOfTime) : .clean
    }

    /// The record with its finding moved to ``unrepeated``. Used if another process could not repeat the finding.
    package var withoutRepetition: RaceRecord {
        var record = self
        record.unrepeated = finding
        record.finding = nil
        return record
    }

    package var executions: UInt64 { stages.reduce(0) { $0 + $1.executions } }
    package var seconds: Double { stages.reduce(0) { $0 + $1.seconds } }
    /// Whether nothing was found but not all schedules were searched.
    package var isOpen: Bool {
        !isStress && [.clean, .inconclusive(.outOfTime)].contains(verdict) && notes.isEmpty
            && stages.contains { !$0.isExhausted }
    }
    /// The largest number of actors in an execution. Actors are numbered from 0.
    package static let mostActors = Int(rxraces_most_actors)
    /// Whether the process ended without reporting the number of rounds it played.
    package var isUncounted: Bool { isStress && [.crash, .hang].contains(finding?.kind) }
    /// The most complete stage that was exhausted: the search of all schedules, or otherwise the search with the
    /// highest bound. It is `nil` if no stage was exhausted.
    package var exhausted: RaceStage? {
        guard verdict != .notJudged, !isStress else { return nil }
        let done = stages.filter(\.isExhausted)
        return done.first { $0.method == .reduced }
            ?? done.last { $0.method == .bound || $0.method == .boundWithDelayedStore }
    }
    /// Whether the race was played on real threads.
    package var isStress: Bool { stages.first?.method == .threads }
}

extension RaceRecord {
    /// Creates the record of a race whose process ended without writing a record. On real threads, such an end is
    /// itself the finding.
    ///
    /// - Parameter sentence: A sentence that describes how the process ended.
    package init(id: String, endedBy kind: RaceFinding.Kind, sentence: String, seconds: Double) {
        self.id = id
        stages = [RaceStage.onThreads(rounds: 0, seconds: seconds)]
        outcomes = []
        finding = RaceFinding(kind: kind, sentence: sentence, replay: "", preemptions: 0)
        refusal = nil
        notes = []
    }
}

/// The progress of a search.
package struct RaceProgress: Codable, Sendable {
    /// The name of the stage, such as `bound 2` or `random`.
    package let stage: String
    /// The number of executions in this stage.
    package let executions: UInt64
    /// The time since the stage began.
    package let seconds: Double
}

/// A request from the tool to an instrumented image.
package struct RaceRequest: Codable, Sendable {
    package var id: String
    package var seconds: Double
    /// The largest number of preemptions.
    package var bound = 2
    /// Whether to search without a bound too, with one schedule of each equivalence class.
    package var isExhaustive = false
    /// Whether to search only at random.
    package var isRandom = false
    package var seed: UInt64 = 1
    /// Whether to report progress during the search. Each ``RaceProgress`` is written on a separate line before the
    /// record.
    package var tellsProgress = false
    /// A schedule to repeat instead of searching.
    package var replay: String?
    /// The number of times that the schedule is repeated. The repetition stops at the first execution with a different
    /// outcome.
    package var repetitions = 1

    package init(id: String, seconds: Double) {
        self.id = id
        self.seconds = seconds
    }
}
