import DisposeRaceBenchmarks
import Rx
import RxBenchRaces

extension PlantedRace {
    /// All known shapes.
    package static let all: [PlantedRace] = sharing + disposing + scheduling + [reusedNode]

    private static let sharing = [
        PlantedRace(
            "share that reconnects as the last subscriber leaves", broken: "the newcomer is not connected: heard ''"
        ) {
            isFaulty, pause in
            form("planted-share", isFaulty ? .disconnectsLate : nil, pause).reconnect
        },
        PlantedRace("refCount that connects twice", broken: "the source was subscribed to more than once") {
            isFaulty, pause in
            form("planted-ref-count", isFaulty ? .connectsTwice : nil, pause).firstTwo
        },
        PlantedRace(
            "share under combineLatest, locks in opposite order", broken: "two threads wait for each other's lock"
        ) {
            isFaulty, pause in
            form("planted-share", isFaulty ? .sendsUnderLock : nil, pause).crossed
        },
        PlantedRace("two merges, locks in opposite order", broken: "two threads wait for each other's lock") {
            isFaulty, pause in
            // An observer disposes only when it receives an element, so both have to be inside their reactions.
            crossedRace("race/planted-merge/crossed", beforeDisposing: { pause.step() }) {
                mergeByHand($0, $1, disposesUnderLock: isFaulty)
            }
        },
    ]

    private static func form(_ name: String, _ fault: ShareByHand.Fault?, _ pause: Pause) -> SharingForm {
        SharingForm(name: name) { ShareByHand($0, fault, pause).sequence }
    }

    private static let disposing = [
        PlantedRace("serial disposable that is assigned after dispose", broken: "new one disposed 0 times") {
            isFaulty, pause in
            assignmentRace("race/planted-serial-disposable/assign-dispose") {
                PlaceByHand(looksFirst: isFaulty, pause)
            }
        },
        PlantedRace("continuation that is resumed twice", broken: "the continuation was resumed other than once") {
            isFaulty, pause in
            race("race/planted-continuation/event-cancel", "Whether an event may come with a cancellation.") { round in
                let continuation = WaiterByHand(looksFirst: isFaulty, pause)
                round.expect("the continuation was resumed other than once") { continuation.resumptions == 1 }
                return [continuation.resume, continuation.resume]
            }
        },
    ]

    private static let scheduling = [
        PlantedRace("observe(on:) that schedules while disposing", broken: "a turn stays scheduled after dispose") {
            isFaulty, pause in
            observeOn(isFaulty ? .keepsLate : nil, pause).scheduleDispose
        },
        PlantedRace(
            "wake-up that is lost as a queue goes to rest",
            broken: "an event was lost, doubled or came out of turn: heard '1'", actor: 1
        ) { isFaulty, pause in
            observeOn(isFaulty ? .restsLate : nil, pause).nextTurn
        },
    ]

    private static func observeOn(_ fault: ObserveOnByHand.Fault?, _ pause: Pause) -> TimedOperator {
        TimedOperator(name: "planted-observe-on", elements: ["12"], ends: nil, errors: nil) { source, scheduler in
            ObserveOnByHand.sequence(source, on: scheduler, fault, pause)
        }
    }

    private static let reusedNode = PlantedRace("ABA on a reused node", broken: "a node is in two hands") {
        isFaulty, pause in
        race("race/planted-pool/reuse", "Whether nodes may be taken and given back at once.") { round in
            let pool = NodePool(nodes: 3, countsChanges: !isFaulty, pause)
            let hands = Hands()
            round.expect("a node is in two hands") {
                var all = hands.held
                // More nodes than the pool has would mean a cycle in its list.
                while all.count < 9, let node = pool.take() { all.append(node) }
                return all.count == 3 && Set(all).count == 3
            }
            return [
                { hands.first = pool.take() },
                {
                    let first = pool.take()
                    hands.second = pool.take()
                    if let first { pool.give(first) }
                },
            ]
        }
    }

    private final class Hands: @unchecked Sendable {
        // @unchecked: each actor writes its own property, and both are read after the actors have ended.
        var first: Int?
        var second: Int?
        var held: [Int] { [first, second].compactMap { $0 } }
    }
}
