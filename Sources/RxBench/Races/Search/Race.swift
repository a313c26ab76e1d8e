import CRaces
import Foundation
import RxBench

/// A race without its state's type, as the search takes it: what ``RaceMain`` is given.
public struct Race: Sendable {
    /// The stable name.
    public let id: String
    /// How many actors it begins with.
    package let actorCount: Int
    /// Makes what is executed again and again.
    let makeBody: @Sendable () -> RaceBody
    /// Plays rounds on real threads until `isOver`, which is asked between thousands of them.
    let playOnThreads: @Sendable (_ isOver: () -> Bool) -> [RaceOutcome]

    /// The race of `scenario`.
    public init<State>(_ scenario: RaceScenario<State>) {
        id = scenario.id
        actorCount = scenario.actors.count
        makeBody = {
            let box = StateBox<State>()
            return RaceBody(
                setUp: { box.state = scenario.makeState() },
                act: { scenario.actors[$0](box.state.unsafelyUnwrapped) },
                finish: {
                    defer { box.state = nil }
                    return scenario.finish(box.state.unsafelyUnwrapped)
                })
        }
        playOnThreads = { isOver in
            let stress = RaceStress(scenario)
            defer { stress.stop() }
            let recorder = OutcomeRecorder()
            repeat { stress.run(rounds: scenario.rounds, into: recorder) } while !isOver()
            return recorder.outcomes
        }
    }

    /// The races among the benchmarks of `suites`, in their order.
    package static func all(in suites: [Suite]) -> [Race] {
        suites.flatMap(\.benchmarks).compactMap { $0.race as? Race }
    }

    /// Where the state lies while actors use it.
    private final class StateBox<State> {
        var state: State?
    }
}

/// The closures of an execution: each on the thread that it is meant for.
final class RaceBody {
    let setUp: () -> Void
    let act: (Int) -> Void
    let finish: () -> RaceGrade
    /// How the last execution was graded.
    var grade: RaceGrade?

    init(setUp: @escaping () -> Void, act: @escaping (Int) -> Void, finish: @escaping () -> RaceGrade) {
        self.setUp = setUp
        self.act = act
        self.finish = finish
    }
}

/// A count that each execution must leave as it found it, such as the number of live resources.
public struct RaceInvariant: Sendable {
    /// The things that are counted, in the plural: `live resources`.
    public let name: String
    /// Counts; called between executions, on one thread.
    public let count: @Sendable () -> Int

    /// A count with its name.
    public init(_ name: String, count: @escaping @Sendable () -> Int) {
        self.name = name
        self.count = count
    }
}

/// The program that 'rxbench races' compiles with instrumentation and asks for searches.
///
/// ```swift compiled
/// import RxBenchRaces
///
/// RaceMain.run([mySuite])
/// ```
/// Beside the races' code it should link as little as it can: all of it is compiled anew.
public enum RaceMain {
    /// The first argument that makes a tool such a program.
    package static let verb = "__races"
    /// The argument behind it that has races played on real threads, for which no instrumentation is needed.
    package static let threads = "threads"

    /// Answers the request in the process's arguments and exits.
    ///
    /// - Parameters:
    ///   - suites: The races are those of their benchmarks that a ``RaceScenario`` has made.
    ///   - invariants: Counts that each execution must leave as it found them.
    public static func run(_ suites: [Suite], invariants: [RaceInvariant] = []) -> Never {
        run(Race.all(in: suites), invariants: invariants)
    }

    /// As ``run(_:invariants:)`` of suites, for races that are no benchmarks.
    public static func run(_ races: [Race], invariants: [RaceInvariant] = []) -> Never {
        exit(answer(Array(CommandLine.arguments.dropFirst(2)), races, invariants))
    }

    /// Answers `arguments`, those behind the verb, on standard output: the names of the races without a request.
    /// Returns the exit code.
    package static func answer(_ arguments: [String], _ races: [Race], _ invariants: [RaceInvariant]) -> Int32 {
        let isStress = arguments.first == threads
        if !isStress, let obstacle = rxraces_obstacle() {
            complain(String(cString: obstacle))
            return 64
        }
        guard let text = arguments.dropFirst(isStress ? 1 : 0).first else {
            FileHandle.standardOutput.write(Data(races.map { "\($0.id)\n" }.joined().utf8))
            return 0
        }
        guard let request = try? JSONDecoder().decode(RaceRequest.self, from: Data(text.utf8)),
            let race = races.first(where: { $0.id == request.id })
        else {
            complain("There is no such race. This program is run by 'rxbench races'.")
            return 64
        }
        // The output of the race must not garble the reply.
        let replies = FileHandle(fileDescriptor: dup(1), closeOnDealloc: true)
        dup2(2, 1)
        signal(SIGINT) { _ in RaceMain.isInterrupted = 1 }
        signal(SIGTERM) { _ in RaceMain.isInterrupted = 1 }
        let record = isStress ? stressed(race, request) : searched(race, request, invariants, replies)
        guard let bytes = try? JSONEncoder().encode(record) else { return 70 }
        replies.write(bytes)
        return 0
    }

    private static func searched(
        _ race: Race, _ request: RaceRequest, _ invariants: [RaceInvariant], _ replies: FileHandle
    ) -> RaceRecord {
        // Refers to the search that asks it.
        var search: RaceSearch?
        var (stage, begin, told) = ("", MonotonicClock.nanoseconds, MonotonicClock.nanoseconds)
        let made = RaceSearch(race, request, invariants: invariants) {
            let now = MonotonicClock.nanoseconds
            if let next = search?.stage, next != stage { (stage, begin) = (next, now) }
            if request.tellsProgress, now - told > 200_000_000 {
                told = now
                let progress = RaceProgress(
                    stage: stage, executions: rxraces_counts().executions, seconds: Double(now - begin) / 1e9)
                if let line = try? JSONEncoder().encode(progress) { replies.write(line + Data("\n".utf8)) }
            }
            return isInterrupted != 0
        }
        search = made
        return made.record()
    }

    /// Rounds on real threads, as a record without a way to what was found.
    private static func stressed(_ race: Race, _ request: RaceRequest) -> RaceRecord {
        let start = MonotonicClock.nanoseconds
        var seconds: Double { Double(MonotonicClock.nanoseconds - start) / 1e9 }
        let outcomes = race.playOnThreads { isInterrupted != 0 || seconds >= request.seconds }
        let rounds = outcomes.reduce(0) { $0 + $1.count }
        let forbidden = outcomes.first { $0.expectation == .forbidden }
        return RaceRecord(
            id: race.id,
            stages: [.onThreads(rounds: rounds, seconds: seconds)],
            outcomes: outcomes,
            finding: forbidden.map {
                RaceFinding(kind: .forbidden, sentence: "\($0.label).", replay: "", preemptions: 0)
            } ?? RaceNarration.reported, refusal: nil, unfinished: nil, notes: [], instrumentation: .current)
    }

    // Unsafe: written by the handler of a signal, which may take no lock.
    nonisolated(unsafe) private static var isInterrupted: sig_atomic_t = 0

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("Error: \(text)\n".utf8)) }
}
