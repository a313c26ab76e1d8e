import Dispatch
import Foundation
import Rx
import RxTest
import XCTest

/// Properties of each operator of shared sequences, in addition to its values.
final class SharedSequenceEveryOperatorTests: XCTestCase {
    /// Each operator; each delivers at least one element for 1, 2, 3 and the completion of its source.
    private let operators = operators(span: .seconds(1))

    private static func operators(span: RxTimeInterval) -> [(name: String, apply: (Driver<Int>) -> Driver<Int>)] {
        [
            ("map", { $0.map { $0 * 10 } }),
            ("compactMap", { $0.compactMap { $0 > 1 ? $0 : nil } }),
            ("filter", { $0.filter { $0 > 1 } }),
            ("scan", { $0.scan(0) { $0 + $1 } }),
            ("flatMap", { $0.flatMap { .just($0) } }),
            ("flatMapLatest", { $0.flatMapLatest { .just($0) } }),
            ("flatMapFirst", { $0.flatMapFirst { .just($0) } }),
            ("switchLatest", { $0.map { Driver.just($0) }.switchLatest() }),
            ("merge()", { $0.map { Driver.just($0) }.merge() }),
            ("merge(maxConcurrent:)", { $0.map { Driver.just($0) }.merge(maxConcurrent: 1) }),
            ("skip", { $0.skip(1) }),
            ("distinctUntilChanged()", { $0.distinctUntilChanged() }),
            ("distinctUntilChanged(key)", { $0.distinctUntilChanged { $0 / 2 } }),
            ("distinctUntilChanged(comparer)", { $0.distinctUntilChanged { $0 / 2 == $1 / 2 } }),
            ("distinctUntilChanged(key, comparer:)", { $0.distinctUntilChanged({ $0 / 2 }, comparer: { $0 == $1 }) }),
            ("startWith", { $0.startWith(0) }),
            ("withLatestFrom", { $0.withLatestFrom($0) }),
            ("withLatestFrom(resultSelector:)", { $0.withLatestFrom($0) { $0 + $1 } }),
            ("static merge(variadic)", { Driver.merge($0, $0) }),
            ("static merge(array)", { Driver.merge([$0, .empty()]) }),
            ("static merge(collection)", { Driver.merge(AnyCollection([$0, .empty()])) }),
            ("static concat(sequence)", { Driver.concat(AnySequence([.empty(), $0])) }),
            ("static concat(collection)", { Driver.concat([.empty(), $0]) }),
            ("zip(collection)", { Driver.zip([$0, $0]).map { $0[0] + $0[1] } }),
            ("zip(collection, resultSelector:)", { Driver.zip([$0, $0]) { $0[0] + $0[1] } }),
            ("combineLatest(collection)", { Driver.combineLatest([$0, .just(1)]).map { $0[0] + $0[1] } }),
            ("combineLatest(collection, resultSelector:)", { Driver.combineLatest([$0, .just(1)]) { $0[0] + $0[1] } }),
            ("throttle", { $0.throttle(span) }),
            ("debounce", { $0.debounce(span) }),
            ("delay", { $0.delay(span) }),
            (
                "do",
                {
                    $0.do(
                        onNext: { _ in }, afterNext: { _ in }, onCompleted: {}, afterCompleted: {}, onSubscribe: {},
                        onSubscribed: {}, onDispose: {})
                }
            ),
            ("deferred", { driver in .deferred { driver } }),
            ("asDriver", { $0.asDriver() }),
            ("asSignal and back", { $0.asSignal(onErrorJustReturn: 0).asDriver(onErrorJustReturn: 0) }),
        ]
    }

