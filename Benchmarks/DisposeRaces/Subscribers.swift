import Rx
import RxBenchRaces

/// A subscriber and its source, with operators that do not coordinate threads.
let subscriberRaces: [RaceScenario<Round>] =
    chains.flatMap { name, make in chainRaces("race/\(name)", make) } + [
        // The first `dispose()` to return makes the promise. The other call must not return before it holds.
        race("race/subscriber/dispose-inside-dispose", "Whether an observer and its owner may dispose at once.") {
            round in
            let (first, second) = (round.source(), round.source())
            let viewer = round.viewer(of: .merge(first.makeSequence(), second.makeSequence()))
            viewer.reaction = { _ in viewer.dispose() }
            round.expect(viewer, hears: ["", "1"], "an element on the disposing thread after dispose")
            return [
                { first.next(1) },
                {
                    viewer.dispose()
                    second.next(2)
                },
            ]
        },
        race("race/subscriber/subscribe-dispose-place", "Whether the place of a subscription may be disposed.") {
            round in
            let source = round.source()
            let viewer = round.viewer()
            let place = SingleAssignmentDisposable()
            round.expect("the subscription outlives its place") { source.release.count.now == 1 }
            let sequence = source.makeSequence()
            return [{ place.setDisposable(viewer.watching(sequence)) }, place.dispose]
        },
        race("race/subscriber/end-release", "Whether a subscription may be dropped as its sequence ends.") { round in
            let source = round.source()
            let viewer = round.viewer(of: source.makeSequence())
            round.expect(viewer, hears: ["|"], "the end was not told")
            return [source.complete, viewer.forget]
        },
        race("race/subscriber/dispose-dispose-next", "Whether three threads may share a subscription.", actors: 3) {
            round in
            let source = round.source()
            let viewer = round.viewer(of: source.makeSequence())
            round.label { "heard '\(viewer.story)'" }
            return [viewer.dispose, viewer.dispose, { source.next(1) }]
        },
        race("race/using/end-dispose", "Whether a resource is let go of once.") { round in
            let (source, resource) = (round.source(), round.release("resource"))
            let sequence = source.makeSequence()
            let viewer = round.viewer(
                of: .using({ CompositeDisposable(disposables: [resource.makeDisposable()]) }) { _ in sequence })
            return [source.complete, viewer.dispose]
        },
        race("race/using/begin-end", "Whether a sequence may end as its resource is made.") { round in
            let (trigger, made, released) = (PublishSubject<Int>(), Count(), Release())
            let sequence = round.source().makeSequence()
            let scoped = Observable<Int>.using({
                made.raise()
                return CompositeDisposable(disposables: [released.makeDisposable()])
            }) { _ in sequence }
            let viewer = round.viewer()
            let until = scoped.take(until: trigger)
            round.label { "heard '\(viewer.story)', made \(made.now)" }
            round.expectInTheEnd("a resource was not let go of once") { released.count.now == made.now }
            return [{ viewer.watch(until) }, { trigger.onNext(1) }]
        },
        race("race/do/end-dispose", "Whether what runs at the disposal runs once.") { round in
            let (source, disposal) = (round.source(), round.release("onDispose"))
            let viewer = round.viewer(of: source.makeSequence().do(onDispose: disposal.note))
            return [source.complete, viewer.dispose]
        },
    ]

private let chains: [(name: String, make: @Sendable (Observable<Int>) -> Observable<Int>)] = [
    ("subscriber", { $0 }), ("map-filter", { $0.map { $0 }.filter { $0 > 0 } }), ("take", { $0.take(1) }),
    ("scan", { $0.scan(0) { $0 + $1 } }),
]

private func chainRaces(
    _ id: String, _ make: @escaping @Sendable (Observable<Int>) -> Observable<Int>
) -> [RaceScenario<Round>] {
    func race(
        _ what: String, _ decides: String, _ act: @escaping @Sendable (OpenSource) -> Void
    ) -> RaceScenario<Round> {
        DisposeRaceBenchmarks.race("\(id)/\(what)", decides) { round in
            let source = round.source()
            let viewer = round.viewer(of: make(source.makeSequence()))
            round.expect("the source was not let go of") { source.release.count.now == 1 }
            round.label { "heard '\(viewer.story)'" }
            return [{ act(source) }, viewer.dispose]
        }
    }
    return [
        race("next-dispose", "Whether a subscription may be disposed while elements arrive.") { source in
            source.next(1)
            source.next(2)
        },
        race("end-dispose", "Whether a subscription may be disposed as its sequence completes.") { $0.complete() },
        race("error-dispose", "Whether a subscription may be disposed as its sequence fails.") { $0.fail() },
    ]
}
