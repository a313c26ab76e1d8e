import Dispatch
import Rx
import RxTest
import XCTest

/// The values of each operator, and their ticks. The scheduler takes a tick: an element that is sent at 210 is
/// delivered at 211.
final class SharedSequenceOperatorTests: XCTestCase {
    private var scheduler = TestScheduler(initialClock: 0)

    override func setUp() { scheduler = TestScheduler(initialClock: 0) }

    /// The events of `apply` for a driver that sends 1, 2, 2, 5 at 211, 221, 231, 241 and completes at 301.
    private func events<Result>(
        _ apply: @escaping (Driver<Int>) -> SharedSequence<some SharingStrategyProtocol, Result>
    ) -> [Recorded<Event<Result>>] {
        let source = scheduler.createHotObservable([
            .next(210, 1), .next(220, 2), .next(230, 2), .next(240, 5), .completed(300),
        ])
        return started { apply(source.asDriver(onErrorJustReturn: -1)) }
    }

    private func started<Result>(
        _ create: @escaping () -> SharedSequence<some SharingStrategyProtocol, Result>
    ) -> [Recorded<Event<Result>>] {
        var events: [Recorded<Event<Result>>] = []
        SharingScheduler.mock(scheduler: scheduler) { events = scheduler.start(create).events }
        return events
    }

    // MARK: Creating

    func testEmpty_completesOnTheScheduler() {
        XCTAssertEqual(started { Driver<Int>.empty() }, [.completed(201)])
    }

    func testNever_sendsNothing() {
        XCTAssertEqual(started { Driver<Int>.never() }, [])
    }

    func testJust_sendsItsValueOnTheScheduler() {
        XCTAssertEqual(started { Driver.just(1) }, [.next(201, 1), .completed(201)])
    }

    func testOf_sendsAValueInEachTurn() {
        XCTAssertEqual(started { Driver.of(1, 2) }, [.next(201, 1), .next(202, 2), .completed(203)])
    }

    func testFrom_sendsTheElementsOfAnArrayAndOfASequence() {
        XCTAssertEqual(started { Driver.from([1, 2]) }, [.next(201, 1), .next(202, 2), .completed(203)])
        setUp()
        XCTAssertEqual(started { Signal.from(AnySequence([1, 2])) }, [.next(201, 1), .next(202, 2), .completed(203)])
    }

    func testFromOptional_sendsTheValueIfThereIsOne() {
        XCTAssertEqual(started { Driver.from(optional: 1) }, [.next(201, 1), .completed(202)])
        setUp()
        XCTAssertEqual(started { Driver<Int>.from(optional: nil) }, [.completed(201)])
    }

    func testDeferred_makesItsSequenceWhenSubscribed() {
        var made: [Int] = []
        let events = started {
            Driver<Int>.deferred {
                made.append(self.scheduler.clock)
                return .just(1)
            }
        }
        XCTAssertEqual(made, [200])
        XCTAssertEqual(events, [.next(201, 1), .completed(201)])
    }

    func testInterval_countsPeriods() {
        let events = started { Driver<Int>.interval(.seconds(100)) }
        XCTAssertEqual(events.map(\.time), [300, 400, 500, 600, 700, 800, 900])
        XCTAssertEqual(events.compactMap(\.value.element), Array(0...6))
    }

    func testTimer_beginsAfterItsDueTime() {
        let events = started { Signal<Int>.timer(.seconds(50), period: .seconds(300)) }
        XCTAssertEqual(events, [.next(250, 0), .next(550, 1), .next(850, 2)])
    }

    // MARK: Transforming

    func testMap_transforms() {
        XCTAssertEqual(
            events { $0.map { "\($0)" } },
            [.next(211, "1"), .next(221, "2"), .next(231, "2"), .next(241, "5"), .completed(301)])
    }

    func testCompactMap_leavesOutNil() {
        XCTAssertEqual(events { $0.compactMap { $0 > 2 ? $0 : nil } }, [.next(241, 5), .completed(301)])
    }

    func testScan_accumulates() {
        XCTAssertEqual(
            events { $0.scan(100) { $0 + $1 } },
            [.next(211, 101), .next(221, 103), .next(231, 105), .next(241, 110), .completed(301)])
    }

    /// An inner sequence that sends its element times ten, and that number plus one 14 ticks later.
    private func inner(_ element: Int) -> Signal<Int> {
        Signal.merge(.just(element * 10), Signal.just(element * 10 + 1).delay(.seconds(14)))
    }

