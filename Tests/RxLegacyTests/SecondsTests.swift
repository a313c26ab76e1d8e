import Foundation
import Rx
import RxLegacy
import XCTest

/// Spans of time as numbers of seconds.
final class SecondsTests: XCTestCase {
    fileprivate let scheduler = HistoricalScheduler()
    fileprivate let source = PublishSubject<Int>()
    fileprivate var seen: [String] = []

    fileprivate func record<Source: ObservableConvertibleType>(_ sequence: Source) -> any Disposable {
        sequence.asObservable().subscribe { self.seen.append($0.debugDescription) }
    }

    fileprivate func advance(to seconds: Double) { scheduler.advanceTo(Date(timeIntervalSince1970: seconds)) }
}

@available(*, deprecated, message: "It uses deprecated names.")
extension SecondsTests {
    func testThrottle_withSeconds_deliversTheFirstAndTheLastOfEachSpan() {
        let subscriptions = [
            record(source.throttle(0.3, scheduler: scheduler)), record(source.throttle(0.3, scheduler)),
        ]
        source.onNext(1)
        advance(to: 0.1)
        source.onNext(2)
        source.onNext(3)
        advance(to: 0.29)
        XCTAssertEqual(seen, ["next(1)", "next(1)"])
        advance(to: 0.31)
        XCTAssertEqual(seen, ["next(1)", "next(1)", "next(3)", "next(3)"])
        subscriptions.forEach { $0.dispose() }
    }

    func testThrottle_withoutTheLatest_deliversTheFirst() {
        let subscription = record(source.throttle(0.3, latest: false, scheduler: scheduler))
        source.onNext(1)
        source.onNext(2)
        advance(to: 1)
        XCTAssertEqual(seen, ["next(1)"])
        subscription.dispose()
    }

    func testDebounce_withSeconds_waitsForThePause() {
        let subscriptions = [
            record(source.debounce(0.5, scheduler: scheduler)), record(source.debounce(0.5, scheduler)),
        ]
        source.onNext(1)
        advance(to: 0.4)
        source.onNext(2)
        advance(to: 0.89)
        XCTAssertEqual(seen, [])
        advance(to: 0.91)
        XCTAssertEqual(seen, ["next(2)", "next(2)"])
        subscriptions.forEach { $0.dispose() }
    }

    func testDelay_withSeconds_delivers_later() {
        let subscriptions = [record(source.delay(2, scheduler: scheduler)), record(source.delay(2, scheduler))]
        source.onNext(1)
        advance(to: 1.9)
        XCTAssertEqual(seen, [])
        advance(to: 2.1)
        XCTAssertEqual(seen, ["next(1)", "next(1)"])
        subscriptions.forEach { $0.dispose() }
    }

    func testDelaySubscription_withSeconds_subscribesLater() {
        let subscriptions = [
            record(source.delaySubscription(1, scheduler: scheduler)), record(source.delaySubscription(1, scheduler)),
        ]
        advance(to: 0.9)
        XCTAssertFalse(source.hasObservers)
        advance(to: 1.1)
        XCTAssertTrue(source.hasObservers)
        subscriptions.forEach { $0.dispose() }
    }

    func testTakeAndSkip_withSeconds_endAndBeginAtTheTime() {
        let subscriptions = [
            record(source.take(1.5, scheduler: scheduler)), record(source.take(1.5, scheduler)),
            record(source.takeDuration(1.5, scheduler: scheduler)),
            record(source.skip(1.5, scheduler: scheduler)), record(source.skip(1.5, scheduler)),
        ]
        advance(to: 1.4)
        source.onNext(1)
        XCTAssertEqual(seen, ["next(1)", "next(1)", "next(1)"])
        seen = []
        advance(to: 1.6)
        XCTAssertEqual(seen, ["completed", "completed", "completed"])
        seen = []
        source.onNext(2)
        XCTAssertEqual(seen, ["next(2)", "next(2)"])
        subscriptions.forEach { $0.dispose() }
    }

    func testTimeout_withSeconds_failsOrGoesOnWithTheOther() {
        let subscriptions = [
            record(source.timeout(3, scheduler: scheduler)), record(source.timeout(3, scheduler)),
            record(source.timeout(3, other: Observable.just(7), scheduler: scheduler)),
        ]
        advance(to: 2.9)
        XCTAssertEqual(seen, [])
        advance(to: 3.1)
        XCTAssertEqual(seen.filter { $0.hasPrefix("error") }.count, 2)
        XCTAssertEqual(seen.suffix(2), ["next(7)", "completed"])
        subscriptions.forEach { $0.dispose() }
    }

