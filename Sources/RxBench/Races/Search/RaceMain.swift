import CRaces
import Foundation
import RxBench

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
            stages: [
                RaceStage(
                    name: RaceStage.threads, executions: rounds, isExhausted: false, seconds: seconds, mostSteps: 0)
            ],
            outcomes: outcomes,
            finding: forbidden.map {
                RaceFinding(kind: .forbidden, sentence: "\($0.label).", replay: "", preemptions: 0)
            } ?? RaceNarration.reported, refusal: nil, notes: [], instrumentation: .current)
    }

    // Unsafe: written by the handler of a signal, which may take no lock.
    nonisolated(unsafe) private static var isInterrupted: sig_atomic_t = 0

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("Error: \(text)\n".utf8)) }
}
