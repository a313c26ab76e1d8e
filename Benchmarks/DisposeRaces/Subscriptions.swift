import Rx
import RxBench
import RxBenchRaces

/// A subscription that is disposed while another event happens to it.
let subscriptionRaces: [Benchmark] = [
    disposeAgainstNext.benchmark, disposeAgainstCompleted.benchmark,
    disposeAgainstDispose.benchmark,
    subscribeAgainstPublished.benchmark, subscribeAgainstBehavior.benchmark, mergeAgainstErrors.benchmark,
]

/// Rounds in one iteration: about two milliseconds.
let rounds = 200

/// A subscriber of an open source.
///
/// Unchecked: its fields are set before the race begins.
final class Subscribed: @unchecked Sendable {
    let source = OpenSource()
    let witness = Witness()
    let subscription: any Disposable
    let firstActor = ThreadMark.current

    init() { subscription = witness.watch(source.makeSequence()) }

    var violation: RaceGrade? { witness.violation ?? source.release.violation(of: "source") }
}

// MARK: dispose against events

/// A subscriber of a subject, and the number of elements it had received when `dispose()` returned.
///
/// Unchecked: `elementsAtReturn` is written by the first actor and read by the final check on the same thread.
final class DisposedMidway: @unchecked Sendable {
    let subject = PublishSubject<Int>()
    let witness = Witness()
    let subscription: any Disposable
    var elementsAtReturn = 0

    init() { subscription = witness.watch(subject) }
}

let disposeAgainstNext = RaceScenario(
    "race/dispose/next", decides: "Whether a subscription may be disposed while elements arrive on another thread.",
    rounds: rounds,
    makeState: { DisposedMidway() },
    actors: [
        { round in
            round.subscription.dispose()
            round.elementsAtReturn = round.witness.elements.now
        },
        { round in
            for value in 1...3 { round.subject.onNext(value) }
        },
    ],
    finish: { round in
        let received = round.witness.elements.now
        // The disposing thread: it must not receive elements after this, even if other threads deliver them.
        round.subject.onNext(4)
        if let violation = round.witness.violation { return violation }
        if round.witness.elements.now != received { return .forbidden("element on the disposing thread after dispose") }
        if round.subject.hasObservers { return .forbidden("disposed observer still on the subject's list") }
        if received > round.elementsAtReturn { return .interesting("an element was under way as dispose returned") }
        return .acceptable("\(received) of 3 elements before dispose")
    })

let disposeAgainstCompleted = RaceScenario(
    "race/dispose/completed", decides: "Whether a subscription may be disposed while its sequence ends.",
    rounds: rounds,
    makeState: { Subscribed() },
    actors: [
        { $0.subscription.dispose() },
        { $0.source.observer?.onCompleted() },
    ],
    finish: { round in
        defer { round.source.forget() }
        if let violation = round.violation { return violation }
        return .acceptable(round.witness.completions.now == 1 ? "completed first" : "disposed first")
    })

/// Both threads dispose the same subscription.
let disposeAgainstDispose = RaceScenario(
    "race/dispose/dispose", decides: "Whether several owners of a subscription may each dispose it.", rounds: rounds,
    makeState: { Subscribed() },
    actors: [
        { $0.subscription.dispose() },
        { round in
            round.subscription.dispose()
            // After either thread has disposed, the subscriber must not receive elements that this thread sends.
            round.source.observer?.onNext(1)
        },
    ],
    finish: { round in
        defer { round.source.forget() }
        if let violation = round.violation { return violation }
        if round.witness.elements.now > 0 { return .forbidden("element on the disposing thread after dispose") }
        return .acceptable(
            round.witness.disposal.wasNoted(on: round.firstActor) ? "first thread disposed" : "second thread disposed")
    })

// MARK: subscribe against completed

/// Two subscribers of a subject. One of them subscribes while the subject completes.
///
/// Unchecked: its fields are set before the race begins.
final class Latecomer<Subject: SubjectType & ObserverType>: @unchecked Sendable where Subject.Element == Int {
    let subject: Subject
    let early = Witness()
    let late = Witness()
    let firstActor = ThreadMark.current

    init(_ subject: Subject) {
        self.subject = subject
        _ = early.watch(subject.asObservable())
    }
}

let subscribeAgainstPublished = subscribeAgainstCompleted("race/subject/subscribe-completed?subject=publish") {
    PublishSubject<Int>()
}
let subscribeAgainstBehavior = subscribeAgainstCompleted("race/subject/subscribe-completed?subject=behavior") {
    BehaviorSubject(value: 0)
}

func subscribeAgainstCompleted<Subject: SubjectType & ObserverType & SendableMetatype>(
    _ id: String, makeSubject: @escaping @Sendable () -> Subject
) -> RaceScenario<Latecomer<Subject>> where Subject.Element == Int {
    RaceScenario(
        id, decides: "Whether a subscriber can miss the end of a subject.", rounds: rounds,
        makeState: { Latecomer(makeSubject()) },
        actors: [
            { _ = $0.late.watch($0.subject.asObservable()) },
            { round in
                // Elements first: they widen the window, because subscribing takes longer than completing.
                for value in 1...4 { round.subject.onNext(value) }
                round.subject.onCompleted()
            },
        ],
        finish: { round in
            if let violation = round.early.violation ?? round.late.violation { return violation }
            if round.early.completions.now != 1 || round.late.completions.now != 1 {
                return .forbidden("subscriber missed the completion")
            }
            return .acceptable(
                round.late.disposal.wasNoted(on: round.firstActor)
                    ? "subscribed after the completion" : "subscribed before the completion")
        })
}

// MARK: error against error

/// Unchecked: its fields are set before the race begins.
final class MergedFailures: @unchecked Sendable {
    struct Failure: Error { let source: Int }

    let sources = [OpenSource(), OpenSource()]
    let witness = Witness()
    let firstActor = ThreadMark.current

    init() { _ = witness.watch(.merge(sources.map { $0.makeSequence() })) }

    func fail(_ index: Int) { sources[index].observer?.onError(Failure(source: index)) }
}

let mergeAgainstErrors = RaceScenario(
    "race/merge/two-errors", decides: "Whether the sources of merge may fail at the same time.", rounds: rounds,
    makeState: { MergedFailures() },
    actors: [{ $0.fail(0) }, { $0.fail(1) }],
    finish: { round in
        defer { round.sources.forEach { $0.forget() } }
        let violation =
            round.witness.violation ?? round.sources[0].release.violation(of: "first source")
            ?? round.sources[1].release.violation(of: "second source")
        if let violation { return violation }
        if round.witness.errors.now != 1 { return .forbidden("no error delivered") }
        return .acceptable(
            round.witness.disposal.wasNoted(on: round.firstActor) ? "first error delivered" : "second error delivered")
    })
