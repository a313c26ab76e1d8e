import Rx
import RxTest
import XCTest

final class CombineLatestTests: XCTestCase {
    func testCombineLatest_combinesEachNewElementWithTheLatestOther() {
        let scheduler = TestScheduler(initialClock: 0)
        let left = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .completed(240)])
        let right = scheduler.createHotObservable([.next(220, 10), .next(250, 20), .completed(260)])
        let result = scheduler.start { Observable.combineLatest(left, right) { $0 + $1 } }
        XCTAssertEqual(result.events, [.next(220, 11), .next(230, 12), .next(250, 22), .completed(260)])
        XCTAssertEqual(left.subscriptions, [Subscription(200, 240)])
        XCTAssertEqual(right.subscriptions, [Subscription(200, 260)])
    }

    func testCombineLatest_whenAnElementCanNeverPair_completesAtItsTick() {
        let scheduler = TestScheduler(initialClock: 0)
        let left = scheduler.createHotObservable([.completed(210)]) as TestableObservable<Int>
        let right = scheduler.createHotObservable([.next(215, 2), .completed(220)])
        let result = scheduler.start { Observable.combineLatest(left, right) { $0 + $1 } }
        XCTAssertEqual(result.events, [.completed(215)])
        XCTAssertEqual(left.subscriptions, [Subscription(200, 210)])
        XCTAssertEqual(right.subscriptions, [Subscription(200, 215)])
    }

    func testCombineLatest_atAnError_endsTheOthers() {
        let scheduler = TestScheduler(initialClock: 0)
        let left = scheduler.createHotObservable([.next(210, 1), .error(220, Planted.fault)])
        let right = scheduler.createHotObservable([.next(215, 2), .completed(230)])
        let result = scheduler.start { Observable.combineLatest(left, right) { $0 + $1 } }
        XCTAssertEqual(result.events, [.next(215, 3), .error(220, Planted.fault)])
        XCTAssertEqual(right.subscriptions, [Subscription(200, 220)])
    }

    func testCombineLatest_whoseSelectorThrows_fails() {
        XCTAssertEqual(
            Observable.combineLatest(Observable.just(1), Observable.just(2)) { _, _ -> Int in throw Planted.fault }
                .synchronousEvents,
            ["error(fault)"])
    }

    func testCombineLatest_ofSynchronousSources_takesTurns() {
        XCTAssertEqual(
            Observable.combineLatest(Observable.of(1, 2), Observable.of(10, 20)) { $0 + $1 }.synchronousEvents,
            ["next(11)", "next(12)", "next(22)", "completed"])
    }

    func testCombineLatest_ofElementSentFromInside_nests() {
        let left = PublishSubject<Int>()
        let right = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = Observable.combineLatest(left, right) { $0 + $1 }.subscribe(onNext: {
            seen.append($0)
            if $0 == 11 { left.onNext(2) }
        })
        left.onNext(1)
        right.onNext(10)
        XCTAssertEqual(seen, [11, 12])
        subscription.dispose()
    }

    func testCombineLatest_disposedMidway_leavesAllSources() {
        let left = PublishSubject<Int>()
        let right = PublishSubject<Int>()
        let subscription = Observable.combineLatest(left, right).subscribe { _ in }
        XCTAssertTrue(left.hasObservers && right.hasObservers)
        subscription.dispose()
        XCTAssertFalse(left.hasObservers || right.hasObservers)
    }

    func testCombineLatest_ofOptionalElements_countsNilAsAnElement() {
        let result = Observable.combineLatest(Observable<Int?>.just(nil), Observable<Int?>.just(1)) { [$0, $1] }
        XCTAssertEqual(result.synchronousEvents, ["next([nil, Optional(1)])", "completed"])
    }

    func testCombineLatest_ofEveryArity_keepsTheOrderOfItsSources() {
        let s = (0...8).map { Observable.just($0) }
        typealias O = Observable<[Int]>
        let results = [
            O.combineLatest(s[1], s[2]) { [$0, $1] },
            O.combineLatest(s[1], s[2], s[3]) { [$0, $1, $2] },
            O.combineLatest(s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3] },
            O.combineLatest(s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4] },
            O.combineLatest(s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5] },
            O.combineLatest(s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { [$0, $1, $2, $3, $4, $5, $6] },
            O.combineLatest(s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]) { [$0, $1, $2, $3, $4, $5, $6, $7] },
        ]
        for (index, result) in results.enumerated() {
            XCTAssertEqual(result.synchronousEvents, ["next(\(Array(1...index + 2)))", "completed"])
        }
    }

    func testCombineLatest_withoutSelector_formsTuplesOfEveryArity() {
        let s = (0...8).map { Observable.just($0) }
        let events = [
            Observable.combineLatest(s[1], s[2]).map { "\($0)" },
            Observable.combineLatest(s[1], s[2], s[3]).map { "\($0)" },
            Observable.combineLatest(s[1], s[2], s[3], s[4]).map { "\($0)" },
            Observable.combineLatest(s[1], s[2], s[3], s[4], s[5]).map { "\($0)" },
            Observable.combineLatest(s[1], s[2], s[3], s[4], s[5], s[6]).map { "\($0)" },
            Observable.combineLatest(s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map { "\($0)" },
            Observable.combineLatest(s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]).map { "\($0)" },
        ].map { $0.synchronousEvents[0] }
        XCTAssertEqual(events, (2...8).map { "next((\((1...$0).map(String.init).joined(separator: ", "))))" })
    }

    func testCombineLatest_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToErrorAndDisposal { Observable.combineLatest($0, Observable<Int>.never()) { $0 + $1 } }
        runToEveryEnd { Observable.combineLatest($0, Observable.just(1)) { $0 + $1 } }
        runToEveryEnd { Observable.combineLatest([$0, $0, .just(1)]) }
        assertResourcesBack(to: before)
    }
}
