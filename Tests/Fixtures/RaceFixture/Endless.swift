import Foundation
import RxBench
import RxBenchRaces
import Synchronization

private let executions = Atomic<Int>(0)

/// A count that is raised in too many steps to search every order.
private final class Endless: Sendable {
    let count = Atomic<Int>(0)

    /// If RACE_FIXTURE_INTERRUPT is set, the thousandth execution interrupts the tool as a user would, and writes the
    /// number of this process to the file of that name.
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

/// Memory that an actor waits for without synchronization. Unchecked: the race is the point.
private final class Waited: @unchecked Sendable {
    var isSet = false
    let lock = Mutex(false)
}

/// Races whose search doesn't end.
let endlessRaces = [
    program(
        "endless", { Endless() }, { $0.raise() }, { $0.raise() },
        finish: { $0.count.load(ordering: .relaxed) == 40 ? .acceptable("40") : .forbidden("lost update") }),
    program(
        "unending/planted/plain", { Waited() }, { state in while !state.isSet { keep(0) } }, { $0.isSet = true }),
    program("unending/loop", { Waited() }, { _ in while true {} }, { $0.isSet = true }),
    program("unending/make-state", { () -> Waited in while true {} }, { _ in }, { _ in }),
    program(
        "unending/finish", { Waited() }, { _ in }, { _ in },
        finish: { _ in
            while true { usleep(1) }
        }),
    program("unending/library", { Waited() }, { _ in while true { _ = [3, 1, 2].sorted().description } }, { _ in }),
    program("unending/slow", { Waited() }, { _ in for index in 0..<300_000_000 { blackHole(index) } }, { _ in }),
    program(
        "unending/polls", { Waited() }, { state in while !state.lock.withLock({ $0 }) {} },
        { state in while !state.lock.withLock({ $0 }) {} }),
]
