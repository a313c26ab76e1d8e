import Rx
import RxTest
import XCTest

final class ZipTests: XCTestCase {
    func testZip_pairsElementsInOrder() {
        let scheduler = TestScheduler(initialClock: 0)
        let left = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(260, 3), .completed(270)])
        let right = scheduler.createHotObservable([.next(230, 10), .next(250, 20), .completed(280)])
        let result = scheduler.start { Observable.zip(left, right) { $0 + $1 } }
        XCTAssertEqual(result.events, [.next(230, 11), .next(250, 22), .completed(280)])
        XCTAssertEqual(left.subscriptions, [Subscription(200, 270)])
        XCTAssertEqual(right.subscriptions, [Subscription(200, 280)])
    }

    func testZip_ofEmptyAndLonger_completesWhenAllHave() {
        let scheduler = TestScheduler(initialClock: 0)
        let left = scheduler.createHotObservable([.completed(210)]) as TestableObservable<Int>
        let right = scheduler.createHotObservable([.next(215, 2), .completed(220)])
        let result = scheduler.start { Observable.zip(left, right) { $0 + $1 } }
        XCTAssertEqual(result.events, [.completed(220)])
        XCTAssertEqual(right.subscriptions, [Subscription(200, 220)])
    }

    func testZip_atAnError_endsTheOthers() {
        let scheduler = TestScheduler(initialClock: 0)
        let left = scheduler.createHotObservable([.next(210, 1), .error(220, Planted.fault)])
        let right = scheduler.createHotObservable([.next(230, 2)])
        let result = scheduler.start { Observable.zip(left, right) { $0 + $1 } }
        XCTAssertEqual(result.events, [.error(220, Planted.fault)])
        XCTAssertEqual(right.subscriptions, [Subscription(200, 220)])
    }

    func testZip_whoseSelectorThrows_fails() {
        XCTAssertEqual(
            Observable.zip(Observable.just(1), Observable.just(2)) { _, _ -> Int in throw Planted.fault }
                .synchronousEvents,
            ["error(fault)"])
    }

    func testZip_ofManyWaitingElements_keepsTheirOrder() {
        let left = PublishSubject<Int>()
        let right = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = Observable.zip(left, right) { $0 * 1000 + $1 }.subscribe(onNext: { seen.append($0) })
        for round in 0..<5 {
            for value in 0..<20 { left.onNext(round * 20 + value) }
            for value in 0..<20 { right.onNext(round * 20 + value) }
        }
        XCTAssertEqual(seen, (0..<100).map { $0 * 1001 })
        subscription.dispose()
    }

    func testZip_ofElementSentFromInside_pairsIt() {
        let left = PublishSubject<Int>()
        let right = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = Observable.zip(left, right) { $0 + $1 }.subscribe(onNext: {
            seen.append($0)
            if $0 == 11 { right.onNext(20) }
        })
        left.onNext(1)
        left.onNext(2)
        right.onNext(10)
        XCTAssertEqual(seen, [11, 22])
        subscription.dispose()
    }

    func testZip_ofEveryArity_keepsTheOrderOfItsSources() {
        let s = (0...8).map { Observable.just($0) }
        typealias O = Observable<[Int]>
        let results = [
            O.zip(s[1], s[2]) { [$0, $1] },
            O.zip(s[1], s[2], s[3]) { [$0, $1, $2] },
            O.zip(s[1], s[2], s[3], s[4]) { [$0, $1, $2, $3] },
            O.zip(s[1], s[2], s[3], s[4], s[5]) { [$0, $1, $2, $3, $4] },
            O.zip(s[1], s[2], s[3], s[4], s[5], s[6]) { [$0, $1, $2, $3, $4, $5] },
            O.zip(s[1], s[2], s[3], s[4], s[5], s[6], s[7]) { [$0, $1, $2, $3, $4, $5, $6] },
            O.zip(s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]) { [$0, $1, $2, $3, $4, $5, $6, $7] },
        ]
        for (index, result) in results.enumerated() {
            XCTAssertEqual(result.synchronousEvents, ["next(\(Array(1...index + 2)))", "completed"])
        }
    }

    func testZip_withoutSelector_formsTuplesOfEveryArity() {
        let s = (0...8).map { Observable.just($0) }
        let events = [
            Observable.zip(s[1], s[2]).map { "\($0)" },
            Observable.zip(s[1], s[2], s[3]).map { "\($0)" },
            Observable.zip(s[1], s[2], s[3], s[4]).map { "\($0)" },
            Observable.zip(s[1], s[2], s[3], s[4], s[5]).map { "\($0)" },
            Observable.zip(s[1], s[2], s[3], s[4], s[5], s[6]).map { "\($0)" },
            Observable.zip(s[1], s[2], s[3], s[4], s[5], s[6], s[7]).map { "\($0)" },
            Observable.zip(s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8]).map { "\($0)" },
        ].map { $0.synchronousEvents[0] }
        XCTAssertEqual(events, (2...8).map { "next((\((1...$0).map(String.init).joined(separator: ", "))))" })
    }

    func testZip_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToErrorAndDisposal { Observable.zip($0, Observable<Int>.never()) { $0 + $1 } }
        runToEveryEnd { Observable.zip($0, Observable.of(1, 2)) { $0 + $1 } }
        runToEveryEnd { Observable.zip([$0, $0, .of(1)]) }
        assertResourcesBack(to: before)
    }
}
