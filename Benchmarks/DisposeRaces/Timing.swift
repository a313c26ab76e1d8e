import Rx
import RxBenchRaces

/// A time operator, and the events its subscriber may receive while the clock reaches a moment.
///
/// Its source has sent 1, which is due in one second. All scheduled work runs after the actors.
package struct TimedOperator: Sendable {
    let name: String
    /// The stories if 2 is sent as the clock reaches that moment: see `Viewer.story`. `nil` allows any story.
    let elements: Set<String>?
    /// The stories if the source completes at that moment.
    let ends: Set<String>?
    /// The stories if the source fails at that moment.
    let errors: Set<String>?
    /// The number of turns that disposal itself schedules.
    var turnsToDispose = 0
    let make: @Sendable (Observable<Int>, any SchedulerType) -> Observable<Int>

    package init(
        name: String, elements: Set<String>?, ends: Set<String>?, errors: Set<String>?, turnsToDispose: Int = 0,
        make: @escaping @Sendable (Observable<Int>, any SchedulerType) -> Observable<Int>
    ) {
        self.name = name
        self.elements = elements
        self.ends = ends
        self.errors = errors
        self.turnsToDispose = turnsToDispose
        self.make = make
    }

    fileprivate struct Scene {
        let source: OpenSource
        let scheduler: ManualScheduler
        let viewer: Viewer
    }

    private func race(
        _ what: String, _ decides: String, actors: Int = 2, hears stories: Set<String>? = nil,
        _ prepare: @escaping @Sendable (Round, Scene) -> [() -> Void]
    ) -> RaceScenario<Round> {
        DisposeRaceBenchmarks.race("race/\(name)/\(what)", decides, actors: actors) { round in
            let scheduler = round.scheduler()
            let source = round.source()
            let scene = Scene(
                source: source, scheduler: scheduler,
                viewer: round.viewer(of: make(source.makeSequence(), scheduler)))
            // With `subscribe(on:)`, this turn subscribes to the source.
            scheduler.advance()
            source.next(1)
            let acts = prepare(round, scene)
            round.afterwards { for _ in 0..<3 { scheduler.advance(by: 1) } }
            if let stories {
                round.expect(scene.viewer, hears: stories, "an event was lost, doubled or came out of turn")
            } else {
                round.label { "heard '\(scene.viewer.story)'" }
            }
            return acts
        }
    }

    /// Forbids turns that stay scheduled after the subscription has ended.
    private func forbidTurns(_ round: Round, _ scene: Scene) {
        // Counts them before the clock advances and runs them.
        round.afterwards {
            let waiting = scene.scheduler.waiting
            round.expect("a turn stays scheduled after dispose") { waiting <= turnsToDispose }
        }
    }

    /// A known race: a wake-up that is lost as the other side goes to sleep.
    package var nextTurn: RaceScenario<Round> {
        race("next-turn", "Whether an element may come as the clock does.", hears: elements) { _, scene in
            [{ scene.source.next(2) }, { scene.scheduler.advance(by: 1) }]
        }
    }

    /// A known race: work that is scheduled while its subscription is disposed.
    package var scheduleDispose: RaceScenario<Round> {
        race("schedule-dispose", "Whether an element may be scheduled as its subscription is disposed.") {
            round, scene in
            // No turn is scheduled any longer: the next element schedules one.
            scene.scheduler.advance(by: 2)
            forbidTurns(round, scene)
            return [{ scene.source.next(2) }, scene.viewer.dispose]
        }
    }

    /// The races that run for every time operator.
    var races: [RaceScenario<Round>] {
        [
            nextTurn, scheduleDispose,
            race("end-turn", "Whether the source may complete as the clock comes.", hears: ends) { _, scene in
                [scene.source.complete, { scene.scheduler.advance(by: 1) }]
            },
            race("error-turn", "Whether the source may fail as the clock comes.", hears: errors) { _, scene in
                [scene.source.fail, { scene.scheduler.advance(by: 1) }]
            },
            race("next-dispose", "Whether a subscription may be disposed with a turn ahead.") { round, scene in
                forbidTurns(round, scene)
                return [{ scene.source.next(2) }, scene.viewer.dispose]
            },
            race("turn-dispose", "Whether a turn may run as its subscription is disposed.") { round, scene in
                forbidTurns(round, scene)
                return [{ scene.scheduler.advance(by: 1) }, scene.viewer.dispose]
            },
            race("end-dispose", "Whether an end may be scheduled as its subscription is disposed.") { round, scene in
                forbidTurns(round, scene)
                return [scene.source.complete, scene.viewer.dispose]
            },
            race("dispose-inside", "Whether an observer may dispose while the source sends.") { round, scene in
                let before = scene.viewer.elements
                scene.viewer.reaction = { _ in scene.viewer.dispose() }
                round.expect("an element came after the observer had disposed") { scene.viewer.elements <= before + 1 }
                return [{ scene.source.next(2) }, { scene.scheduler.advance(by: 1) }]
            },
        ]
    }

    /// A race of three actors, for the few operators whose search stays short.
    var threefold: RaceScenario<Round> {
        race("next-turn-dispose", "Whether a subscription may be disposed while all goes on.", actors: 3) { _, scene in
            [{ scene.source.next(2) }, { scene.scheduler.advance(by: 1) }, scene.viewer.dispose]
        }
    }
}

