import Rx
import RxBenchRaces

/// An operator that shares one subscription to the source between several subscribers.
package struct SharingForm: Sendable {
    let name: String
    /// The number of earlier elements that a new subscriber receives.
    let replay: Int
    let share: @Sendable (Observable<Int>) -> Observable<Int>

    /// - Parameter share: Applied to the source once in each round.
    package init(name: String, replay: Int = 0, share: @escaping @Sendable (Observable<Int>) -> Observable<Int>) {
        self.name = name
        self.replay = replay
        self.share = share
    }

    fileprivate func race(
        _ what: String, _ decides: String, actors: Int = 2,
        _ prepare: @escaping @Sendable (Round, OpenSource, Observable<Int>) -> [() -> Void]
    ) -> RaceScenario<Round> {
        DisposeRaceBenchmarks.race("race/\(name)/\(what)", decides, actors: actors) { round in
            let source = round.source()
            return prepare(round, source, share(source.makeSequence()))
        }
    }

    /// The races that run for every sharing operator.
    var races: [RaceScenario<Round>] { comingAndGoing + ending }

    /// A known race: a library crashed or lost the new subscriber when it reconnected as the last one left.
    package var reconnect: RaceScenario<Round> {
        race("reconnect", "Whether a subscriber may come as the last one leaves.") { round, source, shared in
            let last = round.viewer(of: shared)
            let newcomer = round.viewer()
            round.afterwards { source.next(5) }
            round.expect(newcomer, hears: ["5"], "the newcomer is not connected")
            round.expect("the newcomer's connection is not the only one") {
                source.subscriptions - source.release.count.now == 1
            }
            round.label { "\(source.subscriptions) connections" }
            return [last.dispose, { newcomer.watch(shared) }]
        }
    }

    /// A known race: two subscribers that were the first at the same time made two connections.
    package var firstTwo: RaceScenario<Round> {
        race("first-two", "Whether two subscribers may be the first at once.") { round, source, shared in
            let viewers = [round.viewer(), round.viewer()]
            round.afterwards { source.next(5) }
            round.expect("the source was subscribed to more than once") { source.subscriptions == 1 }
            for viewer in viewers { round.expect(viewer, hears: ["5"], "a subscriber is not connected") }
            return viewers.map { viewer in { viewer.watch(shared) } }
        }
    }

    /// A known race: the locks of `share` and `combineLatest`, taken in opposite order.
    package var crossed: RaceScenario<Round> {
        race("combine-latest-crossed", "Whether an observer may leave what another one shares.") {
            round, source, shared in
            let other = round.source()
            let member = round.viewer(of: shared)
            let combined = round.viewer(of: .combineLatest(shared, other.makeSequence()) { $0 + $1 })
            source.next(1)
            other.next(1)
            combined.reaction = { _ in member.dispose() }
            round.expect(combined, hears: ["235", "245"], "an element was lost")
            return [{ source.next(2) }, { other.next(3) }]
        }
    }

    private var comingAndGoing: [RaceScenario<Round>] {
        [
            reconnect, firstTwo, crossed,
            race("last-two-leave", "Whether the last two subscribers may leave at once.") { round, source, shared in
                let viewers = [round.viewer(of: shared), round.viewer(of: shared)]
                round.expect("the connection stays without subscribers") { source.release.count.now == 1 }
                return viewers.map { $0.dispose }
            },
            race("next-leave", "Whether one subscriber may leave while all are sent to.") { round, source, shared in
                let (leaving, staying) = (round.viewer(of: shared), round.viewer(of: shared))
                round.expect(staying, hears: ["1"], "an element was lost to one who stays")
                round.label { "leaving heard '\(leaving.story)'" }
                return [{ source.next(1) }, leaving.dispose]
            },
            race("next-join", "Whether a subscriber may come while others are sent to.") { round, source, shared in
                let early = round.viewer(of: shared)
                source.next(1)
                let late = round.viewer()
                round.expect(early, hears: ["12"], "an element was lost to one who was there")
                round.expect(
                    late, hears: replay == 0 ? ["", "2"] : ["12", "2"],
                    "a newcomer heard other than the latest elements in order")
                return [{ source.next(2) }, { late.watch(shared) }]
            },
            race("dispose-inside", "Whether an observer may let everybody go while another leaves.") {
                round, source, shared in
                let (first, second) = (round.viewer(of: shared), round.viewer(of: shared))
                first.reaction = { _ in
                    first.dispose()
                    second.dispose()
                }
                round.expect("the connection stays without subscribers") { source.release.count.now == 1 }
                return [{ source.next(1) }, second.dispose]
            },
        ]
    }

    private var ending: [RaceScenario<Round>] {
        [
            race("end-join", "Whether a subscriber may come as the source ends.") { round, source, shared in
                let early = round.viewer(of: shared)
                let late = round.viewer()
                round.expect(early, hears: ["|"], "one who was there missed the end")
                round.afterwards { source.next(5) }
                round.expect(late, hears: ["5", "|"], "a newcomer neither heard the end nor was connected")
                round.label { "\(source.subscriptions) connections" }
                return [source.complete, { late.watch(shared) }]
            },
            race("error-leave", "Whether the last subscriber may leave as the source fails.") { round, source, shared in
                let viewer = round.viewer(of: shared)
                round.expect("the source was not let go of") { source.release.count.now == 1 }
                round.label { "heard '\(viewer.story)'" }
                return [source.fail, viewer.dispose]
            },
            race("retry-leave", "Whether a subscriber that tries again may leave meanwhile.") { round, source, shared in
                let viewer = round.viewer(of: shared.retry(2))
                round.label { "\(source.subscriptions) connections" }
                return [source.fail, viewer.dispose]
            },
        ]
    }
}

