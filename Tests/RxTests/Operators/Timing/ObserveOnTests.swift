import Foundation
import Rx
import RxTest
import XCTest

final class ObserveOnTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testObserveOn_takesATurnForEachEvent() {
        let result = scheduler.start { Observable.just(1).observe(on: self.scheduler) }
        XCTAssertEqual(result.events, [.next(201, 1), .completed(202)])
    }

    func testObserveOn_keepsAnErrorBehindTheElementsBeforeIt() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(210, 2), .error(210, Planted.fault)])
        let result = scheduler.start { source.observe(on: self.scheduler) }
        XCTAssertEqual(result.events, [.next(211, 1), .next(212, 2), .error(213, Planted.fault)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 210)])
    }

    func testObserveOn_disposedMidway_dropsWhatWaits() {
        let source = scheduler.createHotObservable([.next(298, 1), .next(298, 2), .next(298, 3), .next(298, 4)])
        let result = scheduler.start(disposed: 300) { source.observe(on: self.scheduler) }
        XCTAssertEqual(result.events, [.next(299, 1)])
        XCTAssertEqual(scheduler.clock, 300)
    }

    func testObserveOn_ofElementSentFromInside_deliversItAfterwards() {
        let subject = PublishSubject<Int>()
        let notes = Notes()
        let subscription = subject.observe(on: InlineScheduler()).subscribe(onNext: {
            notes.add("begin \($0)")
            if $0 == 1 { subject.onNext(2) }
            notes.add("end \($0)")
        })
        subject.onNext(1)
        XCTAssertEqual(notes.lines, ["begin 1", "end 1", "begin 2", "end 2"])
        subscription.dispose()
    }

    func testObserveOn_inlineScheduler_ofManyWaitingEvents_needsNoStack() {
        let count = onSmallStack {
            let subject = PublishSubject<Int>()
            var count = 0
            let subscription = subject.observe(on: InlineScheduler()).subscribe(onNext: {
                count += 1
                if $0 == 0 { for value in 1..<100_000 { subject.onNext(value) } }
            })
            subject.onNext(0)
            subscription.dispose()
            return count
        }
        XCTAssertEqual(count, 100_000)
    }

    func testObserveOn_serialQueue_isCountedWhileAssembled_howeverManySubscribe() {
        let before = Resources.numberOfSerialDispatchQueueObservables
        var counted: Int32 { Resources.numberOfSerialDispatchQueueObservables - before }
        let queue = SerialDispatchQueueScheduler(qos: .default)
        do {
            let assembled = Observable.just(1).observe(on: queue)
            XCTAssertEqual("serial counter assembled: \(counted)", "serial counter assembled: 1")
            let never = Observable<Int>.never().observe(on: queue)
            let subscriptions = [never.subscribe(), never.subscribe()]
            XCTAssertEqual("serial counter two subs: \(counted)", "serial counter two subs: 2")
            withExtendedLifetime((assembled, never)) {}
            subscriptions.forEach { $0.dispose() }
        }
        XCTAssertEqual(counted, 0)
        let subscription = Observable<Int>.never().observe(on: MainScheduler.instance).subscribe()
        XCTAssertEqual(counted, 0, "A subscription does not keep what it was made of.")
        let elsewhere = Observable<Int>.never().observe(on: ConcurrentDispatchQueueScheduler(qos: .default))
        XCTAssertEqual(counted, 0)
        withExtendedLifetime(elsewhere) { subscription.dispose() }
    }

    func testObserveOn_atEveryEnd_releasesEverything() {
        let before = Resources.total
        do {
            let scheduler = HistoricalScheduler()
            runToEveryEnd { $0.observe(on: scheduler) }
            runToEveryEnd { $0.observe(on: InlineScheduler()) }
            scheduler.start()
        }
        assertResourcesBack(to: before)
    }
}
