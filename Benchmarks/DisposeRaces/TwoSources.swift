import Rx
import RxBenchRaces

/// An operator with two sources, and the events that its subscriber may receive.
///
/// In its races the first source sends 1 or ends, while the second sends 2, ends, or the subscription is disposed.
struct TwoSourceOperator: Sendable {
    let name: String
    /// The stories if 1 and 2 are sent at the same time: see `Viewer.story`.
    let elements: Set<String>
    /// The stories if both sources complete at the same time.
    let ends: Set<String>
    /// The stories if the first source fails while the second sends 2.
    let errors: Set<String>
    /// Sends the elements that have to precede the race.
    var prime: @Sendable (OpenSource, OpenSource) -> Void = { _, _ in }
    let make: @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>

    fileprivate struct Scene {
        let first: OpenSource
        let second: OpenSource
        let viewer: Viewer
    }

    fileprivate func scene(in round: Round) -> Scene {
        let (first, second) = (round.source(), round.source())
        let viewer = round.viewer(of: make(first.makeSequence(), second.makeSequence()))
        prime(first, second)
        return Scene(first: first, second: second, viewer: viewer)
    }

    private func race(
        _ what: String, _ decides: String, actors: Int = 2,
        _ prepare: @escaping @Sendable (Round, Scene) -> [() -> Void]
    ) -> RaceScenario<Round> {
        DisposeRaceBenchmarks.race("race/\(name)/\(what)", decides, actors: actors) { prepare($0, scene(in: $0)) }
    }

    /// The races that run for every operator with two sources.
    var races: [RaceScenario<Round>] {
        [
            race("next-next", "Whether both sources may send at once.") { round, scene in
                round.expect(scene.viewer, hears: elements, "an element was lost, doubled or came out of turn")
                return [{ scene.first.next(1) }, { scene.second.next(2) }]
            },
            race("end-end", "Whether both sources may complete at once.") { round, scene in
                round.expect(scene.viewer, hears: ends, "the end of both sources was not told once")
                return [scene.first.complete, scene.second.complete]
            },
            race("error-next", "Whether a source may fail while the other sends.") { round, scene in
                round.expect(scene.viewer, hears: errors, "the error was not told, or not last")
                return [scene.first.fail, { scene.second.next(2) }]
            },
            race("next-dispose", "Whether the subscription may be disposed while a source sends.") { round, scene in
                round.label { "heard '\(scene.viewer.story)'" }
                return [{ scene.first.next(1) }, scene.viewer.dispose]
            },
            race("end-dispose", "Whether the subscription may be disposed while its sources end.") { round, scene in
                round.label { "heard '\(scene.viewer.story)'" }
                return [
                    {
                        scene.first.complete()
                        scene.second.complete()
                    }, scene.viewer.dispose,
                ]
            },
            race("dispose-inside", "Whether an observer may dispose while the other source sends.") { round, scene in
                let before = scene.viewer.elements
                scene.viewer.reaction = { _ in scene.viewer.dispose() }
                round.expect("an element came after the observer had disposed") { scene.viewer.elements <= before + 1 }
                return [{ scene.first.next(1) }, { scene.second.next(2) }]
            },
            race("re-enter", "Whether an observer may send while the other source sends.") { round, scene in
                round.label { "heard '\(scene.viewer.story)'" }
                scene.viewer.reaction = { [first = scene.first] element in
                    if element == 1 { first.next(3) }
                }
                return [{ scene.first.next(1) }, { scene.second.next(2) }]
            },
        ]
    }

    /// A race of three actors, for the few operators whose search stays short.
    var threefold: RaceScenario<Round> {
        race("next-next-dispose", "Whether the subscription may be disposed while both sources send.", actors: 3) {
            round, scene in
            round.label { "heard '\(scene.viewer.story)'" }
            return [{ scene.first.next(1) }, { scene.second.next(2) }, scene.viewer.dispose]
        }
    }
}

/// Maps 0 to the second source, and each other element to a sequence that contains only this element.
private func inner(_ second: Observable<Int>) -> (Int) -> Observable<Int> { { $0 == 0 ? second : .just($0) } }

private let mergeOfTwo = TwoSourceOperator(name: "merge", elements: ["12", "21"], ends: ["|"], errors: ["!", "2!"]) {
    .merge($0, $1)
}

