import CRaces
import Foundation
import RxBench

/// The program that 'rxbench races' compiles with instrumentation and asks for searches.
///
/// ```swift
/// import RxBenchRaces
///
/// RaceMain.run([mySuite])
/// ```
/// Beside the races' code it should link as little as it can: all of it is compiled anew.
public enum RaceMain {
    /// The first argument that makes a tool such a program.
    package static let verb = "__races"

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

    /// Answers `arguments` on standard output: the names of the races without any. Returns the exit code.
    package static func answer(_ arguments: [String], _ races: [Race], _ invariants: [RaceInvariant]) -> Int32 {
        if let obstacle = rxraces_obstacle() {
            complain(String(cString: obstacle))
            return 64
        }
        guard let text = arguments.first else {
            FileHandle.standardOutput.write(Data(races.map { "\($0.id)\n" }.joined().utf8))
            return 0
        }
        guard let request = try? JSONDecoder().decode(RaceRequest.self, from: Data(text.utf8)),
            let race = races.first(where: { $0.id == request.id })
        else {
            complain("There is no such race. This program is run by 'rxbench races'.")
            return 64
        }
        // What the race prints must not garble the reply.
        let replies = dup(1)
        dup2(2, 1)
        signal(SIGINT) { _ in RaceMain.isInterrupted = 1 }
        signal(SIGTERM) { _ in RaceMain.isInterrupted = 1 }
        let search = RaceSearch(race, request, invariants: invariants, shouldStop: { RaceMain.isInterrupted != 0 })
        guard let bytes = try? JSONEncoder().encode(search.record()) else { return 70 }
        FileHandle(fileDescriptor: replies, closeOnDealloc: true).write(bytes)
        return 0
    }

    // Unsafe: written by the handler of a signal, which may take no lock.
    nonisolated(unsafe) private static var isInterrupted: sig_atomic_t = 0

    private static func complain(_ text: String) { FileHandle.standardError.write(Data("Error: \(text)\n".utf8)) }
}
