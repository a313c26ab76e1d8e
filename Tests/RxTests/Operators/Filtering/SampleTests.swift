import Rx
import RxBlocking
import RxTest
import XCTest

final class SampleTests: XCTestCase {
    private let scheduler = TestScheduler(initialClock: 0)

    func testSample_sendsOnlyNewElements_andCompletesWithTheNextSample() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(220, 2), .next(255, 3), .completed(300)])
        let sampler = scheduler.createHotObservable([
            .next(230, 0), .next(240, 0), .next(260, 0), .next(320, 0), .completed(500),
        ])
        let result = scheduler.start { source.sample(sampler) }
        XCTAssertEqual(result.events, [.next(230, 2), .next(260, 3), .completed(320)])
        XCTAssertEqual(source.subscriptions, [Subscription(200, 300)])
        XCTAssertEqual(sampler.subscriptions, [Subscription(200, 320)])
    }

    func testSample_withDefault_sendsItWhenThereIsNothingNew() {
        let source = scheduler.createHotObservable([.next(210, 1)])
        let sampler = scheduler.createHotObservable([.next(230, 0), .next(240, 0)])
        XCTAssertEqual(
            scheduler.start { source.sample(sampler, defaultValue: 9) }.events, [.next(230, 1), .next(240, 9)])
    }

    func testSample_samplesAtTheSamplersCompletion_andThenCompletesWithTheSource() {
        let source = scheduler.createHotObservable([.next(210, 1), .next(240, 2), .completed(300)])
        let sampler = scheduler.createHotObservable([.completed(230)]) as TestableObservable<Int>
        XCTAssertEqual(scheduler.start { source.sample(sampler) }.events, [.next(230, 1), .completed(300)])
    }

    func testSample_ofSequencesThatAnswerAtOnce_deliversTheSourcesElement() throws {
        XCTAssertEqual(try Observable.just(1).sample(Observable.just(3)).toBlocking().toArray(), [1])
    }

    func testSample_failsWithEither() {
        let failing = scheduler.createColdObservable([.error(10, Planted.fault)]) as TestableObservable<Int>
        XCTAssertEqual(scheduler.start { failing.sample(Observable<Int>.never()) }.events, [.error(210, Planted.fault)])
        XCTAssertEqual(
            PublishSubject<Int>().sample(Observable<Int>.error(Planted.fault)).synchronousEvents, ["error(fault)"])
    }

    func testSample_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.sample($0) }
        runToErrorAndDisposal { $0.sample(Observable<Int>.never()) }
        assertResourcesBack(to: before)
    }
}
