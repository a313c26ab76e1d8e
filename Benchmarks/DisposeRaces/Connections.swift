import Rx
import RxBench
import RxBenchRaces
import Synchronization

/// Shared sequences that two threads subscribe to and unsubscribe from.
let connectionRaces: [Benchmark] = [shareConnections.benchmark, refCountConnections.benchmark]

// `share` releases its old connection outside its lock: the next connection may begin before that.
let shareConnections = connectAgainstDisconnect("race/share/connect-disconnect", overlap: { .interesting($0) }) {
    $0.share()
}
let refCountConnections = connectAgainstDisconnect("race/ref-count/connect-disconnect", overlap: { .forbidden($0) }) {
    $0.publish().refCount()
}

/// Counts the connections to a source.
final class ConnectionMeter: Sendable {
    private let open = Atomic<Int>(0)
    private let most = Atomic<Int>(0)
    let total = Count()

    /// A sequence that never ends.
    func makeSequence() -> Observable<Int> {
        .create { _ in
            self.total.raise()
            self.most.max(self.open.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
            return Closing(self)
        }
    }

    var openNow: Int { open.load(ordering: .relaxed) }
    var mostAtOnce: Int { most.load(ordering: .relaxed) }

    /// Counts every disposal: a second disposal makes the number of open connections negative.
    private final class Closing: Disposable {
        private let meter: ConnectionMeter
        init(_ meter: ConnectionMeter) { self.meter = meter }
        func dispose() { meter.open.wrappingSubtract(1, ordering: .relaxed) }
    }
}

/// Unchecked: its fields are set before the race begins.
final class Visitors: @unchecked Sendable {
    let meter = ConnectionMeter()
    let witnesses = [Witness(), Witness()]
    let sequence: Observable<Int>

    init(_ share: (Observable<Int>) -> Observable<Int>) { sequence = share(meter.makeSequence()) }

    func visit(_ index: Int) { witnesses[index].watch(sequence).dispose() }
}

func connectAgainstDisconnect(
    _ id: String, overlap: @escaping @Sendable (String) -> RaceGrade,
    share: @escaping @Sendable (Observable<Int>) -> Observable<Int>
) -> RaceScenario<Visitors> {
    RaceScenario(
        id, decides: "Whether subscribers of a shared sequence may come and go on any thread.", rounds: rounds,
        makeState: { Visitors(share) },
        actors: [{ $0.visit(0) }, { $0.visit(1) }],
        finish: { round in
            if let violation = round.witnesses[0].violation ?? round.witnesses[1].violation { return violation }
            let (open, total) = (round.meter.openNow, round.meter.total.now)
            if open != 0 { return .forbidden("connections left open: \(open)") }
            if !(1...2).contains(total) { return .forbidden("\(total) connections for 2 subscribers") }
            if round.meter.mostAtOnce > 1 { return overlap("next connection began before the last one ended") }
            return .acceptable(total == 1 ? "one connection for both" : "one connection each")
        })
}