    func testBufferAndWindow_withSeconds_cutAtTheTime() {
        let subscriptions = [
            record(source.buffer(timeSpan: 1, count: 10, scheduler: scheduler)),
            record(source.window(timeSpan: 1, count: 10, scheduler: scheduler).flatMap { $0.toArray().asObservable() }),
        ]
        source.onNext(1)
        source.onNext(2)
        advance(to: 1.1)
        XCTAssertEqual(seen, ["next([1, 2])", "next([1, 2])"])
        subscriptions.forEach { $0.dispose() }
    }

    func testInterval_withSeconds_counts() {
        let subscriptions = [
            record(Observable<Int>.interval(0.5, scheduler: scheduler)),
            record(Observable<Int>.interval(0.5, scheduler)),
            record(interval(0.5, scheduler)), record(interval(0.5, scheduler) as Observable<Int64>),
        ]
        advance(to: 1.1)
        XCTAssertEqual(seen.filter { $0 == "next(0)" }.count, 4)
        XCTAssertEqual(seen.filter { $0 == "next(1)" }.count, 4)
        XCTAssertEqual(seen.count, 8)
        subscriptions.forEach { $0.dispose() }
    }

    func testTimer_withSeconds_firesOnceOrGoesOn() {
        let once = [
            record(Observable<Int>.timer(1, scheduler: scheduler)), record(Observable<Int>.timer(1, scheduler)),
            record(timer(1, scheduler)),
        ]
        advance(to: 1.1)
        XCTAssertEqual(seen.filter { $0 == "next(0)" }.count, 3)
        XCTAssertEqual(seen.filter { $0 == "completed" }.count, 3)
        seen = []
        let periodic = [
            record(Observable<Int>.timer(1, period: 2, scheduler: scheduler)), record(timer(1, 2, scheduler)),
        ]
        advance(to: 2.2)
        XCTAssertEqual(seen, ["next(0)", "next(0)"])
        advance(to: 4.2)
        XCTAssertEqual(seen, ["next(0)", "next(0)", "next(1)", "next(1)"])
        (once + periodic).forEach { $0.dispose() }
    }

    func testDriver_withSeconds_usesItsOwnScheduler() {
        SharingScheduler.mock(scheduler: scheduler) {
            let driver = source.asDriver(onErrorJustReturn: 0)
            let subscriptions = [record(driver.throttle(0.3)), record(driver.debounce(0.3)), record(driver.delay(0.3))]
            scheduler.advanceTo(Date(timeIntervalSince1970: 0.01))
            source.onNext(1)
            advance(to: 0.02)
            XCTAssertEqual(seen, ["next(1)"])
            advance(to: 1)
            XCTAssertEqual(seen, ["next(1)", "next(1)", "next(1)"])
            subscriptions.forEach { $0.dispose() }
        }
    }

    func testDriver_ofSeconds_counts() {
        SharingScheduler.mock(scheduler: scheduler) {
            let subscriptions = [record(Driver<Int>.interval(1)), record(Driver<Int>.timer(0.5, period: 1))]
            advance(to: 0.9)
            XCTAssertEqual(seen, ["next(0)"])
            advance(to: 1.2)
            XCTAssertEqual(seen, ["next(0)", "next(0)"])
            subscriptions.forEach { $0.dispose() }
        }
    }

    func testSingle_ofSeconds_comesLater() {
        let subscriptions = [
            record(Single<Int>.timer(1, scheduler: scheduler)),
            record(Single.just(5).delaySubscription(1, scheduler: scheduler)),
            record(Single<Int>.never().timeout(1, other: .just(7), scheduler: scheduler)),
        ]
        advance(to: 0.9)
        XCTAssertEqual(seen, [])
        advance(to: 1.1)
        XCTAssertEqual(seen.sorted(), ["completed", "completed", "completed", "next(0)", "next(5)", "next(7)"])
        subscriptions.forEach { $0.dispose() }
    }

    func testSingle_withSeconds_isDelayedOrTimesOut() {
        let subscriptions = [
            record(Single.just(1).delay(1, scheduler: scheduler)),
            record(Single<Int>.never().timeout(2, scheduler: scheduler)),
        ]
        advance(to: 1.1)
        XCTAssertEqual(seen, ["next(1)", "completed"])
        advance(to: 2.1)
        XCTAssertEqual(seen.count, 3)
        XCTAssertTrue(seen[2].hasPrefix("error("), seen[2])
        subscriptions.forEach { $0.dispose() }
    }

    func testSeconds_tooManyForNanoseconds_neverPass() {
        let subscription = record(
            Observable.of(1).concat(Observable.never()).delay(1e300, scheduler: MainScheduler.sharedInstance))
        XCTAssertEqual(seen, [])
        subscription.dispose()
    }
}
