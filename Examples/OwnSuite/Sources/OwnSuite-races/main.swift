import OwnSuiteWork
import RxBenchRaces
import Synchronization

/// One seat, and a count of those who hold it.
final class Sale: Sendable {
    let seats = Seats(1)
    let sold = Atomic<Int>(0)

    func sell() { if seats.sell() { sold.wrappingAdd(1, ordering: .relaxed) } }
}

// Each race: a stable ID, the decision that it informs, a state made again for each execution, two to four
// actors that touch it at once, and a grade for the outcome.
RaceMain.run([
    Race(
        RaceScenario(
            "race/seats", decides: "Whether a seat may be sold without a lock.",
            makeState: { Sale() },
            actors: [{ $0.sell() }, { $0.sell() }],
            finish: {
                let sold = $0.sold.load(ordering: .relaxed)
                return sold == 1 ? .acceptable("sold once") : .forbidden("sold \(sold) times")
            }))
])