private let combineLatestOfTwo = TwoSourceOperator(
    name: "combine-latest", elements: ["643", "653"], ends: ["6|"], errors: ["6!", "65!"],
    prime: {
        $0.next(3)
        $1.next(3)
    }, make: { .combineLatest($0, $1) { $0 + $1 } })

/// An operator that subscribes to an inner sequence for each element; the second source is one of these sequences.
private func innerOperator(
    _ name: String, elements: Set<String>,
    make: @escaping @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>
) -> TwoSourceOperator {
    TwoSourceOperator(
        name: name, elements: elements, ends: ["|"], errors: ["!", "2!"], prime: { outer, _ in outer.next(0) },
        make: make)
}

private let twoSourceOperators: [TwoSourceOperator] = [
    mergeOfTwo, combineLatestOfTwo,
    TwoSourceOperator(name: "zip", elements: ["3"], ends: ["|"], errors: ["!"]) { .zip($0, $1) { $0 + $1 } },
    TwoSourceOperator(
        name: "with-latest-from", elements: ["3", "4"], ends: ["|"], errors: ["!"], prime: { $1.next(3) },
        make: { $0.withLatestFrom($1) { $0 + $1 } }),
    TwoSourceOperator(name: "sample", elements: ["", "1"], ends: ["|"], errors: ["!"]) { $0.sample($1) },
    TwoSourceOperator(name: "amb", elements: ["1", "2"], ends: ["|"], errors: ["!", "2"]) { $0.amb($1) },
    TwoSourceOperator(name: "take-until", elements: ["|", "1|"], ends: ["|"], errors: ["!", "|"]) {
        $0.take(until: $1)
    },
    // Before the second source sends an element, no completion is delivered: the subscription just ends.
    TwoSourceOperator(name: "skip-until", elements: ["", "1"], ends: [""], errors: ["!"]) { $0.skip(until: $1) },
    innerOperator("flat-map", elements: ["12", "21"]) { $0.flatMap(inner($1)) },
    // Delivered inside the element, without a separate subscription, while the other inner sequence sends.
    innerOperator("flat-map-of-many", elements: ["132", "123", "213"]) { outer, second in
        outer.flatMap { $0 == 0 ? second : .of($0, $0 + 2) }
    },
    innerOperator("merge-limited", elements: ["12", "21"]) { $0.map(inner($1)).merge(maxConcurrent: 2) },
    innerOperator("flat-map-first", elements: ["2"]) { $0.flatMapFirst(inner($1)) },
    // After 1 has arrived, no element of the previous sequence is delivered.
    innerOperator("flat-map-latest", elements: ["1", "21"]) { $0.flatMapLatest(inner($1)) },
    innerOperator("switch-latest", elements: ["1", "21"]) { $0.map(inner($1)).switchLatest() },
    innerOperator("concat-map", elements: ["2"]) { $0.concatMap(inner($1)) },
]

let twoSourceRaces: [RaceScenario<Round>] =
    twoSourceOperators.flatMap(\.races)
    + [mergeOfTwo, combineLatestOfTwo].map(\.threefold) + handOverRaces
    + [crossedRace("race/merge/crossed") { .merge($0, $1) }]

/// A known race: observers that dispose each other take the locks of two coordinators in opposite order.
///
/// - Parameter beforeDisposing: Called by each observer before it disposes the other subscription.
package func crossedRace(
    _ id: String, beforeDisposing: @escaping @Sendable () -> Void = {},
    _ join: @escaping @Sendable (Observable<Int>, Observable<Int>) -> Observable<Int>
) -> RaceScenario<Round> {
    race(id, "Whether observers of two joined sequences may dispose each other.") { round in
        let sources = (0..<4).map { _ in round.source() }
        let first = round.viewer(of: join(sources[0].makeSequence(), sources[1].makeSequence()))
        let second = round.viewer(of: join(sources[2].makeSequence(), sources[3].makeSequence()))
        first.reaction = { _ in
            beforeDisposing()
            second.dispose()
        }
        second.reaction = { _ in
            beforeDisposing()
            first.dispose()
        }
        round.label { "heard '\(first.story)' and '\(second.story)'" }
        return [{ sources[0].next(1) }, { sources[2].next(2) }]
    }
}