    func testFlatMap_mergesInners_andSharesAsTheyDo() {
        let all: [Recorded<Event<Int>>] = events { driver in
            let merged: Signal<Int> = driver.flatMap { self.inner($0) }
            return merged
        }
        XCTAssertEqual(all.compactMap(\.value.element), [10, 20, 11, 20, 21, 50, 21, 51])
        XCTAssertEqual(all.map(\.time), [212, 222, 226, 232, 236, 242, 246, 256, 301])
    }

    func testFlatMapLatest_followsTheLastInner() {
        let latest = events { $0.flatMapLatest { self.inner($0) } }
        XCTAssertEqual(
            latest, [.next(212, 10), .next(222, 20), .next(232, 20), .next(242, 50), .next(256, 51), .completed(301)])
    }

    func testFlatMapFirst_ignoresElementsWhileAnInnerRuns() {
        let first = events { $0.flatMapFirst { self.inner($0) } }
        XCTAssertEqual(first, [.next(212, 10), .next(226, 11), .next(232, 20), .next(246, 21), .completed(301)])
    }

    func testSwitchLatest_followsTheLastInner() {
        XCTAssertEqual(events { $0.map(self.inner).switchLatest() }.compactMap(\.value.element), [10, 20, 20, 50, 51])
    }

    func testMerge_ofInners_mergesThem() {
        XCTAssertEqual(
            events { $0.map(self.inner).merge() }.compactMap(\.value.element), [10, 20, 11, 20, 21, 50, 21, 51])
    }

    func testMergeLimited_takesInnersInTurn() {
        XCTAssertEqual(
            events { $0.map(self.inner).merge(maxConcurrent: 1) }.compactMap(\.value.element),
            [10, 11, 20, 21, 20, 21, 50, 51])
    }

    // MARK: Filtering

    func testFilter_leavesOut() {
        XCTAssertEqual(events { $0.filter { $0 % 2 == 1 } }, [.next(211, 1), .next(241, 5), .completed(301)])
    }

    func testSkip_leavesOutTheFirst() {
        XCTAssertEqual(events { $0.skip(2) }, [.next(231, 2), .next(241, 5), .completed(301)])
    }

    func testDistinctUntilChanged_leavesOutRepetitions() {
        XCTAssertEqual(
            events { $0.distinctUntilChanged() }, [.next(211, 1), .next(221, 2), .next(241, 5), .completed(301)])
    }

    func testDistinctUntilChanged_byKeyAndComparer_leavesOutRepetitions() {
        let expected: [Recorded<Event<Int>>] = [.next(211, 1), .next(241, 5), .completed(301)]
        XCTAssertEqual(events { $0.distinctUntilChanged { $0 > 2 } }, expected)
        setUp()
        XCTAssertEqual(events { $0.distinctUntilChanged { abs($0 - $1) < 2 } }, expected)
        setUp()
        XCTAssertEqual(events { $0.distinctUntilChanged({ $0 > 2 }, comparer: { $0 == $1 }) }, expected)
    }

    // MARK: Combining

    func testMergeStatic_sendsAllElements() {
        XCTAssertEqual(
            events { Driver.merge($0.filter { $0 > 2 }, $0.map { -$0 }) }.compactMap(\.value.element),
            [-1, -2, -2, 5, -5])
    }

    func testConcat_sendsOneAfterTheOther() {
        let concatenated = events { Driver.concat([Driver.of(7, 8), $0]) }
        XCTAssertEqual(
            concatenated,
            [.next(201, 7), .next(202, 8), .next(211, 1), .next(221, 2), .next(231, 2), .next(241, 5), .completed(301)])
        setUp()
        XCTAssertEqual(
            started { Driver.concat(AnySequence([Driver.of(7), Driver.of(8)])) }.compactMap(\.value.element), [7, 8])
    }

    func testStartWith_sendsTheElementFirst() {
        XCTAssertEqual(events { $0.startWith(0) }.first, .next(200, 0))
    }

    func testZip_ofACollection_pairsElements() {
        XCTAssertEqual(
            events { Driver.zip([$0, $0.skip(1)]) }.compactMap(\.value.element), [[1, 2], [2, 2], [2, 5]])
        setUp()
        XCTAssertEqual(
            events { Driver.zip([$0, $0.skip(1)]) { $0[0] * $0[1] } }.compactMap(\.value.element), [2, 4, 10])
    }

