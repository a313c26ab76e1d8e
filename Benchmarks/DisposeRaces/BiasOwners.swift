import Rx
import RxBenchRaces

/// Races between the bias owner of a subject, or of the lock of a coordinator, and the first other thread that uses
/// it.
let biasRaces: [RaceScenario<Round>] = [
    biasRace("publish-subject/dispose", "Whether the bias owner delivers to an observer that is gone.") { round in
        let subject = PublishSubject<Int>()
        let (leaving, staying) = (round.viewer(of: subject), round.viewer(of: subject))
        round.expect(staying, hears: ["1234"], "one who stays missed an element")
        round.label { "leaving heard '\(leaving.story)'" }
        round.expectInTheEnd("a disposed observer is still on the list") { !subject.hasObservers }
        return [{ for element in 1...4 { subject.onNext(element) } }, leaving.dispose]
    },
    biasRace("publish-subject/subscribe", "Whether one may subscribe while the bias owner sends.") { round in
        let subject = PublishSubject<Int>()
        let (early, late) = (round.viewer(of: subject), round.viewer())
        round.expect(early, hears: ["123"], "one who was there missed an element")
        round.expect(late, hears: ["", "3", "23", "123"], "a newcomer heard a gap")
        return [{ for element in 1...3 { subject.onNext(element) } }, { late.watch(subject) }]
    },
    biasRace("publish-subject/nested", "Whether the bias owner may send again inside an event.") { round in
        let subject = PublishSubject<Int>()
        let (inside, leaving) = (round.viewer(of: subject), round.viewer(of: subject))
        inside.reaction = { element in if element == 3 { subject.onNext(4) } }
        round.expect(inside, hears: ["1234"], "the one who sends missed an element")
        return [{ for element in 1...3 { subject.onNext(element) } }, leaving.dispose]
    },
    biasRace("publish-subject/senders", "Whether another thread may send next to the bias owner.") { round in
        let subject = PublishSubject<Int>()
        let count = Count()
        let steady = subject.subscribe(onNext: { _ in count.raise() })
        let leaving = subject.subscribe()
        round.lastly(steady.dispose)
        round.expect("an element was lost") { count.now == 4 }
        return [
            { for element in 1...3 { subject.onNext(element) } },
            {
                subject.onNext(4)
                leaving.dispose()
            },
        ]
    },
    biasRace(
        "publish-subject/two-leave", "Whether one may leave after another has revoked the bias.", actors: 3
    ) { round in
        let subject = PublishSubject<Int>()
        let count = Count()
        let leaving = (0..<2).map { _ in subject.subscribe() }
        let staying = subject.subscribe(onNext: { _ in count.raise() })
        round.lastly(staying.dispose)
        // In a search, the preparing thread is also the first actor's thread: it becomes the bias owner here.
        for element in 1...2 { subject.onNext(element) }
        round.expect("an element was lost") { count.now == 3 }
        return [{ subject.onNext(3) }, leaving[0].dispose, leaving[1].dispose]
    },
    biasRace("behavior-subject/subscribe", "Whether a newcomer receives the latest once from the bias owner.") {
        round in
        let subject = BehaviorSubject(value: 0)
        let (early, late) = (round.viewer(of: subject), round.viewer())
        round.expect(early, hears: ["123"], "one who was there missed an element")
        round.expect(late, hears: ["123", "23", "3"], "a newcomer heard a gap")
        return [{ for element in 1...3 { subject.onNext(element) } }, { late.watch(subject) }]
    },
    biasRace("merge/next", "Whether two sources may send, one of them as bias owner.") { round in
        let (first, second) = (round.source(), round.source())
        let viewer = round.viewer(of: .merge(first.makeSequence(), second.makeSequence()))
        round.expect(viewer, hears: ["1234", "1243", "1423", "4123"], "an element was lost or out of turn")
        return [{ for element in 1...3 { first.next(element) } }, { second.next(4) }]
    },
    biasRace("merge/nested", "Whether the bias owner may send inside an event while another sends.") { round in
        let (first, second) = (round.source(), round.source())
        let viewer = round.viewer(of: .merge(first.makeSequence(), second.makeSequence()))
        viewer.reaction = { [first] element in if element == 2 { first.next(3) } }
        round.expect(viewer, hears: ["1234", "1423", "4123"], "an element was lost or between nested ones")
        return [{ for element in 1...2 { first.next(element) } }, { second.next(4) }]
    },
    biasRace("merge/dispose", "Whether the subscription may be disposed while the bias owner sends.") { round in
        let (first, second) = (round.source(), round.source())
        let viewer = round.viewer(of: .merge(first.makeSequence(), second.makeSequence()))
        round.label { "heard '\(viewer.story)'" }
        return [{ for element in 1...2 { first.next(element) } }, viewer.dispose]
    },
]

private func biasRace(
    _ what: String, _ decides: String, actors: Int = 2, _ prepare: @escaping @Sendable (Round) -> [() -> Void]
) -> RaceScenario<Round> {
    race("race/home/\(what)", decides, actors: actors) { round in
        let before = Bias.setTimes(1)
        round.lastly { Bias.setTimes(before) }
        return prepare(round)
    }
}