    func testTwoSubscribers_shareOneSubscriptionAndItsElements() {
        for (name, apply) in operators {
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)])
            let first = scheduler.createObserver(Int.self)
            let second = scheduler.createObserver(Int.self)
            SharingScheduler.mock(scheduler: scheduler) {
                let sequence = apply(source.asDriver(onErrorJustReturn: -1)).asObservable()
                scheduler.scheduleAt(200) { _ = sequence.subscribe(first) }
                scheduler.scheduleAt(205) { _ = sequence.subscribe(second) }
                scheduler.start()
            }
            XCTAssertEqual(source.subscriptions.map(\.unsubscribe), [250], name)
            XCTAssertEqual(first.events.filter { $0.time > 207 }, second.events.filter { $0.time > 207 }, name)
            XCTAssertGreaterThan(second.events.filter { $0.value.element != nil }.count, 0, name)
            XCTAssertEqual(first.events.last?.value, .completed, name)
        }
    }

    func testLastSubscriberThatLeaves_endsTheSubscription() {
        for (name, apply) in operators {
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(300, 3)])
            let observer = scheduler.createObserver(Int.self)
            SharingScheduler.mock(scheduler: scheduler) {
                let sequence = apply(source.asDriver(onErrorJustReturn: -1)).asObservable()
                var subscriptions: [any Disposable] = []
                scheduler.scheduleAt(200) { subscriptions = [sequence.subscribe(observer), sequence.subscribe()] }
                scheduler.scheduleAt(240) { subscriptions[1].dispose() }
                scheduler.scheduleAt(250) { subscriptions[0].dispose() }
                scheduler.start()
            }
            XCTAssertEqual(source.subscriptions.map(\.unsubscribe), [250], name)
            XCTAssertFalse(observer.events.contains { $0.time > 250 || $0.value.isStopEvent }, name)
        }
    }

    func testFailingSource_neverFails() {
        for (name, apply) in operators {
            let scheduler = TestScheduler(initialClock: 0)
            let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .error(230, Planted.fault)])
            var result: TestableObserver<Int>?
            SharingScheduler.mock(scheduler: scheduler) {
                result = scheduler.start { apply(source.asDriver(onErrorJustReturn: 9)) }
            }
            XCTAssertEqual(result?.events.last?.value, .completed, name)
            XCTAssertEqual(source.subscriptions.map(\.unsubscribe), [230], name)
        }
    }

    func testEveryEnd_returnsEveryResource() {
        for (name, apply) in operators {
            let before = Resources.total
            for end in [Event<Int>.completed, .error(Planted.fault), .next(4)] {
                let scheduler = HistoricalScheduler()
                SharingScheduler.mock(scheduler: scheduler) {
                    let subject = PublishSubject<Int>()
                    let sequence = apply(subject.asDriver(onErrorJustReturn: -1)).asObservable()
                    let subscriptions = [sequence.subscribe(), sequence.subscribe()]
                    for value in 1...3 { subject.onNext(value) }
                    subject.on(end)
                    scheduler.start()
                    if !end.isStopEvent { subscriptions.forEach { $0.dispose() } }
                    scheduler.start()
                    withExtendedLifetime(subscriptions) {}
                }
            }
            assertResourcesBack(to: before, name)
        }
    }

    func testEventsFromTheBackground_arriveOnTheMainQueue() {
        // The timing operators wait in real time here.
        for (name, apply) in Self.operators(span: .milliseconds(1)) {
            let subject = PublishSubject<Int>()
            let done = expectation(description: name)
            var threads: Set<Bool> = []
            var seen: [Int] = []
            let subscription = apply(subject.asDriver(onErrorJustReturn: -1)).drive(
                onNext: {
                    threads.insert(Thread.isMainThread)
                    seen.append($0)
                },
                onCompleted: { done.fulfill() })
            JoinedThread {
                for value in 1...3 { subject.onNext(value) }
                subject.onCompleted()
            }.join()
            wait(for: [done], timeout: 20)
            XCTAssertEqual(threads, [true], name)
            XCTAssertFalse(seen.isEmpty, name)
            subscription.dispose()
        }
    }
}
