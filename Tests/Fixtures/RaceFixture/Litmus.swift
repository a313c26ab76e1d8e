import RxBenchRaces
import Synchronization

/// Two words, and the results of four reads.
private final class Words: Sendable {
    let x = Atomic<Int>(0), y = Atomic<Int>(0)
    let a = Atomic<Int>(0), b = Atomic<Int>(0), c = Atomic<Int>(0), d = Atomic<Int>(0)

    func readings(_ count: Int) -> String {
        [
            a.load(ordering: .relaxed), b.load(ordering: .relaxed), c.load(ordering: .relaxed),
            d.load(ordering: .relaxed),
        ]
        .prefix(count).map(String.init).joined()
    }
}

private func litmus(_ name: String, reads: Int, _ actors: [@Sendable (Words) -> Void]) -> Race {
    Race(
        RaceScenario(
            "litmus/\(name)", decides: "Nothing: a test.", makeState: { Words() }, actors: actors,
            finish: { .acceptable($0.readings(reads)) }))
}

/// The classic shapes, whose outcomes under sequential consistency are known (Alglave, Maranget, Tautschnig: Herding
/// Cats, 2014).
let litmusTests: [Race] = [
    litmus(
        "store-buffering", reads: 2,
        [
            {
                $0.x.store(1, ordering: .relaxed); $0.a.store($0.y.load(ordering: .relaxed), ordering: .relaxed)
            },
            {
                $0.y.store(1, ordering: .relaxed); $0.b.store($0.x.load(ordering: .relaxed), ordering: .relaxed)
            },
        ]),
    litmus(
        "message-passing", reads: 2,
        [
            {
                $0.x.store(1, ordering: .relaxed); $0.y.store(1, ordering: .relaxed)
            },
            {
                $0.a.store($0.y.load(ordering: .relaxed), ordering: .relaxed)
                $0.b.store($0.x.load(ordering: .relaxed), ordering: .relaxed)
            },
        ]),
    litmus(
        "load-buffering", reads: 2,
        [
            {
                $0.a.store($0.x.load(ordering: .relaxed), ordering: .relaxed); $0.y.store(1, ordering: .relaxed)
            },
            {
                $0.b.store($0.y.load(ordering: .relaxed), ordering: .relaxed); $0.x.store(1, ordering: .relaxed)
            },
        ]),
    litmus(
        "coherence", reads: 2,
        [
            {
                $0.x.store(1, ordering: .relaxed); $0.x.store(2, ordering: .relaxed)
            },
            {
                $0.a.store($0.x.load(ordering: .relaxed), ordering: .relaxed)
                $0.b.store($0.x.load(ordering: .relaxed), ordering: .relaxed)
            },
        ]),
    litmus(
        "independent-reads", reads: 4,
        [
            { $0.x.store(1, ordering: .relaxed) },
            { $0.y.store(1, ordering: .relaxed) },
            {
                $0.a.store($0.x.load(ordering: .relaxed), ordering: .relaxed)
                $0.b.store($0.y.load(ordering: .relaxed), ordering: .relaxed)
            },
            {
                $0.c.store($0.y.load(ordering: .relaxed), ordering: .relaxed)
                $0.d.store($0.x.load(ordering: .relaxed), ordering: .relaxed)
            },
        ]),
]