    func testCombineLatest_ofACollection_combinesTheLatest() {
        XCTAssertEqual(
            events { Driver.combineLatest([$0, .just(9)]) }.compactMap(\.value.element),
            [[1, 9], [2, 9], [2, 9], [5, 9]])
        setUp()
        XCTAssertEqual(
            events { Driver.combineLatest([$0, .just(9)]) { $0[0] + $0[1] } }.compactMap(\.value.element),
            [10, 11, 11, 14])
    }

    func testWithLatestFrom_takesTheLatestOfTheSecond() {
        XCTAssertEqual(
            events { $0.withLatestFrom(Driver.just("x")) { "\($1)\($0)" } }.compactMap(\.value.element),
            ["x1", "x2", "x2", "x5"])
        setUp()
        XCTAssertEqual(
            events { $0.withLatestFrom(Driver.just("x")) }.compactMap(\.value.element), ["x", "x", "x", "x"])
    }

    // MARK: Timing

    func testThrottle_sendsAtMostOneElementInEachWindow() {
        XCTAssertEqual(
            events { $0.throttle(.seconds(25)) }, [.next(211, 1), .next(236, 2), .next(261, 5), .completed(301)])
        setUp()
        XCTAssertEqual(
            events { $0.throttle(.seconds(25), latest: false) }, [.next(211, 1), .next(241, 5), .completed(301)])
    }

    func testDebounce_sendsWhatNothingFollows() {
        XCTAssertEqual(events { $0.debounce(.seconds(15)) }, [.next(256, 5), .completed(301)])
    }

    func testDelay_sendsLater() {
        XCTAssertEqual(
            events { $0.delay(.seconds(100)) },
            [.next(311, 1), .next(321, 2), .next(331, 2), .next(341, 5), .completed(401)])
    }

    // MARK: Inspecting

    func testDo_callsItsFunctionsInOrder_andOnceForAllSubscribers() {
        let notes = Notes()
        let subject = PublishSubject<Int>()
        let driver = subject.asDriver(onErrorJustReturn: 0).do(
            onNext: { notes.add("next \($0)") }, afterNext: { notes.add("after \($0)") },
            onCompleted: { notes.add("completed") }, afterCompleted: { notes.add("after completed") },
            onSubscribe: { notes.add("subscribe") }, onSubscribed: { notes.add("subscribed") },
            onDispose: { notes.add("dispose") })
        _ = driver.drive(onNext: { notes.add("a\($0)") })
        _ = driver.drive(onNext: { notes.add("b\($0)") })
        subject.onNext(1)
        subject.onCompleted()
        XCTAssertEqual(
            notes.lines,
            [
                "subscribe", "subscribed", "next 1", "a1", "b1", "after 1", "completed", "after completed", "dispose",
            ])
    }

    func testDebug_passesEventsOn() {
        XCTAssertEqual(events { $0.debug("shared", trimOutput: true).skip(3) }, [.next(241, 5), .completed(301)])
    }

    // MARK: withUnretained

    func testWithUnretained_ofASignal_sendsTheObjectWhileItLives() {
        var probe: LifetimeProbe? = LifetimeProbe()
        let relay = PublishRelay<Int>()
        let notes = Notes()
        let signal = relay.asSignal().withUnretained(probe!)
        _ = signal.emit(onNext: { notes.add("\($1)") }, onCompleted: { notes.add("completed") })
        _ = relay.asSignal().withUnretained(probe!) { _, element in element * 10 }.emit(onNext: { notes.add("\($0)") })
        relay.accept(1)
        probe = nil
        relay.accept(2)
        XCTAssertEqual(notes.lines, ["1", "10", "completed"])
    }

    // MARK: Re-entry

    func testElementSentFromInsideAnElement_isDeliveredAfterIt() {
        let relay = BehaviorRelay(value: 1)
        var seen: [Int] = []
        let subscription = relay.asDriver().map { $0 * 10 }.drive(onNext: { value in
            if value < 30 { relay.accept(relay.value + 1) }
            seen.append(value)
        })
        let drained = expectation(description: "drained")
        DispatchQueue.main.async { DispatchQueue.main.async { DispatchQueue.main.async { drained.fulfill() } } }
        wait(for: [drained], timeout: 20)
        XCTAssertEqual(seen, [10, 20, 30])
        subscription.dispose()
    }
}