// MARK: One sequence after another

/// Races of a sequence that replaces another sequence while a second event happens.
private let handOverRaces: [RaceScenario<Round>] = [
    race("race/concat/end-dispose", "Whether a disposal can miss the next sequence.") { round in
        let (first, second) = (round.source(), round.source())
        let viewer = round.viewer(of: first.makeSequence().concat(second.makeSequence()))
        round.expect("a sequence begins after the subscription was disposed and stays") {
            second.subscriptions == second.release.count.now
        }
        round.label { second.subscriptions == 0 ? "disposed first" : "second sequence began" }
        return [first.complete, viewer.dispose]
    },
    race("race/merge-limited/end-outer-end", "Whether a sequence that waits can be forgotten.") { round in
        let (outer, first, second) = (round.source(), round.source(), round.source())
        let inners = [first.makeSequence(), second.makeSequence()]
        let viewer = round.viewer(of: outer.makeSequence().map { inners[$0] }.merge(maxConcurrent: 1))
        outer.next(0)
        outer.next(1)
        round.afterwards {
            second.next(2)
            second.complete()
        }
        round.expect(viewer, hears: ["2|"], "the sequence that waited was forgotten")
        return [first.complete, outer.complete]
    },
    race("race/merge-limited/end-next", "Whether a sequence can be forgotten that comes as a place is given up.") {
        round in
        let (outer, first) = (round.source(), round.source())
        let inner = first.makeSequence()
        let viewer = round.viewer(
            of: outer.makeSequence().map { $0 == 0 ? inner : .just($0) }.merge(maxConcurrent: 1))
        outer.next(0)
        round.expect(viewer, hears: ["1"], "the sequence that came was forgotten")
        return [first.complete, { outer.next(1) }]
    },
    race("race/concat-map/end-next", "Whether a sequence can be forgotten that comes as the one before ends.") {
        round in
        let (outer, first) = (round.source(), round.source())
        let inner = first.makeSequence()
        let viewer = round.viewer(of: outer.makeSequence().concatMap { $0 == 0 ? inner : .just($0) })
        outer.next(0)
        round.expect(viewer, hears: ["1"], "the sequence that came was forgotten")
        return [first.complete, { outer.next(1) }]
    },
    race("race/flat-map-first/end-next", "Whether an element may come as the inner sequence ends.") { round in
        let (outer, first) = (round.source(), round.source())
        let inner = first.makeSequence()
        let viewer = round.viewer(of: outer.makeSequence().flatMapFirst { $0 == 0 ? inner : .just($0) })
        outer.next(0)
        round.afterwards(outer.complete)
        round.expect(viewer, hears: ["|", "1|"], "the end was not told")
        return [first.complete, { outer.next(1) }]
    },
    race("race/flat-map-latest/end-next", "Whether an element may come as the latest sequence ends.") { round in
        let (outer, first) = (round.source(), round.source())
        let inner = first.makeSequence()
        let viewer = round.viewer(of: outer.makeSequence().flatMapLatest { $0 == 0 ? inner : .just($0) })
        outer.next(0)
        round.afterwards {
            outer.next(2)
            outer.complete()
        }
        round.expect(viewer, hears: ["12|"], "the latest sequence was lost, or the end was not told in its time")
        return [first.complete, { outer.next(1) }]
    },
    race("race/amb/subscribe-next", "Whether a source may win before the others are subscribed to.") { round in
        let (first, second, viewer) = (PublishSubject<Int>(), round.source(), round.viewer())
        let sequence = first.amb(second.makeSequence())
        round.expect("the loser was not let go of") {
            viewer.elements == 0 || second.release.count.now == second.subscriptions
        }
        return [{ viewer.watch(sequence) }, { first.onNext(1) }]
    },
    race("race/amb/loser", "Whether the loser of amb is let go of when both send at once.") { round in
        let (first, second) = (round.source(), round.source())
        let viewer = round.viewer(of: first.makeSequence().amb(second.makeSequence()))
        round.expect("not exactly one of two sources was let go of") {
            first.release.count.now + second.release.count.now == 1
        }
        round.expect(viewer, hears: ["1", "2"], "not exactly one source was let through")
        return [{ first.next(1) }, { second.next(2) }]
    },
]
