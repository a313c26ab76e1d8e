import Rx
import RxTest
import XCTest

final class MergeLimitedTests: XCTestCase {
    func testMerge_limitedToTwo_subscribesTheThirdWhenOneCompletes() {
        let scheduler = TestScheduler(initialClock: 0)
        let inners = (0..<3).map {
            scheduler.createColdObservable([.next(10, $0), .completed(50 + $0 * 20)]) as TestableObservable<Int>
        }
        let outer = scheduler.createHotObservable([
            .next(210, inners[0].asObservable()), .next(220, inners[1].asObservable()),
            .next(230, inners[2].asObservable()), .completed(240),
        ])
        let result = scheduler.start { outer.merge(maxConcurrent: 2) }
        XCTAssertEqual(result.events, [.next(220, 0), .next(230, 1), .next(270, 2), .completed(350)])
        XCTAssertEqual(
            inners.map(\.subscriptions), [[Subscription(210, 260)], [Subscription(220, 290)], [Subscription(260, 350)]])
        XCTAssertEqual(outer.subscriptions, [Subscription(200, 240)])
    }

    func testMerge_atAnInnersError_disposesTheOthersAtThatTick() {
        let scheduler = TestScheduler(initialClock: 0)
        let failing = scheduler.createColdObservable([.error(30, Planted.fault)]) as TestableObservable<Int>
        let running = scheduler.createColdObservable([.next(100, 1)]) as TestableObservable<Int>
        let waiting = scheduler.createColdObservable([.next(1, 2)]) as TestableObservable<Int>
        let outer = scheduler.createHotObservable([
            .next(210, running.asObservable()), .next(220, failing.asObservable()), .next(230, waiting.asObservable()),
        ])
        let result = scheduler.start { outer.merge(maxConcurrent: 2) }
        XCTAssertEqual(result.events, [.error(250, Planted.fault)])
        XCTAssertEqual(running.subscriptions, [Subscription(210, 250)])
        XCTAssertEqual(waiting.subscriptions, [])
        XCTAssertEqual(outer.subscriptions, [Subscription(200, 250)])
    }

    func testConcat_ofInners_keepsTheirOrder() {
        XCTAssertEqual(
            Observable.sending(Observable.of(1, 2), .just(3), .of(4)).concat().synchronousEvents,
            ["next(1)", "next(2)", "next(3)", "next(4)", "completed"])
    }

    func testConcatMap_callsItsSelectorWhenAnElementArrives() {
        let subject = PublishSubject<Int>()
        var asked: [Int] = []
        let subscription = subject.concatMap {
            asked.append($0)
            return Observable<Int>.never()
        }.subscribe { _ in }
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(asked, [1, 2])
        subscription.dispose()
    }

    func testConcatMap_whoseSelectorThrows_fails() {
        XCTAssertEqual(
            Observable.sending(1, 2).concatMap { value -> Observable<Int> in
                if value == 2 { throw Planted.fault }
                return .just(value)
            }.synchronousEvents,
            ["next(1)", "error(fault)"])
    }

    func testConcatMap_ofElementSentFromInsideAJust_takesItsTurnAfterwards() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.concatMap { Observable.just($0) }.subscribe(onNext: {
            notes.add("begin \($0)")
            if $0 == 1 {
                subject.onNext(2)
                subject.onNext(3)
            }
            notes.add("end \($0)")
        })
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
        subscription.dispose()
    }

    func testConcatMap_ofManySynchronousInners_needsNoStack() {
        let sum = onSmallStack {
            var sum = 0
            _ = Observable.range(start: 1, count: 100_000).concatMap { Observable.sending($0) }.subscribe(onNext: {
                sum += $0
            })
            return sum
        }
        XCTAssertEqual(sum, 5_000_050_000)
    }

    func testMerge_ofQueuedSynchronousInners_needsNoStack() {
        let count = onSmallStack {
            let gate = PublishSubject<Int>()
            let inners = PublishSubject<Observable<Int>>()
            var count = 0
            let subscription = inners.merge(maxConcurrent: 1).subscribe(onNext: { _ in count += 1 })
            inners.onNext(gate)
            for value in 0..<100_000 { inners.onNext(.sending(value)) }
            gate.onCompleted()
            subscription.dispose()
            return count
        }
        XCTAssertEqual(count, 100_000)
    }

    func testMerge_ofQueuedJusts_sendsThemInOrderWithoutStack() {
        let isInOrder = onSmallStack {
            let gate = PublishSubject<Int>()
            let inners = PublishSubject<Observable<Int>>()
            var seen: [Int] = []
            var isCompleted = false
            let subscription = inners.merge(maxConcurrent: 1).subscribe(
                onNext: { seen.append($0) }, onCompleted: { isCompleted = true })
            inners.onNext(gate)
            for value in 0..<100_000 { inners.onNext(.just(value)) }
            inners.onCompleted()
            gate.onCompleted()
            subscription.dispose()
            return isCompleted && seen == Array(0..<100_000)
        }
        XCTAssertTrue(isInOrder)
    }

    func testMergeLimited_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.concatMap { Observable.just($0) } }
        runToErrorAndDisposal { $0.concatMap { _ in Observable<Int>.never() } }
        runToErrorAndDisposal { $0.map { _ in Observable<Int>.never() }.merge(maxConcurrent: 2) }
        assertResourcesBack(to: before)
    }
}
