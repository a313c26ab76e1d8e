import Rx
import RxBenchRaces

/// A subject or a relay, and the elements that its subscribers receive.
struct SubjectForm: Sendable {
    /// One subject or relay.
    struct Instance {
        let sequence: Observable<Int>
        let next: (Int) -> Void
        /// `nil` for relays, which neither complete nor can be disposed.
        var end: (((any Error)?) -> Void)?
        var dispose: (() -> Void)?
        var hasObservers: () -> Bool = { false }
    }

    let name: String
    /// The elements that a subscriber receives on subscription after 1 was sent.
    let first: String
    /// Whether elements are delivered as they are sent; otherwise only the last one, at the end.
    var sends = true
    /// The elements that a subscriber receives before the end if it subscribes after 1 and the end.
    var afterEnd = ""
    let make: @Sendable () -> Instance

    fileprivate func race(
        _ what: String, _ decides: String, _ prepare: @escaping @Sendable (Round, Instance) -> [() -> Void]
    ) -> RaceScenario<Round> {
        DisposeRaceBenchmarks.race("race/\(name)/\(what)", decides) { round in
            let subject = make()
            round.expectInTheEnd("a disposed observer is still on the list") { !subject.hasObservers() }
            subject.next(1)
            return prepare(round, subject)
        }
    }

    /// The story of a subscriber that subscribed after 1, while `elements` are sent.
    fileprivate func story(_ elements: String) -> String { first + (sends ? elements : "") }

    /// The story of a subscriber that subscribed after 1, until the end.
    private var wholeStory: String { first + (sends ? "" : "1") + "|" }

    /// The races of all subjects and relays.
    var races: [RaceScenario<Round>] {
        [
            race("next-subscribe", "Whether a subscriber may come while others are sent to.") { round, subject in
                let (early, late) = (round.viewer(of: subject.sequence), round.viewer())
                round.expect(early, hears: [story("2")], "one who was there missed an element")
                round.expect(
                    late, hears: first.isEmpty ? ["", story("2")] : [story("2"), "2"],
                    "a newcomer heard other than the latest elements in order")
                return [{ subject.next(2) }, { late.watch(subject.sequence) }]
            },
            race("next-dispose", "Whether a subscription may be disposed while elements are sent.") { round, subject in
                let (leaving, staying) = (round.viewer(of: subject.sequence), round.viewer(of: subject.sequence))
                round.expect(staying, hears: [story("2")], "one who stays missed an element")
                round.label { "leaving heard '\(leaving.story)'" }
                return [{ subject.next(2) }, leaving.dispose]
            },
            race("subscribe-subscribe", "Whether two may subscribe at once.") { round, subject in
                let viewers = [round.viewer(), round.viewer()]
                round.afterwards { subject.next(2) }
                for viewer in viewers { round.expect(viewer, hears: [story("2")], "a subscriber is not on the list") }
                return viewers.map { viewer in { viewer.watch(subject.sequence) } }
            },
            race("dispose-dispose", "Whether two may unsubscribe at once.") { round, subject in
                let viewers = (0..<3).map { _ in round.viewer(of: subject.sequence) }
                round.afterwards { subject.next(2) }
                round.expect(viewers[1], hears: [story("2")], "one who stays is not on the list")
                return [viewers[0].dispose, viewers[2].dispose]
            },
            race("dispose-subscribe", "Whether one may subscribe as another leaves.") { round, subject in
                let (leaving, newcomer) = (round.viewer(of: subject.sequence), round.viewer())
                round.afterwards { subject.next(2) }
                round.expect(newcomer, hears: [story("2")], "a subscriber is not on the list")
                return [leaving.dispose, { newcomer.watch(subject.sequence) }]
            },
            race("re-enter", "Whether an observer may send and subscribe while another leaves.") { round, subject in
                let (inside, leaving) = (round.viewer(of: subject.sequence), round.viewer(of: subject.sequence))
                let newcomer = round.viewer()
                inside.reaction = { element in
                    guard element == 2 else { return }
                    newcomer.watch(subject.sequence)
                    subject.next(3)
                }
                round.expect(inside, hears: [story("23")], "the one who sends missed an element")
                return [{ subject.next(2) }, leaving.dispose]
            },
        ]
    }

    /// The races of subjects, which complete.
    var endingRaces: [RaceScenario<Round>] {
        [
            race("end-subscribe", "Whether a subscriber can miss the end.") { round, subject in
                let (early, late) = (round.viewer(of: subject.sequence), round.viewer())
                round.expect(early, hears: [wholeStory], "one who was there missed the end")
                round.expect(late, hears: [wholeStory, afterEnd + "|"], "a newcomer missed the end")
                return [{ subject.end?(nil) }, { late.watch(subject.sequence) }]
            },
            race("end-subscribe-through", "Whether a newcomer's operator may be told of the end as it connects.") {
                round, subject in
                let late = round.viewer()
                round.expect(late, hears: [wholeStory, afterEnd + "|"], "a newcomer missed the end")
                return [{ subject.end?(nil) }, { late.watch(subject.sequence.filter { $0 > 0 }) }]
            },
            race("error-dispose", "Whether a subscription may be disposed as the subject fails.") { round, subject in
                let viewer = round.viewer(of: subject.sequence)
                round.expect(viewer, hears: [first, first + "!"], "other than the error was told")
                return [{ subject.end?(OpenSource.Failure()) }, viewer.dispose]
            },
        ]
    }

