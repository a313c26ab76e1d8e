import Foundation
import RxBenchRaces
import Synchronization

private let executions = Atomic<Int>(0)

/// A count of more steps than can be searched in every order.
private final class Endless: Sendable {
    let count = Atomic<Int>(0)

    /// With RACE_FIXTURE_INTERRUPT, the thousandth execution interrupts the tool as a user does, and leaves the number
    /// of this process in the file of that name.
    init() {
        guard executions.wrappingAdd(1, ordering: .relaxed).newValue == 1_000,
            let path = getenv("RACE_FIXTURE_INTERRUPT")
        else { return }
        let file = open(path, O_CREAT | O_WRONLY, 0o600)
        let number = "\(getpid())"
        _ = number.withCString { write(file, $0, strlen($0)) }
        close(file)
        kill(getppid(), SIGINT)
    }

    func raise() { for _ in 0..<20 { count.wrappingAdd(1, ordering: .relaxed) } }
}

/// A race whose search does not come to an end.
let endlessRace = Race(
    RaceScenario(
        "endless", decides: "Nothing: a test.", makeState: { Endless() }, actors: [{ $0.raise() }, { $0.raise() }],
        finish: { $0.count.load(ordering: .relaxed) == 40 ? .acceptable("40") : .forbidden("lost update") }))
