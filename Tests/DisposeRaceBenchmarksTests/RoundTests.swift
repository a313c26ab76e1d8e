import Foundation
import Rx
import RxBench
import RxBenchRaces
import Testing

@testable import DisposeRaceBenchmarks

/// Breaks every promise of a round, and checks that the grade reports it.
@Suite("Promises of every round") struct RoundTests {
    /// Returns the grade of a round with one viewer, in which `act` runs.
    private func grade(_ act: @escaping @Sendable (Round, Viewer, OpenSource) -> Void) -> RaceGrade {
        let race = race("race/test/promises", "Nothing: a test.") { round in
            let source = round.source()
            let viewer = round.viewer(of: source.makeSequence())
            return [{ act(round, viewer, source) }, {}]
        }
        let round = race.makeState()
        for actor in race.actors { actor(round) }
        return race.finish(round)
    }

    @Test func `a round that keeps its promises is acceptable`() {
        #expect(grade { _, _, source in source.next(1) } == .acceptable("as promised"))
    }

    @Test func `a second stop event is forbidden`() {
        let grade = grade { _, viewer, source in
            source.complete()
            viewer.hear(.error(OpenSource.Failure()))
        }
        #expect(grade == .forbidden("2 stop events"))
    }

    @Test func `an element after the stop event is forbidden`() {
        let grade = grade { _, viewer, source in
            source.complete()
            viewer.hear(.next(1))
        }
        #expect(grade == .forbidden("event after the stop event"))
    }

    @Test func `an event on the thread that has disposed is forbidden`() {
        let grade = grade { _, viewer, _ in
            viewer.dispose()
            viewer.hear(.next(1))
        }
        #expect(grade == .forbidden("event on the disposing thread after dispose"))
    }

    @Test func `events of two threads that overlap are forbidden, nested ones are not`() {
        let overlapping = grade { _, viewer, source in
            viewer.reaction = { element in
                if element == 1 { onAnotherThread { viewer.hear(.next(2)) } }
            }
            source.next(1)
        }
        #expect(overlapping == .forbidden("events overlap"))
        let nested = grade { _, viewer, source in
            viewer.reaction = { element in
                if element == 1 { source.next(2) }
            }
            source.next(1)
        }
        #expect(nested.expectation == .acceptable)
    }

    @Test func `closures that outlive their subscription are forbidden`() {
        // The source keeps its observer, which keeps the subscriber.
        let keeper = KeptObserver()
        let grade = grade { round, _, _ in
            _ = round.viewer(
                of: .create { observer in
                    keeper.observer = observer
                    return Disposables.create()
                })
        }
        #expect(grade == .forbidden("closures of viewer 2 kept after the subscription"))
    }

    @Test func `a source that is released twice or never is forbidden`() {
        let twice = grade { _, _, source in source.release.note() }
        #expect(twice == .forbidden("source 1 subscribed to 1 times and released 2 times"))
    }

    @Test func `a disposable that is disposed twice or never is forbidden`() {
        let never = grade { round, _, _ in _ = round.release("content") }
        #expect(never == .forbidden("content disposed 0 times"))
        let twice = grade { round, _, _ in
            let release = round.release("content")
            release.note()
            release.note()
        }
        #expect(twice == .forbidden("content disposed 2 times"))
    }

    @Test func `a story that is none of those allowed is forbidden and told`() {
        let grade = grade { round, viewer, source in
            source.next(1)
            source.next(2)
            source.complete()
            round.expect(viewer, hears: ["21|"], "out of turn")
        }
        #expect(grade == .forbidden("out of turn: heard '12|'"))
    }

    @Test func `promises of one scenario are kept`() {
        #expect(grade { round, _, _ in round.expect("broken") { false } } == .forbidden("broken"))
        #expect(
            grade { round, _, _ in round.expectInTheEnd("broken at last") { false } } == .forbidden("broken at last"))
    }

    @Test func `a scheduler runs turns in the order of their times and not those that were disposed`() {
        let scheduler = ManualScheduler()
        var ran: [Int] = []
        func schedule(_ number: Int, _ seconds: Int) -> any Disposable {
            scheduler.scheduleRelative(number, dueTime: .seconds(seconds)) {
                ran.append($0)
                return Disposables.create()
            }
        }
        let turns = [schedule(3, 2), schedule(1, 1), schedule(2, 1), schedule(4, 3)]
        turns[2].dispose()
        #expect(scheduler.waiting == 3)
        scheduler.advance(by: 2)
        #expect(ran == [1, 3])
        scheduler.runOut()
        #expect(ran == [1, 3, 4])
    }
}

private final class KeptObserver: @unchecked Sendable {
    // @unchecked: only one thread uses it.
    var observer: AnyObserver<Int>?
}

private func onAnotherThread(_ body: @escaping () -> Void) {
    // Unsafe: the caller waits until the closure has returned.
    nonisolated(unsafe) let body = body
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        done.signal()
    }
    done.wait()
}
