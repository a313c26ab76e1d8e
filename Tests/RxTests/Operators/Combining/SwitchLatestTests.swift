import Rx
import RxTest
import XCTest

final class SwitchLatestTests: XCTestCase {
    func testSwitchLatest_disposesTheInnerAtTheNextOuterElement() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createColdObservable([.next(10, 1), .next(60, 2)]) as TestableObservable<Int>
        let second = scheduler.createColdObservable([.next(10, 11), .completed(90)]) as TestableObservable<Int>
        let outer = scheduler.createHotObservable([
            .next(210, first.asObservable()), .next(260, second.asObservable()), .completed(300),
        ])
        let result = scheduler.start { outer.switchLatest() }
        XCTAssertEqual(result.events, [.next(220, 1), .next(270, 11), .completed(350)])
        XCTAssertEqual(first.subscriptions, [Subscription(210, 260)])
        XCTAssertEqual(second.subscriptions, [Subscription(260, 350)])
        XCTAssertEqual(outer.subscriptions, [Subscription(200, 300)])
    }

    func testSwitchLatest_afterInnersEnd_completesWithTheOuter() {
        let scheduler = TestScheduler(initialClock: 0)
        let outer = scheduler.createHotObservable([.next(210, Observable.just(1)), .completed(300)])
        XCTAssertEqual(scheduler.start { outer.switchLatest() }.events, [.next(210, 1), .completed(300)])
    }

    func testFlatMapLatest_atAnError_disposesBoth() {
        let scheduler = TestScheduler(initialClock: 0)
        let inner = scheduler.createColdObservable([.error(30, Planted.fault)]) as TestableObservable<Int>
        let outer = scheduler.createHotObservable([.next(210, 1)])
        let result = scheduler.start { outer.flatMapLatest { _ in inner } }
        XCTAssertEqual(result.events, [.error(240, Planted.fault)])
        XCTAssertEqual(outer.subscriptions, [Subscription(200, 240)])
        XCTAssertEqual(inner.subscriptions, [Subscription(210, 240)])
    }

    func testFlatMapLatest_whoseSelectorThrows_fails() {
        XCTAssertEqual(
            Observable.sending(1).flatMapLatest { _ -> Observable<Int> in throw Planted.fault }.synchronousEvents,
            ["error(fault)"])
    }

    func testFlatMapLatest_ofElementSentWhileTheOldInnerIsDisposed_staysWithTheNewest() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.flatMapLatest { value in
            Observable<Int>.create { observer in
                observer.onNext(value)
                return Disposables.create { if value == 1 { subject.onNext(3) } }
            }
        }.subscribe(onNext: { seen.append($0) })
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(seen, [1, 3])
        subscription.dispose()
    }

    func testFlatMapLatest_ofJustAfterALiveInner_disposesIt() {
        let live = PublishSubject<Int>()
        let outer = PublishSubject<Observable<Int>>()
        let notes = Notes()
        let subscription = outer.switchLatest().subscribe { notes.add("\($0)") }
        outer.onNext(live)
        outer.onNext(.just(1))
        XCTAssertFalse(live.hasObservers)
        outer.onNext(live)
        live.onNext(2)
        outer.onCompleted()
        live.onCompleted()
        XCTAssertEqual(notes.lines, ["next(1)", "next(2)", "completed"])
        subscription.dispose()
    }

    func testFlatMapLatest_completedFromInsideAJust_completesAfterItsElement() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.flatMapLatest { Observable.just($0) }.subscribe(
            onNext: {
                if $0 == 1 { subject.onNext(2) } else { subject.onCompleted() }
                notes.add("end \($0)")
            },
            onCompleted: { notes.add("completed") })
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["end 2", "completed", "end 1"])
        subscription.dispose()
    }

    func testFlatMapFirst_ofElementSentFromInsideAJust_ignoresIt() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.flatMapFirst { Observable.just($0) }.subscribe(onNext: { value in
            seen.append(value)
            if value == 1 { subject.onNext(2) }
        })
        subject.onNext(1)
        subject.onNext(3)
        XCTAssertEqual(seen, [1, 3])
        subscription.dispose()
    }

    func testFlatMapFirst_ignoresElementsWhileTheInnerRuns() {
        let scheduler = TestScheduler(initialClock: 0)
        let inner = scheduler.createColdObservable([.next(10, 1), .completed(50)]) as TestableObservable<Int>
        let outer = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .next(270, 3), .completed(280)])
        let result = scheduler.start { outer.flatMapFirst { value in inner.map { $0 + value * 10 } } }
        XCTAssertEqual(result.events, [.next(220, 11), .next(280, 31), .completed(320)])
        XCTAssertEqual(inner.subscriptions, [Subscription(210, 260), Subscription(270, 320)])
    }

    func testFlatMapFirst_whoseSelectorThrows_fails() {
        XCTAssertEqual(
            Observable.sending(1).flatMapFirst { _ -> Observable<Int> in throw Planted.fault }.synchronousEvents,
            ["error(fault)"])
    }

    func testSwitching_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToErrorAndDisposal { $0.flatMapLatest { _ in Observable<Int>.never() } }
        runToEveryEnd { $0.flatMapLatest { Observable.sending($0) } }
        runToEveryEnd { $0.flatMapLatest { Observable.just($0) } }
        runToErrorAndDisposal { $0.flatMapFirst { _ in Observable<Int>.never() } }
        runToEveryEnd { $0.flatMapFirst { Observable.just($0) } }
        assertResourcesBack(to: before)
    }
}
