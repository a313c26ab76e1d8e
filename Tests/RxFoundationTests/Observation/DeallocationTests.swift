import Rx
import RxFoundation
import XCTest

final class DeallocationTests: XCTestCase {
    private final class Player: DeallocationObservable {
        let deallocationSignal = DeallocationSignal()
        let log: Recorder<String>
        init(_ log: Recorder<String>) { self.log = log }
        deinit { log.append("deinit") }
    }

    func testDeallocated_whenTheObjectGoes_isOneElementAndCompletion() {
        let log = Recorder<String>()
        var player: Player? = Player(log)
        weak let weakly = player
        let subscription = player!.rx.deallocated.subscribe { event in
            log.append("\(event) \(weakly == nil)")
        }
        XCTAssertEqual(log.values, [])
        player = nil
        XCTAssertEqual(log.values, ["deinit", "next(()) true", "completed true"])
        subscription.dispose()
    }

    func testDeallocated_subscribedToLater_isBothEventsAtOnce() {
        let log = Recorder<String>()
        var player: Player? = Player(log)
        let deallocated = player!.rx.deallocated
        player = nil
        let subscription = deallocated.subscribe { log.append("\($0)") }
        XCTAssertEqual(log.values, ["deinit", "next(())", "completed"])
        subscription.dispose()
    }

    func testDeallocated_endsOtherSequences() {
        let log = Recorder<String>()
        let ticks = PublishSubject<Int>()
        var player: Player? = Player(log)
        let subscription = ticks.take(until: player!.rx.deallocated).subscribe { log.append("\($0)") }
        ticks.onNext(1)
        player = nil
        ticks.onNext(2)
        XCTAssertEqual(log.values, ["next(1)", "deinit", "completed"])
        subscription.dispose()
    }

    func testDeallocated_disposed_isSilent() {
        let log = Recorder<String>()
        var player: Player? = Player(log)
        player!.rx.deallocated.subscribe(onNext: { log.append("gone") }).dispose()
        player = nil
        XCTAssertEqual(log.values, ["deinit"])
    }

    func testDeallocated_givenUp_returnsEveryResource() {
        let before = Resources.total
        do {
            let player = Player(Recorder())
            XCTAssertEqual(Resources.total, before, "Nothing is made until somebody asks.")
            player.rx.deallocated.subscribe().dispose()
            _ = player.rx.deallocated.subscribe()
        }
        XCTAssertEqual(Resources.total, before)
    }
}