private let observeOn = TimedOperator(name: "observe-on", elements: ["12"], ends: ["1|"], errors: ["1!"]) {
    $0.observe(on: $1)
}

private let timedOperators: [TimedOperator] = [
    observeOn,
    // Its events do not wait for the scheduler.
    TimedOperator(name: "subscribe-on", elements: ["12"], ends: ["1|"], errors: ["1!"], turnsToDispose: 1) {
        $0.subscribe(on: $1)
    },
    // The error overtakes elements that wait.
    TimedOperator(name: "delay", elements: ["12"], ends: ["1|"], errors: ["!", "1!"]) {
        $0.delay(.seconds(1), scheduler: $1)
    },
    TimedOperator(name: "debounce", elements: ["2", "12"], ends: ["1|"], errors: ["!", "1!"]) {
        $0.debounce(.seconds(1), scheduler: $1)
    },
    TimedOperator(name: "throttle", elements: ["12"], ends: ["1|"], errors: ["1!"]) {
        $0.throttle(.seconds(1), scheduler: $1)
    },
    TimedOperator(name: "timeout", elements: ["1!", "12!"], ends: ["1|", "1!"], errors: ["1!"]) {
        $0.timeout(.seconds(1), scheduler: $1)
    },
    // Merged windows send the elements of the source.
    TimedOperator(name: "window", elements: ["12"], ends: ["1|"], errors: ["1!"]) {
        $0.window(timeSpan: .seconds(1), count: 2, scheduler: $1).merge()
    },
    TimedOperator(name: "buffer", elements: nil, ends: nil, errors: nil) {
        $0.buffer(timeSpan: .seconds(1), count: 2, scheduler: $1).map(\.count)
    },
]

let timingRaces: [RaceScenario<Round>] =
    timedOperators.flatMap(\.races) + [observeOn.threefold] + [
        race("race/buffer/all-kept", "Whether an element may come as the span ends.") { round in
            let (source, scheduler) = (round.source(), round.scheduler())
            let viewer = round.viewer(
                of: source.makeSequence().buffer(timeSpan: .seconds(1), count: 2, scheduler: scheduler).map(\.count))
            source.next(1)
            round.afterwards(source.complete)
            round.expect("an element is in no array, or in two") { viewer.sum == 2 }
            return [{ source.next(2) }, { scheduler.advance(by: 1) }]
        },
        race("race/throttle/latest-turn", "Whether the latest element may be replaced as it is due.") { round in
            let (source, scheduler) = (round.source(), round.scheduler())
            let viewer = round.viewer(of: source.makeSequence().throttle(.seconds(1), scheduler: scheduler))
            source.next(1)
            source.next(2)
            round.afterwards { for _ in 0..<3 { scheduler.advance(by: 1) } }
            round.expect(viewer, hears: ["13", "123"], "the latest element was lost, or an older one came after it")
            return [{ source.next(3) }, { scheduler.advance(by: 1) }]
        },
        race("race/throttle/span-turn", "Whether a span may begin as the timer of the one before fires.") { round in
            let (source, scheduler) = (round.source(), round.scheduler())
            let viewer = round.viewer(of: source.makeSequence().throttle(.seconds(1), scheduler: scheduler))
            var last = -1.0
            var gap = 1.0
            viewer.reaction = { _ in
                let now = scheduler.now.timeIntervalSinceReferenceDate
                gap = min(gap, now - last)
                last = now
            }
            source.next(1)
            source.next(2)
            round.afterwards { for _ in 0..<3 { scheduler.advance(by: 1) } }
            round.expect("two elements came within a span") { gap >= 1 }
            round.label { "heard '\(viewer.story)'" }
            return [
                { scheduler.advance(by: 1) },
                {
                    source.next(3)
                    source.next(4)
                },
            ]
        },
        race("race/buffer/next-span", "Whether a span has its timer that began as another one did.") { round in
            let (source, scheduler) = (round.source(), round.scheduler())
            let viewer = round.viewer(
                of: source.makeSequence().buffer(timeSpan: .seconds(1), count: 2, scheduler: scheduler).map(\.count))
            source.next(1)
            round.afterwards {
                source.next(3)
                scheduler.advance(by: 2)
            }
            round.expect("an element was not sent as its span ended") { viewer.sum == 3 }
            return [{ source.next(2) }, { scheduler.advance(by: 1) }]
        },
        race("race/timeout/other-dispose", "Whether a disposal can miss what follows a timeout.") { round in
            let (source, other, scheduler) = (round.source(), round.source(), round.scheduler())
            let viewer = round.viewer(
                of: source.makeSequence().timeout(.seconds(1), other: other.makeSequence(), scheduler: scheduler))
            round.label { other.subscriptions == 0 ? "disposed first" : "other sequence began" }
            return [{ scheduler.advance(by: 1) }, viewer.dispose]
        },
        race("race/subscribe-on/begin-dispose", "Whether a subscription may begin as it is disposed.") { round in
            let (source, scheduler) = (round.source(), round.scheduler())
            let viewer = round.viewer(of: source.makeSequence().subscribe(on: scheduler))
            round.label { source.subscriptions == 0 ? "never began" : "began" }
            return [{ scheduler.advance() }, viewer.dispose]
        },
    ]
