import CRaces
import Foundation
@_exported public import RxBench

/// A count that must be the same before and after each execution, such as the number of live resources.
public struct RaceInvariant: Sendable {
    /// The name of the counted objects in the plural, such as `live resources`.
    public let name: String
    /// Returns the current count. Called between executions, on one thread.
    public let count: @Sendable () -> Int

    /// Creates an invariant from a count and its name.
    public init(_ name: String, count: @escaping @Sendable () -> Int) {
        self.name = name
        self.count = count
    }
}

/// The entry point of the program that 'rxbench races' compiles with instrumentation and uses for its searches.
///
/// ```swift compiled
/// import RxBenchRaces
///
/// RaceMain.run([mySuite])
/// ```
/// The program should link little more than the races' code, because all its code is compiled again with
/// instrumentation.
public enum RaceMain {
    /// The first argument that starts a tool as such a program.
    package static let verb = "__races"
    /// The argument after the verb that requests races on real threads. Such races need no instrumentation.
    package static let threads = "threads"

    /// Serves the request in the process's arguments and exits.
    ///
    /// - Parameters:
    ///   - suites: The suites whose benchmarks include the races. The races are the benchmarks that were created by a
    ///     `RaceScenario`.
    ///   - invariants: The counts that must be the same before and after each execution.
    public static func run(_ suites: [Suite], invariants: [RaceInvariant] = []) -> Never {
        run(Race.all(in: suites), invariants: invariants)
    }

    /// Serves the request in the process's arguments and exits. The races need not be benchmarks.
    public static func run(_ races: [Race], invariants: [RaceInvariant] = []) -> Never {
        exit(answer(Array(CommandLine.arguments.dropFirst(2)), races, invariants))
    }

    /// Serves the request in `arguments`, the arguments after the verb, and replies on standard output. Without a
    /// request, writes the names of the races. Returns the exit code.
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
        // The closure below refers to the search that calls it.
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

    /// Plays rounds on real threads. The returned record contains no schedule that leads to the finding.
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

    // Unsafe: this is written by a signal handler, which must not take a lock.
    nonisolated(unsafe) private static var isInterrupted: sig_atomic_t = 0

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("Error: \(text)\n".utf8)) }
}
