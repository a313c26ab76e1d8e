import Rx
import RxBenchRaces

/// One round of a race: its sources, viewers and actors, and the promises that hold for every round.
///
/// After the actors have finished, the first actor's thread ends the round: it disposes viewers, runs scheduled work,
/// and lets every source send one further event. These outcomes are forbidden in each round: a second stop event, an
/// event after a stop event, overlapping events, an event on a thread that has disposed, a viewer or a source that is
/// not released exactly once, and a subscriber's closures that outlive its subscription.
// @unchecked: one thread prepares it before the actors start, and one thread grades it afterwards. In between, each
// actor touches only the objects that its scenario gives to it.
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
    /// Whether turns of a queue may still hold closures after all viewers were disposed.
    var hasTurns = false

    init(actors count: Int, _ prepare: (Round) -> [() -> Void]) {
        actors = prepare(self)
        precondition(actors.count == count, "\(actors.count) actors were prepared; \(count) were announced.")
    }

    // MARK: Participants

    /// A source whose events the actors send. Every subscription to it must be released.
    func source() -> OpenSource {
        let source = OpenSource()
        sources.append(source)
        return source
    }

    /// A viewer that has not subscribed yet.
    func viewer() -> Viewer {
        let viewer = Viewer()
        viewers.append(viewer)
        return viewer
    }

    /// A viewer that subscribes to `sequence`.
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

    /// Runs `step` after the actors and before grading.
    package func afterwards(_ step: @escaping () -> Void) { followUps.append(step) }

    /// Runs `step` after the promises that hold before the end were graded, to release objects that are still in use.
    package func lastly(_ step: @escaping () -> Void) { lastSteps.append(step) }

    /// Forbids rounds in which `holds` is false after the actors.
    package func expect(_ broken: String, _ holds: @escaping () -> Bool) {
        promises.append { holds() ? nil : .forbidden(broken) }
    }

    /// Forbids rounds in which `holds` is false after all viewers were disposed.
    func expectInTheEnd(_ broken: String, _ holds: @escaping () -> Bool) {
        finalPromises.append { holds() ? nil : .forbidden(broken) }
    }

    /// Forbids rounds in which the story of `viewer` is not one of `stories`: see `Viewer.story`.
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
        // The closures refer to the objects that store them.
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

/// A race whose rounds have the type `Round`.
///
/// - Parameter prepare: Creates the participants of a round and returns the work of each actor.
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
    /// The same race with rounds of type `Round`, for lists that contain several races.
    var asRound: RaceScenario<Round> {
        race(id, decides, actors: actors.count) { round in
            let state = makeState()
            round.grade { finish(state) }
            return actors.map { act in { act(state) } }
        }
    }
}

extension Round {
    /// Grades the round with `finish` only.
    fileprivate func grade(_ finish: @escaping () -> RaceGrade) { promises.append(finish) }
}
