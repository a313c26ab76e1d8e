import Foundation
import Rx
import RxBenchRaces

/// Work on the queue of a serial scheduler: streams that share the queue, and timers that are restarted.
///
/// A search runs each turn of a queue, and each timer that is due, as a separate actor. On real threads, a round waits
/// until all of them have run.
let queueRaces: [RaceScenario<Round>] = [
    race("race/queue/two-streams", "Whether streams of one scheduler keep their sender's order as another sends.") {
        round in
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let sources = (0..<3).map { _ in round.source() }
        let viewer = round.viewer(of: .merge(sources.map { $0.makeSequence().observe(on: scheduler) }))
        round.afterwards { round.settleTurns { viewer.story.count == 3 } }
        round.expect(viewer, hears: ["123", "132", "312"], "an event overtook another one of its sender")
        return [
            {
                sources[0].next(1)
                sources[1].next(2)
            }, { sources[2].next(3) },
        ]
    },
    race("race/queue/stream-work", "Whether a stream keeps its place among other work as another thread sends.") {
        round in
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let (source, other) = (round.source(), round.source())
        let work = round.source()
        let viewer = round.viewer(
            of: .merge(
                source.makeSequence().observe(on: scheduler), other.makeSequence().observe(on: scheduler),
                work.makeSequence()))
        round.afterwards { round.settleTurns { viewer.story.count == 4 } }
        round.expect(viewer, hears: ["1234", "1243", "1423", "4123"], "work is out of place")
        return [
            {
                source.next(1)
                _ = scheduler.schedule(()) { _ in
                    work.next(2)
                    return Disposables.create()
                }
                source.next(3)
            }, { other.next(4) },
        ]
    },
    race("race/queue/next-dispose", "Whether a subscription may be disposed as an event joins others that wait.") {
        round in
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let source = round.source()
        let viewer = round.viewer(of: source.makeSequence().observe(on: scheduler))
        round.afterwards { round.settleTurns { true } }
        round.expect(viewer, hears: ["", "1", "12"], "an event was doubled or came out of turn")
        source.next(1)
        return [{ source.next(2) }, viewer.dispose]
    },
    race("race/queue/end-next", "Whether a source may complete on a scheduler as another one sends.") { round in
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let sources = [round.source(), round.source()]
        let viewer = round.viewer(of: .merge(sources.map { $0.makeSequence().observe(on: scheduler) }))
        round.afterwards { round.settleTurns { viewer.story.hasSuffix("|") } }
        round.expect(viewer, hears: ["12|", "21|"], "an event was lost")
        return [
            {
                sources[0].next(1)
                sources[0].complete()
            },
            {
                sources[1].next(2)
                sources[1].complete()
            },
        ]
    },
    restarted("race/queue/restart-fire", "Whether a timer may be restarted as it fires.", hears: ["2|", "12|"]) {
        $0.debounce(.milliseconds(1), scheduler: $1)
    },
    restarted(
        "race/queue/timeout-fire", "Whether an element may come as its timeout fires.",
        hears: ["!", "1!", "12!", "12|"]
    ) {
        $0.timeout(.milliseconds(1), scheduler: $1)
    },
    race("race/queue/restart-dispose", "Whether a timer may be restarted as its subscription is disposed.") { round in
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let source = round.source()
        let viewer = round.viewer(of: source.makeSequence().debounce(.seconds(60), scheduler: scheduler))
        source.next(1)
        round.afterwards { round.settleTurns { true } }
        // In a search, time passes: the minute may be over before any step.
        round.expect(viewer, hears: ["", "1", "2", "12"], "an element was doubled, or came out of turn")
        return [{ source.next(2) }, viewer.dispose]
    },
]

/// Sends an element and completes at the moment at which the timer of the previous element is due.
private func restarted(
    _ id: String, _ decides: String, hears stories: Set<String>,
    _ make: @escaping @Sendable (Observable<Int>, any SchedulerType) -> Observable<Int>
) -> RaceScenario<Round> {
    race(id, decides) { round in
        let scheduler = SerialDispatchQueueScheduler(qos: .default)
        let source = round.source()
        let viewer = round.viewer(of: make(source.makeSequence(), scheduler))
        round.afterwards { round.settleTurns { viewer.story.hasSuffix("|") || viewer.story.hasSuffix("!") } }
        round.expect(viewer, hears: stories, "an element was lost, doubled or came out of turn")
        return [
            {
                source.next(1)
                usleep(1_000)
                source.next(2)
                source.complete()
            },
            {},
        ]
    }
}
