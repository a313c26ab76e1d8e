import Rx
import XCTest

final class RelayTests: XCTestCase {
    // MARK: PublishRelay

    func testPublishRelay_withTwoObservers_reachesBothInOrderOfSubscription() {
        let relay = PublishRelay<Int>()
        var seen: [String] = []
        relay.accept(0)
        _ = relay.subscribe(onNext: { seen.append("a\($0)") })
        _ = relay.asObservable().subscribe(onNext: { seen.append("b\($0)") })
        relay.accept(1)
        relay.accept(2)
        XCTAssertEqual(seen, ["a1", "b1", "a2", "b2"])
    }

    func testPublishRelay_fromInsideAValue_isDelivered() {
        let relay = PublishRelay<Int>()
        var seen: [Int] = []
        _ = relay.subscribe(onNext: { value in
            seen.append(value)
            if value < 3 { relay.accept(value + 1) }
        })
        relay.accept(1)
        XCTAssertEqual(seen, [1, 2, 3])
    }

    func testPublishRelay_afterDispose_deliversNothing() {
        let relay = PublishRelay<Int>()
        var seen: [Int] = []
        let subscription = relay.subscribe(onNext: { seen.append($0) })
        relay.accept(1)
        subscription.dispose()
        relay.accept(2)
        XCTAssertEqual(seen, [1])
    }

    func testPublishRelay_thatGoes_sendsNoEnd() {
        var relay: PublishRelay<Int>? = PublishRelay()
        let notes = Notes()
        let subscription = relay?.record(in: notes)
        relay?.accept(1)
        relay = nil
        subscription?.dispose()
        XCTAssertEqual(notes.lines, ["next(1)"])
    }

    // MARK: BehaviorRelay

    func testBehaviorRelay_sendsTheLatestValueToNewObservers() {
        let relay = BehaviorRelay(value: 1)
        XCTAssertEqual(relay.synchronousEvents, ["next(1)"])
        relay.accept(2)
        XCTAssertEqual(relay.synchronousEvents, ["next(2)"])
        XCTAssertEqual(relay.value, 2)
    }

    func testBehaviorRelay_value_isNewWhenObserversAreCalled() {
        let relay = BehaviorRelay(value: 1)
        var seen: [Int] = []
        _ = relay.subscribe(onNext: { _ in seen.append(relay.value) })
        relay.accept(2)
        XCTAssertEqual(seen, [1, 2])
    }

    func testBehaviorRelay_ofOptionals_holdsNil() {
        let relay = BehaviorRelay<Int?>(value: nil)
        XCTAssertNil(relay.value)
        relay.accept(1)
        relay.accept(nil)
        XCTAssertNil(relay.value)
        XCTAssertEqual(relay.synchronousEvents, ["next(nil)"])
    }

    func testBehaviorRelay_fromInsideTheReplay_isDeliveredAfterIt() {
        let relay = BehaviorRelay(value: 1)
        var seen: [Int] = []
        _ = relay.subscribe(onNext: { value in
            if value == 1 { relay.accept(2) }
            seen.append(value)
        })
        XCTAssertEqual(seen, [1, 2])
    }

    func testBehaviorRelay_ofObjects_keepsTheLatestOnly() {
        final class Thing {}
        var first: Thing? = Thing()
        weak let weakly = first
        let relay = BehaviorRelay(value: first!)
        first = nil
        XCTAssertNotNil(weakly)
        relay.accept(Thing())
        XCTAssertNil(weakly)
    }

    func testBehaviorRelay_fromManyThreads_keepsAValueThatWasSent() {
        allowOverlappingEvents()
        let relay = BehaviorRelay(value: 0)
        let threads = (1...4).map { thread in
            JoinedThread {
                for step in 0..<500 {
                    relay.accept(thread * 1000 + step)
                    _ = relay.value
                }
            }
        }
        threads.forEach { $0.join() }
        XCTAssertTrue((1...4).map { $0 * 1000 + 499 }.contains(relay.value))
    }

    // MARK: ReplayRelay

    func testReplayRelay_sendsTheMostRecentValuesToNewObservers() {
        let relay = ReplayRelay<Int>.create(bufferSize: 2)
        (1...3).forEach(relay.accept)
        var seen: [Int] = []
        _ = relay.subscribe(onNext: { seen.append($0) })
        relay.accept(4)
        XCTAssertEqual(seen, [2, 3, 4])
    }

    func testReplayRelay_unbound_sendsEveryValueToNewObservers() {
        let relay = ReplayRelay<Int>.createUnbound()
        (1...5).forEach(relay.accept)
        XCTAssertEqual(relay.synchronousEvents, (1...5).map { "next(\($0))" })
    }

    func testReplayRelay_ofSizeZero_remembersNothing() {
        let relay = ReplayRelay<Int>.create(bufferSize: 0)
        relay.accept(1)
        XCTAssertEqual(relay.synchronousEvents, [])
    }

    // MARK: Resources

    func testRelays_whenDisposedOrDropped_returnEveryResource() {
        let before = Resources.total
        let subjects = Resources.count(of: .subject)
        for dispose in [true, false] {
            let publish = PublishRelay<Int>()
            let behavior = BehaviorRelay(value: 0)
            let replay = ReplayRelay<Int>.create(bufferSize: 2)
            let subscriptions = [publish.subscribe(), behavior.subscribe(), replay.subscribe()]
            for value in 1...3 {
                publish.accept(value)
                behavior.accept(value)
                replay.accept(value)
            }
            XCTAssertEqual(Resources.count(of: .subject), subjects + 3)
            if dispose { subscriptions.forEach { $0.dispose() } }
        }
        assertResourcesBack(to: before)
    }
}
