import Foundation
import Rx
import RxTest
import XCTest

@testable import RxFoundation

final class ObserveTests: XCTestCase {
    private var turns: TestScheduler!

    override func setUp() { turns = TestScheduler(initialClock: 0) }
    override func tearDown() { turns = nil }

    /// Records "next(5)", "completed".
    private func record<Value>(_ values: RxObservable<Value>, _ events: Recorder<String>) -> any Disposable {
        values.subscribe { events.append("\($0)") }
    }

    // MARK: Values

    func testObserve_deliversTheInitialValueAtOnce() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.volume, scheduler: turns), events)
        XCTAssertEqual(events.values, ["next(5)"])
        subscription.dispose()
    }

    func testObserve_deliversTheValueAfterAChangeInATurn() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.volume, scheduler: turns), events)
        for volume in 6...8 {
            player.volume = volume
            XCTAssertEqual(events.values.last, "next(\(volume - 1))")
            turns.start()
        }
        XCTAssertEqual(events.values, ["next(5)", "next(6)", "next(7)", "next(8)"])
        subscription.dispose()
    }

    func testObserve_ofSeveralChangesBeforeATurn_deliversTheLast() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.volume, scheduler: turns), events)
        for volume in 6...8 { player.volume = volume }
        turns.start()
        XCTAssertEqual(events.values, ["next(5)", "next(8)"])
        subscription.dispose()
    }

    func testObserve_ofAnEqualValue_deliversNothing() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.volume, scheduler: turns), events)
        player.volume = 5
        turns.start()
        XCTAssertEqual(events.values, ["next(5)"])
        subscription.dispose()
    }

    func testObserve_ofAnotherProperty_deliversNothing() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.volume, scheduler: turns), events)
        player.name = "Bob"
        turns.start()
        XCTAssertEqual(events.values, ["next(5)"])
        subscription.dispose()
    }

    func testObserve_ofAComputedProperty_followsWhatItReads() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.label, scheduler: turns), events)
        player.name = "Bob"
        turns.start()
        player.volume = 6
        turns.start()
        XCTAssertEqual(events.values, ["next(Ada at 5)", "next(Bob at 5)", "next(Bob at 6)"])
        subscription.dispose()
    }

    func testObserve_throughAnotherObject_followsBoth() {
        let player = Player()
        let rival = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.rival?.volume, scheduler: turns).map { $0 ?? 0 }, events)
        player.rival = rival
        turns.start()
        rival.volume = 9
        turns.start()
        player.rival = nil
        turns.start()
        XCTAssertEqual(events.values, ["next(0)", "next(5)", "next(9)", "next(0)"])
        subscription.dispose()
    }

    func testObserve_ofAnUntrackedProperty_deliversItsInitialValueAndCompletes() {
        let before = Resources.total
        let player = Player()
        let events = Recorder<String>()
        for _ in 0..<2 { _ = record(player.rx.observe(\.notes, scheduler: turns), events) }
        XCTAssertEqual(events.values, ["next()", "completed", "next()", "completed"])
        XCTAssertEqual(Resources.total, before)
    }

    func testObserve_whereObservationIsImportedToo_hasTheTypeThatIsMeant() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.volumes.take(1), events)
        XCTAssertEqual(events.values, ["next(5)", "completed"])
        subscription.dispose()
    }

    // MARK: Options

    func testObserve_new_leavesOutTheInitialValue() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.volume, options: .new, scheduler: turns), events)
        player.volume = 6
        turns.start()
        XCTAssertEqual(events.values, ["next(6)"])
        subscription.dispose()
    }

    func testObserve_initial_leavesOutChangesAndStillCompletes() {
        var player: Player? = Player()
        let events = Recorder<String>()
        let subscription = record(player!.rx.observe(\.volume, options: .initial, scheduler: turns), events)
        player?.volume = 6
        turns.start()
        player = nil
        turns.start()
        XCTAssertEqual(events.values, ["next(5)", "completed"])
        subscription.dispose()
    }

    // MARK: The object's end

    func testObserve_doesNotKeepTheObject_andCompletesWhenItGoes() {
        var player: Player? = Player()
        weak let weakly = player
        let events = Recorder<String>()
        let volumes = player!.rx.observe(\.volume, scheduler: turns)
        let subscription = record(volumes, events)
        player = nil
        XCTAssertNil(weakly)
        turns.start()
        XCTAssertEqual(events.values, ["next(5)", "completed"])
        subscription.dispose()
    }

    func testObserve_ofAnObjectThatGoesBeforeTheTurnOfAChange_completesWithoutIt() {
        var player: Player? = Player()
        let events = Recorder<String>()
        let subscription = record(player!.rx.observe(\.volume, scheduler: turns), events)
        player?.volume = 6
        player = nil
        turns.start()
        XCTAssertEqual(events.values, ["next(5)", "completed"])
        subscription.dispose()
    }

    func testObserve_ofAnObjectThatGoesInsideAnElement_completes() {
        var player: Player? = Player()
        let events = Recorder<String>()
        let subscription = player!.rx.observe(\.volume, scheduler: turns).subscribe { event in
            events.append("\(event)")
            player = nil
        }
        turns.start()
        XCTAssertEqual(events.values, ["next(5)", "completed"])
        subscription.dispose()
    }

    func testObserve_ofAnObjectThatIsGone_completesAtOnce() {
        let events = Recorder<String>()
        let volumes = Player().rx.observe(\.volume, scheduler: turns)
        let subscription = record(volumes, events)
        XCTAssertEqual(events.values, ["completed"])
        subscription.dispose()
    }

    func testObserve_throughAnObjectThatOutlivesIt_completesWhenThatChanges() {
        var player: Player? = Player()
        let rival = Player()
        let events = Recorder<String>()
        player?.rival = rival
        let subscription = record(player!.rx.observe(\.rival?.volume, scheduler: turns).map { $0 ?? 0 }, events)
        player = nil
        turns.start()
        XCTAssertEqual(events.values, ["next(5)"])
        rival.volume = 6
        turns.start()
        XCTAssertEqual(events.values, ["next(5)", "completed"])
        subscription.dispose()
    }

    // MARK: Disposal and re-entry

    func testDispose_thenAChange_deliversNothing() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.volume, scheduler: turns), events)
        subscription.dispose()
        player.volume = 6
        turns.start()
        XCTAssertEqual(events.values, ["next(5)"])
    }

    func testDispose_betweenAChangeAndItsTurn_deliversNothing() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = record(player.rx.observe(\.volume, scheduler: turns), events)
        player.volume = 6
        subscription.dispose()
        turns.start()
        XCTAssertEqual(events.values, ["next(5)"])
    }

    func testTake_ofTheInitialValue_endsTheObservation() {
        let before = Resources.total
        let player = Player()
        let events = Recorder<String>()
        _ = record(player.rx.observe(\.volume, scheduler: turns).take(1), events)
        player.volume = 6
        turns.start()
        XCTAssertEqual(events.values, ["next(5)", "completed"])
        XCTAssertEqual(Resources.total, before)
    }

    func testObserve_ofAChangeInsideAnElement_deliversItInATurnOfItsOwn() {
        let player = Player()
        let events = Recorder<String>()
        let subscription = player.rx.observe(\.volume, scheduler: turns).subscribe(onNext: { volume in
            events.append("in \(volume)")
            if volume < 8 { player.volume = volume + 1 }
            events.append("out \(volume)")
        })
        turns.start()
        XCTAssertEqual(events.values, ["in 5", "out 5", "in 6", "out 6", "in 7", "out 7", "in 8", "out 8"])
        subscription.dispose()
    }

    // MARK: Several subscribers

    func testObserve_bySeveral_deliversEachChangeToEachOnce() {
        let player = Player()
        let events = Recorder<String>()
        let volumes = player.rx.observe(\.volume, scheduler: turns)
        let first = volumes.subscribe(onNext: { events.append("a\($0)") })
        let second = volumes.subscribe(onNext: { events.append("b\($0)") })
        player.volume = 6
        turns.start()
        player.volume = 7
        turns.start()
        first.dispose()
        player.volume = 8
        turns.start()
        XCTAssertEqual(events.values, ["a5", "b5", "a6", "b6", "a7", "b7", "b8"])
        second.dispose()
    }

    func testObserve_whereTheFirstSubscriberChangesTheValue_deliversItToTheSecondOnce() {
        let player = Player()
        let events = Recorder<String>()
        let volumes = player.rx.observe(\.volume, options: .new, scheduler: turns)
        let first = volumes.subscribe(onNext: { if $0 == 6 { player.volume = 7 } })
        let second = volumes.subscribe(onNext: { events.append("b\($0)") })
        player.volume = 6
        turns.start()
        XCTAssertEqual(events.values, ["b7"])
        first.dispose()
        second.dispose()
    }

    func testObserve_subscribedToAndDisposedOftenWithoutAChange_leavesOneTracking() {
        let meter = Meter()
        for _ in 0..<1000 { meter.rx.observe(\.level, options: .new, scheduler: turns).subscribe().dispose() }
        XCTAssertEqual(meter.reads, 1, "The property is read once for each tracking.")
    }

    // MARK: Release

    func testObserve_givenUp_returnsEveryResource() {
        let before = Resources.total
        weak var tracking: PropertyTracking?
        do {
            let player = Player()
            player.rx.observe(\.volume, scheduler: turns).subscribe().dispose()
            let pending = player.rx.observe(\.volume, scheduler: turns).subscribe()
            player.volume = 6
            pending.dispose()
            turns.start()
            XCTAssertEqual(Resources.total, before)
            _ = player.rx.observe(\.volume, scheduler: turns).subscribe()
            tracking = PropertyTracking.of(\Player.volume, in: player)
            XCTAssertNotNil(tracking)
        }
        turns.start()
        XCTAssertEqual(Resources.total, before, "Completed, as the object has gone.")
        XCTAssertNil(tracking)
    }

    // MARK: Other kinds of objects

    func testObserve_ofAClassThatIsReactiveAnyway_isTheSame() {
        var player: MortalPlayer? = MortalPlayer()
        let events = Recorder<String>()
        let names = record(player!.rx.observe(\.name, scheduler: turns), events)
        let end = player!.rx.deallocated.subscribe(onNext: { events.append("gone") })
        player?.name = "Bob"
        turns.start()
        player = nil
        turns.start()
        XCTAssertEqual(events.values, ["next(Ada)", "next(Bob)", "gone", "completed"])
        names.dispose()
        end.dispose()
    }

    func testRx_ofAnObservableObject_hasBinders() {
        let player = Player()
        player.rx.volume.onNext(9)
        XCTAssertEqual(player.volume, 9)
    }
}
