import Rx
import RxTest
import XCTest

final class ConcatTests: XCTestCase {
    func testConcat_ofTwo_deliversThemInOrder() {
        XCTAssertEqual(
            Observable.sending(1, 2).concat(Observable.sending(3)).synchronousEvents,
            ["next(1)", "next(2)", "next(3)", "completed"])
    }

    func testConcat_ofNone_completes() {
        XCTAssertEqual(Observable<Int>.concat([Observable<Int>]()).synchronousEvents, ["completed"])
    }

    func testConcat_ofVariadicAndSequence_deliverInOrder() {
        let expected = ["next(1)", "next(2)", "completed"]
        XCTAssertEqual(Observable.concat(.just(1), .just(2)).synchronousEvents, expected)
        XCTAssertEqual(Observable.concat(AnySequence([Observable.just(1), .just(2)])).synchronousEvents, expected)
    }

    func testConcat_atCompletionOfTheFirst_subscribesToTheSecondInThatTick() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createColdObservable([.next(10, 1), .completed(30)])
        let second = scheduler.createColdObservable([.next(10, 2), .completed(20)])
        let result = scheduler.start { first.concat(second) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(240, 2), .completed(250)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 230)])
        XCTAssertEqual(second.subscriptions, [Subscription(230, 250)])
    }

    func testConcat_ofErrorInTheFirst_neverSubscribesToTheSecond() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable([.next(210, 1), .error(220, Planted.fault)])
        let second = scheduler.createHotObservable([.next(230, 2)])
        let result = scheduler.start { first.concat(second) }
        XCTAssertEqual(result.events, [.next(210, 1), .error(220, Planted.fault)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 220)])
        XCTAssertEqual(second.subscriptions, [])
    }

    func testConcat_disposedDuringTheSecond_endsIt() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable([Recorded<Event<Int>>.completed(210)])
        let second = scheduler.createHotObservable([.next(220, 2), .next(240, 3)])
        let result = scheduler.start(disposed: 230) { first.concat(second) }
        XCTAssertEqual(result.events, [.next(220, 2)])
        XCTAssertEqual(second.subscriptions, [Subscription(210, 230)])
    }

    func testConcat_ofLazySequence_asksForEachOnlyWhenItIsItsTurn() {
        var asked: [Int] = []
        let all = Observable.concat(
            (1...).lazy.map { (n: Int) -> Observable<Int> in
                asked.append(n)
                return .sending(n)
            })
        XCTAssertEqual(all.take(2).synchronousEvents, ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(asked, [1, 2])
    }

    func testConcat_ofManySynchronousSequences_needsNoDeepStack() {
        let result = onSmallStack {
            var sum = 0
            _ = Observable.concat((0..<100_000).lazy.map { Observable.sending($0 & 1) }).subscribe(onNext: { sum += $0 }
            )
            return sum
        }
        XCTAssertEqual(result, 50_000)
    }

    func testConcat_ofManyRanges_needsNoDeepStack() {
        let result = onSmallStack {
            var sum = 0
            _ = Observable.concat((0..<100_000).lazy.map { Observable.range(start: $0 & 1, count: 1) })
                .subscribe(onNext: { sum += $0 })
            return sum
        }
        XCTAssertEqual(result, 50_000)
    }

    #if TRACE_RESOURCES
        private static func counting(from start: Int) -> Observable<Int> {
            Observable.concat([0, 1].lazy.map { $0 == 0 ? Observable.sending(start) : counting(from: start + 1) })
        }

        private static func countingAsSequence(from start: Int) -> Observable<Int> {
            Observable.concat(
                AnySequence(
                    [0, 1].lazy.map { $0 == 0 ? Observable.sending(start) : countingAsSequence(from: start + 1) }))
        }

        func testConcat_nestedAtTheEndOfCollections_keepsOneWalk() {
            maxTailRecursiveSinkStackSize = 0
            let sum = onSmallStack {
                var sum = 0
                _ = Self.counting(from: 0).take(10_000).subscribe(onNext: { sum += $0 })
                return sum
            }
            XCTAssertEqual(sum, 49_995_000)
            XCTAssertEqual(maxTailRecursiveSinkStackSize, 1)
        }

        func testConcat_nestedAtTheEndOfSequences_keepsOneWalkEach() {
            maxTailRecursiveSinkStackSize = 0
            _ = Self.countingAsSequence(from: 0).take(1_000).subscribe(onNext: { _ in })
            XCTAssertEqual(maxTailRecursiveSinkStackSize, 1_000)
        }
    #endif

    func testConcat_ofSynchronousSourcesWithinMerge_takesTurns() {
        var seen: [Int] = []
        _ = Observable.of(Observable.of(1, 2).concat(Observable.of(3)), Observable.of(11, 12)).merge()
            .subscribe(onNext: { seen.append($0) })
        // The outer sequence takes a turn between 1 and 11. The completion of the first `of` takes the turn in which 3
        // could otherwise be sent.
        XCTAssertEqual(seen, [1, 2, 11, 12, 3])
    }

    func testConcat_chainedAThousandTimes_isOneWalkInOrder() {
        let seen = onSmallStack {
            var chain = Observable.sending(0)
            for n in 1...1_000 { chain = chain.concat(Observable.sending(n)) }
            var seen: [Int] = []
            _ = chain.subscribe(onNext: { seen.append($0) })
            return seen
        }
        XCTAssertEqual(seen, Array(0...1_000))
    }

    func testConcat_ofJust_endedFromBelow_stops() {
        var asked = 0
        let all = Observable.concat(
            (1...).lazy.map { (n: Int) -> Observable<Int> in
                asked += 1
                return .just(n)
            })
        XCTAssertEqual(all.take(2).synchronousEvents, ["next(1)", "next(2)", "completed"])
        XCTAssertEqual(asked, 2)
    }

    func testConcat_ofElementSentFromInside_deliversIt() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.concat(Observable.never())
            .subscribe(onNext: {
                seen.append($0)
                if $0 == 1 { subject.onNext(2) }
            })
        subject.onNext(1)
        XCTAssertEqual(seen, [1, 2])
        subscription.dispose()
    }

    func testConcat_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.concat(Observable.sending(9)) }
        runToEveryEnd { Observable.sending(0).concat($0) }
        assertResourcesBack(to: before)
    }
}
