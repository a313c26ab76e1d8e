import Rx
import RxTest
import XCTest

/// Behaviours that users rely on, by the numbers of `Documentation/Behaviours.md`. This class has those behaviours that
/// no other test shows in the words of that page.
final class BehaviourTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    // MARK: Virtual time

    func test2_coldEventsDueAtSubscription_areSentAtThatTick() {
        let source = scheduler.createColdObservable([.next(0, 1), .completed(0)])
        XCTAssertEqual(scheduler.start { source }.events, [.next(200, 1), .completed(200)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 200)])
    }

    func test1_justWithTheScheduler_takesATickForItsValueAndOneForItsEnd() {
        XCTAssertEqual(
            scheduler.start { Observable.just(7, scheduler: self.scheduler) }.events, [.next(201, 7), .completed(202)])
    }

    func test1_fourElementsWithTheScheduler_takeFiveTicks() {
        let expected: [Recorded<Event<Int>>] = [
            .next(201, 1), .next(202, 2), .next(203, 3), .next(204, 4), .completed(205),
        ]
        let sources: [(TestScheduler) -> Observable<Int>] = [
            { .of(1, 2, 3, 4, scheduler: $0) }, { .from([1, 2, 3, 4], scheduler: $0) }, { .from(1...4, scheduler: $0) },
            { .range(start: 1, count: 4, scheduler: $0) },
            { .generate(initialState: 1, condition: { $0 < 5 }, scheduler: $0, iterate: { $0 + 1 }) },
        ]
        for source in sources {
            let scheduler = TestScheduler(initialClock: 0)
            XCTAssertEqual(scheduler.start { source(scheduler) }.events, expected)
        }
    }

    func test3_advanceTo_runsWhatIsDueThenAndSetsTheClock() {
        var ran: [Int] = []
        for time in [10, 20, 30] { scheduler.scheduleAt(time) { ran.append(self.scheduler.clock) } }
        scheduler.advanceTo(20)
        XCTAssertEqual(ran, [10, 20])
        scheduler.advanceTo(25)
        XCTAssertEqual(scheduler.clock, 25)
    }

    // MARK: Subscriptions

    func test11_mergeAtAnInnersError_endsTheOtherInnersAndTheOuterAtThatTick() {
        for limit in [nil, 2] {
            let scheduler = TestScheduler(initialClock: 0)
            let failing = scheduler.createColdObservable([.next(10, 1), .error(40, Planted.fault)])
            let endless = scheduler.createColdObservable([.next(5, 2), .next(90, 3)])
            let outer = scheduler.createHotObservable([.next(210, failing), .next(220, endless), .completed(600)])
            let result = scheduler.start {
                let inners = outer.map { $0.asObservable() }
                return limit.map { inners.merge(maxConcurrent: $0) } ?? inners.merge()
            }
            XCTAssertEqual(result.events, [.next(220, 1), .next(225, 2), .error(250, Planted.fault)])
            XCTAssertEqual(failing.subscriptions, [Subscription(210, 250)])
            XCTAssertEqual(endless.subscriptions, [Subscription(220, 250)])
            XCTAssertEqual(outer.subscriptions, [Subscription(200, 250)])
        }
    }

    func test11_mergeOfQueuedInner_subscribesToItWhenThePreviousOneCompletes() {
        let first = scheduler.createColdObservable([.next(10, 1), .completed(30)])
        let second = scheduler.createColdObservable([.next(10, 2), .completed(30)])
        let outer = scheduler.createHotObservable([.next(210, first), .next(220, second), .completed(300)])
        let result = scheduler.start { outer.concatMap { $0 } }
        XCTAssertEqual(result.events, [.next(220, 1), .next(250, 2), .completed(300)])
        XCTAssertEqual(first.subscriptions, [Subscription(210, 240)])
        XCTAssertEqual(second.subscriptions, [Subscription(240, 270)])
    }

    func test12_everySuccessor_isSubscribedToAtTheTickOfThePreviousEnd() {
        let failing = scheduler.createColdObservable([.next(10, 1), .error(30, Planted.fault)])
        let empty = scheduler.createColdObservable([.completed(20)]) as TestableObservable<Int>
        let last = scheduler.createColdObservable([.next(5, 2), .completed(10)])
        let result = scheduler.start {
            Observable.catch(sequence: [
                failing.asObservable(), failing.asObservable(), empty.ifEmpty(switchTo: last.asObservable()),
            ])
            .concat(last)
        }
        XCTAssertEqual(result.events, [.next(210, 1), .next(240, 1), .next(285, 2), .next(295, 2), .completed(300)])
        XCTAssertEqual(failing.subscriptions, [Subscription(200, 230), Subscription(230, 260)])
        XCTAssertEqual(empty.subscriptions, [Subscription(260, 280)])
        XCTAssertEqual(last.subscriptions, [Subscription(280, 290), Subscription(290, 300)])
    }

    func test14To16_whichSequenceIsSubscribedToFirst() {
        let notes = Notes()
        func noted(_ name: String) -> Observable<Int> { Observable.never().do(onSubscribe: { notes.add(name) }) }
        let bag = DisposeBag()
        noted("source").withLatestFrom(noted("second")).subscribe().disposed(by: bag)
        noted("source").take(until: noted("until")).subscribe().disposed(by: bag)
        noted("source").skip(until: noted("trigger")).subscribe().disposed(by: bag)
        noted("source").sample(noted("sampler")).subscribe().disposed(by: bag)
        XCTAssertEqual(
            notes.lines, ["second", "source", "until", "source", "source", "trigger", "source", "sampler"])
    }

    func test15_skipUntilOfSourceThatCompletesFirst_letsGoOfBothAndSaysNothing() {
        let source = scheduler.createHotObservable([.next(210, 1), .completed(220)])
        let trigger = scheduler.createHotObservable([.next(230, 0)])
        XCTAssertEqual(scheduler.start { source.skip(until: trigger) }.events, [])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
        XCTAssertEqual(trigger.subscriptions, [Subscription(200, 220)])
    }

    func test17_ambWonByAnEnd_disposesTheLoserAtThatTick() {
        for end in [Recorded<Event<Int>>.completed(210), .error(210, Planted.fault)] {
            let scheduler = TestScheduler(initialClock: 0)
            let winner = scheduler.createHotObservable([end])
            let loser = scheduler.createHotObservable([.next(220, 1)])
            XCTAssertEqual(scheduler.start { loser.amb(winner) }.events, [end])
            XCTAssertEqual(loser.subscriptions, [Subscription(200, 210)])
        }
        let winner = scheduler.createHotObservable([.next(210, 1), .next(230, 2), .completed(240)])
        let loser = scheduler.createHotObservable([.next(220, 9)])
        XCTAssertEqual(scheduler.start { winner.amb(loser) }.events, [.next(210, 1), .next(230, 2), .completed(240)])
        XCTAssertEqual(loser.subscriptions, [Subscription(200, 210)])
    }

    // MARK: Spans

    private func numbers() -> TestableObservable<Int> {
        scheduler.createHotObservable([
            .next(205, 1), .next(210, 2), .next(240, 3), .next(280, 4), .next(320, 5), .next(350, 6), .next(370, 7),
            .next(420, 8),
            .next(470, 9), .completed(600),
        ])
    }

    func test20_buffer_sendsAtEverySpanEmptyArraysToo() {
        let source = numbers()
        let result = scheduler.start { source.buffer(timeSpan: .seconds(70), count: 3, scheduler: self.scheduler) }
        XCTAssertEqual(
            result.events,
            [
                .next(240, [1, 2, 3]), .next(310, [4]), .next(370, [5, 6, 7]), .next(440, [8]), .next(510, [9]),
                .next(580, []),
                .next(600, []), .completed(600),
            ])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 600)])
    }

    func test20_window_beginsAtSubscriptionAndAtEverySpan() {
        let source = numbers()
        let result = scheduler.start {
            source.window(timeSpan: .seconds(70), count: 3, scheduler: self.scheduler).enumerated().flatMap {
                index, window in
                window.map { "\(index) \($0)" }
            }
        }
        XCTAssertEqual(
            result.events,
            [
                .next(205, "0 1"), .next(210, "0 2"), .next(240, "0 3"), .next(280, "1 4"), .next(320, "2 5"),
                .next(350, "2 6"),
                .next(370, "2 7"), .next(420, "3 8"), .next(470, "4 9"), .completed(600),
            ])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 600)])
    }

    func test29_retryWhenWithBackoff_beginsEachAttemptAtTheTimersTick() {
        let source = scheduler.createColdObservable([.next(5, 1), .error(10, Planted.fault)])
        let result = scheduler.start(disposed: 280) {
            source.retry { (errors: Observable<any Error>) in
                errors.enumerated().flatMap { index, _ in
                    Observable<Int>.timer(.seconds(20 * (index + 1)), scheduler: self.scheduler)
                }
            }
        }
        XCTAssertEqual(result.events, [.next(205, 1), .next(235, 1)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 210), Subscription(230, 240)])
    }

    // MARK: Ends

    func test24_onDisposed_runsOnceAfterTheEndOrTheDisposal() {
        let notes = Notes()
        func run(_ source: Observable<Int>) -> any Disposable {
            source.subscribe(
                onError: { _ in notes.add("error") }, onCompleted: { notes.add("completed") },
                onDisposed: { notes.add("disposed") })
        }
        run(.empty()).dispose()
        run(.error(Planted.fault)).dispose()
        let open = run(.never())
        open.dispose()
        open.dispose()
        XCTAssertEqual(notes.lines, ["completed", "disposed", "error", "disposed", "disposed"])
    }

    func test34_multicastIntoOneSubject_keepsItsEndForLaterSubscribers() {
        let source = scheduler.createColdObservable([.next(10, 1), .completed(20)])
        let subject = ReplaySubject<Int>.create(bufferSize: 1)
        let connectable = source.asObservable().multicast(subject)
        let late = scheduler.createObserver(Int.self)
        scheduler.scheduleAt(200) { _ = connectable.connect() }
        scheduler.scheduleAt(300) { _ = connectable.subscribe(late) }
        scheduler.start()
        XCTAssertEqual(late.events, [.next(300, 1), .completed(300)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 220)])
    }

    func test40_subscriptionMadeAfterTheEnd_isDisposedWhenItIsSet() {
        let resource = BooleanDisposable()
        var wasDisposed: Bool?
        let source = Observable<Int>.create { observer in
            observer.onNext(1)
            wasDisposed = resource.isDisposed
            return resource
        }
        XCTAssertEqual(source.take(1).synchronousEvents, ["next(1)", "completed"])
        XCTAssertEqual(wasDisposed, false)
        XCTAssertTrue(resource.isDisposed)
    }

    func test40_disposal_isFollowedByNoEventOnThatThread() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        var subscription: (any Disposable)?
        subscription = subject.map { $0 * 10 }.subscribe { event in
            notes.add("\(event)")
            subscription?.dispose()
            subject.onNext(2)
            subject.onCompleted()
        }
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["next(10)"])
    }

    // MARK: Shared sequences

    func test47_driverSubscribedToTwiceInTheBackground_subscribesToItsSourceOnce() {
        let source = PublishSubject<Int>()
        let subscribed = Tally()
        let received = Tally()
        let receivedElsewhere = Tally()
        let driver = source.do(onSubscribe: { subscribed.add() }).asDriver(onErrorJustReturn: 0).map { $0 + 1 }
        let count: @Sendable (Int) -> Void = { _ in Thread.isMainThread ? received.add() : receivedElsewhere.add() }
        let place = CompositeDisposable()
        JoinedThread {
            for _ in 0..<2 { _ = place.insert(driver.asObservable().subscribe(onNext: count)) }
            source.onNext(1)
        }.join()
        let drained = expectation(description: "drained")
        DispatchQueue.main.async { drained.fulfill() }
        wait(for: [drained], timeout: 20)
        XCTAssertEqual([subscribed.value, received.value, receivedElsewhere.value], [1, 2, 0])
        place.dispose()
    }

    // MARK: The library as a whole

    func test59_observables_areNotEquatable() {
        XCTAssertFalse(Observable.just(1) as Any is any Equatable)
        XCTAssertFalse(scheduler.createHotObservable([.next(1, 1)]) as Any is any Equatable)
        XCTAssertFalse(PublishSubject<Int>() as Any is any Equatable)
    }
}
