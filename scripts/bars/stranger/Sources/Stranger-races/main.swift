import Dispatch
import Foundation
import RxBenchRaces
import Synchronization

final class Sale: Sendable {
    let seats = Atomic<Int>(1)
    let sold = Atomic<Int>(0)

    func sell(_ leaks: Bool) {
        guard seats.load(ordering: .relaxed) == 1 else { return }
        if leaks {
            seats.store(0, ordering: .relaxed)
        } else {
            guard seats.compareExchange(expected: 1, desired: 0, ordering: .relaxed).exchanged else { return }
        }
        sold.wrappingAdd(1, ordering: .relaxed)
    }
}

// @unchecked: the type is not thread-safe. This is the planted fault.
final class Count: @unchecked Sendable {
    let lock = Mutex(())
    var value = 0

    func add(_ leaks: Bool) {
        if leaks { value += 1 } else { lock.withLock { _ in value += 1 } }
    }
}

final class Transfer: Sendable {
    let one = Mutex(0)
    let other = Mutex(0)

    func forward() { one.withLock { _ in other.withLock { $0 += 1 } } }
    func backward(_ leaks: Bool) {
        if leaks { other.withLock { _ in one.withLock { $0 += 1 } } } else { forward() }
    }
}

func races(_ leaks: Bool) -> [Race] {
    let kind = leaks ? "leak" : "twin"
    return [
        Race(
            RaceScenario(
                "\(kind)/outcome", decides: "Whether a seat is sold twice.", makeState: { Sale() },
                actors: [{ $0.sell(leaks) }, { $0.sell(leaks) }],
                finish: {
                    let sold = $0.sold.load(ordering: .relaxed)
                    return sold == 1 ? .acceptable("once") : .forbidden("\(sold) times")
                })),
        Race(
            RaceScenario(
                "\(kind)/datarace", decides: "Whether a count needs a lock.", makeState: { Count() },
                actors: [{ $0.add(leaks) }, { $0.add(leaks) }], finish: { _ in .acceptable("counted") })),
        Race(
            RaceScenario(
                "\(kind)/deadlock", decides: "Whether two locks are taken in one order.", makeState: { Transfer() },
                actors: [{ $0.forward() }, { $0.backward(leaks) }], finish: { _ in .acceptable("moved") })),
        // Starts a process, which the search does not model.
        Race(
            RaceScenario(
                "\(kind)/unmodelled", decides: "What is said of calls that are not modelled.",
                makeState: { Count() },
                actors: [
                    { state in
                        let thread = Thread { state.add(leaks) }
                        thread.start()
                        while !thread.isFinished { usleep(10) }
                    }, { $0.add(leaks) },
                ], finish: { _ in .acceptable("counted") })),
    ]
}

RaceMain.run(races(true) + races(false))