    /// The races of subjects that can be disposed.
    var disposedRaces: [RaceScenario<Round>] {
        [
            race("next-dispose-subject", "Whether a subject may be disposed while elements are sent.") {
                round, subject in
                let viewer = round.viewer(of: subject.sequence)
                round.afterwards { subject.next(3) }
                round.expect(viewer, hears: [first, story("2")], "an element came after the subject was disposed")
                round.expect("a disposed subject has observers") { !subject.hasObservers() }
                return [{ subject.next(2) }, { subject.dispose?() }]
            },
            race("end-dispose-subject", "Whether a subject may be disposed as it ends.") { round, subject in
                let viewer = round.viewer(of: subject.sequence)
                round.expect(viewer, hears: [first, wholeStory], "the end was told twice or in part")
                return [{ subject.end?(nil) }, { subject.dispose?() }]
            },
            race("subscribe-dispose-subject", "Whether one may subscribe to a subject as it is disposed.") {
                round, subject in
                let viewer = round.viewer()
                round.afterwards { subject.next(3) }
                round.expect(
                    viewer, hears: [first, "!", first + "!"], "a newcomer was neither refused nor forgotten")
                return [{ viewer.watch(subject.sequence) }, { subject.dispose?() }]
            },
        ]
    }
}

extension SubjectForm.Instance {
    fileprivate init<Subject: SubjectType & ObserverType>(
        _ subject: Subject, dispose: (() -> Void)? = nil, hasObservers: @escaping () -> Bool
    ) where Subject.Element == Int {
        self.init(
            sequence: subject.asObservable(), next: { subject.onNext($0) },
            end: { error in error.map { subject.onError($0) } ?? subject.onCompleted() }, dispose: dispose,
            hasObservers: hasObservers)
    }
}

private let subjectForms: [SubjectForm] = [
    SubjectForm(name: "publish-subject", first: "") {
        let subject = PublishSubject<Int>()
        return SubjectForm.Instance(subject, dispose: subject.dispose) { subject.hasObservers }
    },
    SubjectForm(name: "behavior-subject", first: "1") {
        let subject = BehaviorSubject(value: 9)
        return SubjectForm.Instance(subject, dispose: subject.dispose) { subject.hasObservers }
    },
    SubjectForm(name: "replay-subject", first: "1", afterEnd: "1") {
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        return SubjectForm.Instance(subject, dispose: subject.dispose) { subject.hasObservers }
    },
]

private let asyncForm = SubjectForm(name: "async-subject", first: "", sends: false, afterEnd: "1") {
    let subject = AsyncSubject<Int>()
    return SubjectForm.Instance(subject) { subject.hasObservers }
}

private let relayForms: [SubjectForm] = [
    SubjectForm(name: "publish-relay", first: "") {
        let relay = PublishRelay<Int>()
        return SubjectForm.Instance(sequence: relay.asObservable(), next: relay.accept)
    },
    SubjectForm(name: "behavior-relay", first: "1") {
        let relay = BehaviorRelay(value: 9)
        return SubjectForm.Instance(sequence: relay.asObservable(), next: relay.accept)
    },
    SubjectForm(name: "replay-relay", first: "1") {
        let relay = ReplayRelay<Int>.create(bufferSize: 1)
        return SubjectForm.Instance(sequence: relay.asObservable(), next: relay.accept)
    },
]

let subjectRaces: [RaceScenario<Round>] =
    (subjectForms + relayForms).flatMap(\.races) + (subjectForms + [asyncForm]).flatMap(\.endingRaces)
    + subjectForms.flatMap(\.disposedRaces)
    // An async subject delivers nothing while elements are sent to it.
    + asyncForm.races.filter { !$0.id.hasSuffix("re-enter") }
    + [
        race("race/publish-subject/drop-dispose", "Whether a subject may go as a subscriber leaves it.") { round in
            let owner = Owner(PublishSubject<Int>())
            guard let subject = owner.held else { return [] }
            let viewer = round.viewer(of: subject)
            return [{ owner.held = nil }, viewer.dispose]
        },
        race(
            "race/publish-subject/next-dispose-subscribe",
            "Whether one may come into the room of another who leaves, as both are sent to.", actors: 3
        ) { round in
            let subject = PublishSubject<Int>()
            let (staying, leaving) = (round.viewer(of: subject), round.viewer(of: subject))
            let newcomer = round.viewer()
            round.expect(staying, hears: ["2"], "one who stays missed an element")
            round.expect(newcomer, hears: ["", "2"], "a newcomer heard what was not sent")
            return [leaving.dispose, { subject.onNext(2) }, { newcomer.watch(subject) }]
        },
        race(
            "race/publish-subject/next-next-dispose",
            "Whether one may leave as a sender comes and goes beside another.", actors: 3
        ) { round in
            let subject = PublishSubject<Int>()
            // The viewer receives elements of one sender only: two senders at once would break the subject's own rule.
            let leaving = round.viewer(of: subject.filter { $0 == 2 })
            round.label { "heard '\(leaving.story)'" }
            return [leaving.dispose, { subject.onNext(2) }, { subject.onNext(3) }]
        },
    ]