private let sharingForms: [SharingForm] = [
    SharingForm(name: "share") { $0.share() },
    SharingForm(name: "share-replay", replay: 1) { $0.share(replay: 1) },
    SharingForm(name: "share-forever", replay: 1) { $0.share(replay: 1, scope: .forever) },
    SharingForm(name: "ref-count") { $0.publish().refCount() },
    SharingForm(name: "replay-ref-count", replay: 1) { $0.replay(1).refCount() },
]

let sharingRaces: [RaceScenario<Round>] = sharingForms.flatMap(\.races) + connectableRaces

// MARK: connect

private let connectableForms: [(name: String, make: @Sendable (Observable<Int>) -> ConnectableObservable<Int>)] = [
    ("publish", { $0.publish() }), ("multicast", { $0.multicast(PublishSubject()) }),
]

private let connectableRaces: [RaceScenario<Round>] = connectableForms.flatMap { name, make in
    connectableRaces("race/\(name)", make)
}

private func connectableRaces(
    _ id: String, _ make: @escaping @Sendable (Observable<Int>) -> ConnectableObservable<Int>
) -> [RaceScenario<Round>] {
    [
        race("\(id)/connect-connect", "Whether two threads may connect at once.") { round in
            let source = round.source()
            let sequence = make(source.makeSequence())
            let viewer = round.viewer(of: sequence)
            let (first, second) = (SerialDisposable(), SerialDisposable())
            round.afterwards {
                source.next(5)
                first.dispose()
                second.dispose()
            }
            round.expect(viewer, hears: ["5"], "the source was connected other than once")
            round.expect("the source was connected other than once") { source.subscriptions == 1 }
            return [{ first.disposable = sequence.connect() }, { second.disposable = sequence.connect() }]
        },
        race("\(id)/connect-disconnect", "Whether a connection may be made as another ends.") { round in
            let source = round.source()
            let sequence = make(source.makeSequence())
            let (old, new) = (sequence.connect(), SerialDisposable())
            let late = round.viewer()
            round.expect("a connection that ended is still connected") {
                source.release.count.now >= 1
            }
            round.afterwards {
                late.watch(sequence)
                source.next(5)
                new.dispose()
            }
            round.expect("one who comes later does not hear the new connection") {
                late.story == (source.subscriptions == 2 ? "5" : "")
            }
            round.label { "\(source.subscriptions) connections" }
            return [{ new.disposable = sequence.connect() }, old.dispose]
        },
        race("\(id)/subscribe-connect", "Whether the first subscriber may come as the source is connected.") { round in
            let source = round.source()
            let sequence = make(source.makeSequence())
            let (viewer, connection) = (round.viewer(), SerialDisposable())
            round.afterwards {
                source.next(5)
                connection.dispose()
            }
            round.expect(viewer, hears: ["5"], "a subscriber is not connected")
            return [{ viewer.watch(sequence) }, { connection.disposable = sequence.connect() }]
        },
        race("\(id)/next-disconnect", "Whether a connection may end while its source sends.") { round in
            let source = round.source()
            let sequence = make(source.makeSequence())
            let viewer = round.viewer(of: sequence)
            let connection = sequence.connect()
            round.afterwards { source.next(2) }
            round.expect(viewer, hears: ["", "1"], "an element came after the connection had ended")
            return [{ source.next(1) }, connection.dispose]
        },
        race("\(id)/end-disconnect", "Whether a connection may be ended as its source ends.") { round in
            let source = round.source()
            let sequence = make(source.makeSequence())
            let viewer = round.viewer(of: sequence)
            let connection = sequence.connect()
            round.expect(viewer, hears: ["", "|"], "the end was told twice")
            return [source.complete, connection.dispose]
        },
        race("\(id)/subscribe-disconnect", "Whether a subscriber may come as the connection ends.") { round in
            let source = round.source()
            let sequence = make(source.makeSequence())
            let viewer = round.viewer()
            let connection = sequence.connect()
            round.afterwards { source.next(2) }
            round.expect(viewer, hears: [""], "an element came after the connection had ended")
            return [{ viewer.watch(sequence) }, connection.dispose]
        },
    ]
}
