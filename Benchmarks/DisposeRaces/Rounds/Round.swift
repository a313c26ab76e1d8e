import Rx
import RxBenchRaces

/// One round of a race: its sources, its viewers, what its actors do, and the promises that hold for every round.
///
/// After the actors a round is ended on the first actor's thread: viewers are disposed, what is still scheduled runs,
/// and every source sends once more. Forbidden are, in each round: a second stop event, an event after a stop event,
/// events that overlap, an event on a thread that has disposed, a viewer or a source that is not let go of exactly
/// once, and a subscriber's closures that outlive its subscription.
// @unchecked: prepared by one thread before the actors act, graded by one afterwards. Between the two, each actor
// touches what its scenario gives it.
public final class Round: @unchecked Sendable {
    private(set) var actors: [() -> Void] = []
    private var sources: [OpenSource] = []
    private var viewers: [Viewer] = []
    private var schedulers: [ManualScheduler] = []
    private var releases: [(name: String, release: Release)] = []
    private var followUps: [() -> Void] = []
    private var lastSteps: [() -> Void] = []
    private var promises: [() -> RaceGrade?] = []
    private var finalPromises: [() -> RaceGrade?] = []
    private var labels: [() -> String] = []
    /// Whether turns of a queue may still hold closures after everything was disposed.
    var hasTurns = false

    init(actors count: Int, _ prepare: (Round) -> [() -> Void]) {
        actors = prepare(self)
        precondition(actors.count == count, "\(actors.count) actors were prepared; \(count) were announced.")
    }

    // MARK: What takes part

    /// A source that is sent to from outside. It has to be released as often as it is subscribed to.
    func source() -> OpenSource {
        let source = OpenSource()
        sources.append(source)
        return source
    }

    /// A subscriber that has not subscribed.
    func viewer() -> Viewer {
        let viewer = Viewer()
        viewers.append(viewer)
        return viewer
    }

    /// A subscriber of `sequence`.
    func viewer(of sequence: Observable<Int>) -> Viewer {
        let viewer = viewer()
        viewer.watch(sequence)
        return viewer
    }

    /// A scheduler that one of the actors drives.
    func scheduler() -> ManualScheduler {
        let scheduler = ManualScheduler()
        schedulers.append(scheduler)
        return scheduler
    }

    /// A disposable that has to be disposed exactly once.
    func release(_ name: String) -> Release {
        let release = Release()
        releases.append((name, release))
        return release
    }

    // MARK: Promises

    /// Runs after the actors, before anything is graded.
    package func afterwards(_ step: @escaping () -> Void) { followUps.append(step) }

    /// Runs once everything is graded that holds before the end, for what is still to be let go of.
    package func lastly(_ step: @escaping () -> Void) { lastSteps.append(step) }

    /// Forbids rounds in which `holds` is false after the actors.
    package func expect(_ broken: String, _ holds: @escaping () -> Bool) {
        promises.append { holds() ? nil : .forbidden(broken) }
    }

    /// Forbids rounds in which `holds` is false once all viewers are disposed.
    func expectInTheEnd(_ broken: String, _ holds: @escaping () -> Bool) {
        finalPromises.append { holds() ? nil : .forbidden(broken) }
    }

    /// Forbids rounds in which `viewer` has heard anything but one of `stories`: see `Viewer.story`.
    func expect(_ viewer: Viewer, hears stories: Set<String>, _ broken: String) {
        promises.append {
            stories.contains(viewer.story) ? nil : .forbidden("\(broken): heard '\(viewer.story)'")
        }
        label { "heard '\(viewer.story)'" }
    }

    /// Names an acceptable outcome.
    package func label(_ text: @escaping () -> String) { labels.append(text) }

    // MARK: Grading

    func finish() -> RaceGrade {
        // The closures refer to what they stand in.
        defer {
            for viewer in viewers { viewer.reaction = { _ in } }
            (actors, followUps, lastSteps, promises, finalPromises, labels) = ([], [], [], [], [], [])
        }
        for step in followUps { step() }
        let broken = promises.lazy.compactMap { $0() }.first
        let label = labels.map { $0() }.joined(separator: ", ")
        end()
        return broken ?? violation ?? .acceptable(label.isEmpty ? "as promised" : label)
    }

    private func end() {
        for step in lastSteps { step() }
        for viewer in viewers { viewer.dispose() }
        for scheduler in schedulers { scheduler.runOut() }
        for source in sources {
            source.next(9)
            source.forget()
        }
        if hasTurns { settle { viewers.allSatisfy(\.isLetGoOf) } }
    }

    private var violation: RaceGrade? {
        for (number, viewer) in viewers.enumerated() {
            if let violation = viewer.violation(viewers.count == 1 ? "" : " of viewer \(number + 1)") {
                return violation
            }
        }
        for (number, source) in sources.enumerated() where source.release.count.now != source.subscriptions {
            let (released, subscribed) = (source.release.count.now, source.subscriptions)
            return .forbidden("source \(number + 1) subscribed to \(subscribed) times and released \(released) times")
        }
        for (name, release) in releases {
            if let violation = release.violation(of: name) { return violation }
        }
        return finalPromises.lazy.compactMap { $0() }.first
    }
}

/// A race whose rounds are of one type.
///
/// - Parameter prepare: makes what takes part in a round and returns what each actor does.
package func race(
    _ id: String, _ decides: String, actors: Int = 2, _ prepare: @escaping @Sendable (Round) -> [() -> Void]
) -> RaceScenario<Round> {
    RaceScenario(
        id, decides: decides, rounds: rounds,
        makeState: { Round(actors: actors, prepare) },
        actors: (0..<actors).map { index in { $0.actors[index]() } },
        finish: { $0.finish() })
}

extension RaceScenario {
    /// The same race, to stand in a list with others.
    var asRound: RaceScenario<Round> {
        race(id, decides, actors: actors.count) { round in
            let state = makeState()
            round.grade { finish(state) }
            return actors.map { act in { act(state) } }
        }
    }
}

extension Round {
    /// Grades the round by `finish` alone.
    fileprivate func grade(_ finish: @escaping () -> RaceGrade) { promises.append(finish) }
}
