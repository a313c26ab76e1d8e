import Rx
import RxBench
import RxBenchRaces
import Testing

@testable import DisposeRaceBenchmarks

/// Tests on one thread that the check of each race finds a round that breaks its promise.
@Suite("Grading of broken rounds") struct GradingTests {
    /// Returns the grade of a round in which the `actors` run one after another, and then `fault` runs.
    private func grade<State>(
        _ scenario: RaceScenario<State>, actors: [Int] = [0, 1], fault: (State) -> Void = { _ in }
    ) -> RaceGrade {
        let state = scenario.makeState()
        for actor in actors { scenario.actors[actor](state) }
        fault(state)
        return scenario.finish(state)
    }

    @Test func `an element on the disposing thread after dispose is forbidden`() {
        // A second subscription of the same witness simulates a subscription that continues.
        let label = grade(
            disposeAgainstNext,
            fault: { round in _ = round.subject.subscribe(onNext: { _ in round.witness.elements.raise() }) })
        #expect(label == .forbidden("element on the disposing thread after dispose"))
        #expect(grade(disposeAgainstNext) == .acceptable("0 of 3 elements before dispose"))
        #expect(grade(disposeAgainstNext, actors: [1, 0]) == .acceptable("3 of 3 elements before dispose"))
    }

    @Test func `an observer left on the list is forbidden`() {
        let label = grade(disposeAgainstNext, fault: { _ = $0.subject.subscribe(onNext: { _ in }) })
        #expect(label == .forbidden("disposed observer still on the subject's list"))
    }

    @Test func `a subscription that is let go of twice or never is forbidden`() {
        #expect(
            grade(disposeAgainstDispose, fault: { $0.witness.disposal.note() })
                == .forbidden("onDisposed called 2 times"))
        #expect(grade(disposeAgainstDispose, actors: []) == .forbidden("onDisposed called 0 times"))
        #expect(
            grade(disposeAgainstDispose, fault: { $0.source.release.note() }) == .forbidden("source disposed 2 times"))
        #expect(grade(disposeAgainstDispose) == .acceptable("first thread disposed"))
        #expect(
            grade(disposeAgainstDispose, fault: { $0.witness.elements.raise() })
                == .forbidden("element on the disposing thread after dispose"))
    }

    @Test func `a second stop event is forbidden`() {
        #expect(
            grade(disposeAgainstCompleted, actors: [1, 0], fault: { $0.witness.errors.raise() })
                == .forbidden("2 stop events"))
        #expect(grade(disposeAgainstCompleted, actors: [1, 0]) == .acceptable("completed first"))
        #expect(grade(disposeAgainstCompleted) == .acceptable("disposed first"))
    }

    @Test func `an element after the stop event is forbidden`() {
        let scenario = subscribeAgainstCompleted("race/test/subject") { PublishSubject<Int>() }
        let grade = grade(scenario, actors: [1, 0], fault: { $0.late.late.raise() })
        #expect(grade == .forbidden("element after the stop event"))
    }

    @Test func `a subscriber who is not told of the completion is forbidden`() {
        let scenario = subscribeAgainstCompleted("race/test/subject") { PublishSubject<Int>() }
        #expect(grade(scenario, actors: [0]) == .forbidden("onDisposed called 0 times"))
        // Both were released without an event, as they would be by a subject that is disposed.
        let silent = grade(
            scenario, actors: [],
            fault: {
                $0.early.disposal.note()
                $0.late.disposal.note()
            })
        #expect(silent == .forbidden("subscriber missed the completion"))
        #expect(grade(scenario, actors: [1, 0]) == .acceptable("subscribed after the completion"))
    }

    @Test func `a source of merge that is let go of twice is forbidden`() {
        #expect(
            grade(mergeAgainstErrors, fault: { $0.sources[1].release.note() })
                == .forbidden("second source disposed 2 times"))
        #expect(grade(mergeAgainstErrors, fault: { $0.witness.errors.raise() }) == .forbidden("2 stop events"))
        #expect(grade(mergeAgainstErrors) == .acceptable("first error delivered"))
    }

    @Test func `a replaced disposable that is let go of twice or never is forbidden`() {
        #expect(grade(serialSwap, fault: { $0.new.note() }) == .forbidden("new one disposed 2 times"))
        #expect(grade(serialSwap, actors: []) == .forbidden("old one disposed 0 times"))
        #expect(grade(serialSwap, actors: [1]) == .forbidden("new one disposed 0 times"))
        #expect(grade(serialSwap).expectation == .acceptable)
    }

    @Test func `a member that is let go of twice or never is forbidden`() {
        #expect(grade(compositeInsert, fault: { $0.newcomer.note() }) == .forbidden("newcomer disposed 2 times"))
        #expect(grade(compositeInsert, actors: [1]) == .forbidden("member disposed 0 times"))
        #expect(grade(compositeInsert) == .acceptable("refused and disposed"))
        #expect(grade(compositeInsert, actors: [1, 0]) == .acceptable("added, then disposed"))
    }

    @Test func `content of a bag that is let go of twice or never is forbidden`() {
        #expect(grade(bagFillAndDrop, fault: { $0.contents[3].note() }) == .forbidden("content 3 disposed 2 times"))
        #expect(grade(bagFillAndDrop, actors: [0]) == .forbidden("content 0 disposed 0 times"))
    }

    @Test func `a connection that stays open is forbidden`() {
        let label = grade(shareConnections, fault: { _ = $0.sequence.subscribe(onNext: { _ in }) })
        #expect(label == .forbidden("connections left open: 1"))
        #expect(grade(shareConnections) == .acceptable("one connection each"))
    }

    @Test func `a connection more than there are subscribers is forbidden`() {
        let label = grade(shareConnections, fault: { $0.sequence.subscribe(onNext: { _ in }).dispose() })
        #expect(label == .forbidden("3 connections for 2 subscribers"))
    }

    @Test func `connections that overlap are forbidden for refCount and interesting for share`() {
        func overlap(_ round: Visitors) {
            let other = round.meter.makeSequence().subscribe(onNext: { _ in })
            round.visit(0)
            other.dispose()
        }
        // The other connection simulates the connection of the second visitor.
        let visit: (Visitors) -> Void = { round in
            overlap(round)
            round.witnesses[1].watch(.never()).dispose()
        }
        let label = "next connection began before the last one ended"
        #expect(grade(refCountConnections, actors: [], fault: visit) == .forbidden(label))
        #expect(grade(shareConnections, actors: [], fault: visit) == .interesting(label))
    }
}
