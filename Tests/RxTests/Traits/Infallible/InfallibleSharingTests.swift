import Rx
import XCTest

final class InfallibleSharingTests: XCTestCase {
    private let notes = Notes()

    func testShare_subscribesOnce_andReplays() {
        let notes = notes
        var subscriptions = 0
        let subject = PublishSubject<Int>()
        let shared = Infallible<Int>.deferred {
            subscriptions += 1
            return subject.asInfallible(onErrorJustReturn: 0)
        }.share(replay: 1)
        let first = shared.subscribe()
        subject.onNext(1)
        let second = shared.record(in: notes)
        XCTAssertEqual(notes.lines, ["next(1)"])
        XCTAssertEqual(subscriptions, 1)
        first.dispose()
        second.dispose()
        XCTAssertFalse(subject.hasObservers)
    }

    func testShare_forever_keepsItsMemoryAfterTheEnd() {
        let shared = Infallible.of(1, 2).share(replay: 2, scope: .forever)
        _ = shared.subscribe()
        XCTAssertEqual(shared.synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testDo_callsItsFunctionsInOrder() {
        let notes = notes
        _ = Infallible.just(1).do(
            onNext: { notes.add("onNext \($0)") }, afterNext: { notes.add("afterNext \($0)") },
            onCompleted: { notes.add("onCompleted") }, afterCompleted: { notes.add("afterCompleted") },
            onSubscribe: { notes.add("onSubscribe") }, onSubscribed: { notes.add("onSubscribed") },
            onDispose: { notes.add("onDispose") }
        ).subscribe { notes.add("\($0)") }
        XCTAssertEqual(
            notes.lines,
            [
                "onSubscribe", "onNext 1", "next(1)", "afterNext 1", "onCompleted", "completed", "afterCompleted",
                "onSubscribed", "onDispose",
            ])
    }

    func testDebug_passesEventsOn() {
        XCTAssertEqual(Infallible.just(1).debug("one", trimOutput: true).synchronousEvents, ["next(1)", "completed"])
    }

    func testShareAndDo_inEveryWayToEnd_returnEveryResource() {
        let before = Resources.total
        runToEveryEnd { $0.asInfallible(onErrorJustReturn: 0).share() }
        runToEveryEnd { $0.asInfallible(onErrorJustReturn: 0).share(replay: 2, scope: .forever) }
        runToEveryEnd { $0.asInfallible(onErrorJustReturn: 0).do(onNext: { _ in }, onDispose: {}) }
        assertResourcesBack(to: before)
    }
}
