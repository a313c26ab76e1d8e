import Rx
import RxTest
import XCTest

final class MergeTests: XCTestCase {
    func testStaticMerge_interleavesAndCompletesWithTheLast() {
        let scheduler = TestScheduler(initialClock: 0)
        let first = scheduler.createHotObservable([.next(210, 1), .next(230, 3), .completed(240)])
        let second = scheduler.createHotObservable([.next(220, 2), .completed(250)])
        let result = scheduler.start { Observable.merge(first.asObservable(), second.asObservable()) }
        XCTAssertEqual(result.events, [.next(210, 1), .next(220, 2), .next(230, 3), .completed(250)])
        XCTAssertEqual(first.subscriptions, [Subscription(200, 240)])
        XCTAssertEqual(second.subscriptions, [Subscription(200, 250)])
    }

    func testStaticMerge_ofNothing_completes() {
        XCTAssertEqual(Observable<Int>.merge([]).synchronousEvents, ["completed"])
        XCTAssertEqual(
            Observable.merge(Set([1]).map { Observable.just($0) }).synchronousEvents, ["next(1)", "completed"])
    }

    func testStaticMerge_atAnError_subscribesToNothingMore() {
        var subscriptions = 0
        let later = Observable<Int>.deferred {
            subscriptions += 1
            return .never()
        }
        XCTAssertEqual(Observable.merge(.error(Planted.fault), later).synchronousEvents, ["error(fault)"])
        XCTAssertEqual(subscriptions, 0)
    }

    // MARK: Inner sequences that are delivered without a subscription

    /// The events of `source` through inner sequences of two elements, with a reaction of the observer.
    private func pairs(
        of source: PublishSubject<Int>, sending: [Int], reaction: @escaping (Int) -> Void = { _ in }
    ) -> [String] {
        var heard: [String] = []
        let subscription = source.flatMap { Observable.of($0, $0 + 1) }.subscribe { event in
            heard.append("\(event)")
            if case .next(let element) = event { reaction(element) }
        }
        sending.forEach(source.onNext)
        source.onCompleted()
        subscription.dispose()
        return heard
    }

    func testFlatMap_ofShortSequences_deliversEachWhole() {
        let before = Resources.total
        XCTAssertEqual(
            pairs(of: PublishSubject(), sending: [1, 3]),
            ["next(1)", "next(2)", "next(3)", "next(4)", "completed"])
        assertResourcesBack(to: before)
    }

    func testFlatMap_ofShortSequences_sentFromInsideAnother_takesTurns() {
        let source = PublishSubject<Int>()
        let heard = pairs(of: source, sending: [1]) { if $0 == 1 { source.onNext(10) } }
        XCTAssertEqual(heard, ["next(1)", "next(10)", "next(2)", "next(11)", "completed"])
    }

    func testFlatMap_ofShortSequences_whoseSourceEndsMeanwhile_deliversTheRest() {
        let source = PublishSubject<Int>()
        let heard = pairs(of: source, sending: [1]) { if $0 == 1 { source.onCompleted() } }
        XCTAssertEqual(heard, ["next(1)", "next(2)", "completed"])
    }

    func testFlatMap_ofALongSequence_disposedInside_walksNoFurther() {
        let source = PublishSubject<Int>()
        var walked = 0
        let endless = AnySequence {
            AnyIterator {
                walked += 1
                return walked
            }
        }
        var heard: [Int] = []
        _ = source.flatMap { _ in Observable.from(endless) }.take(3).subscribe(onNext: { heard.append($0) })
        source.onNext(0)
        XCTAssertEqual(heard, [1, 2, 3])
        XCTAssertEqual(walked, 3)
        XCTAssertFalse(source.hasObservers)
    }

    func testFlatMap_ofWhatSubscribesInside_letsThatTakeItsTurn() {
        let source = PublishSubject<Int>()
        var heard: [Int] = []
        _ = source.flatMap { _ in Observable.of(1, 2) }.subscribe(onNext: { element in
            heard.append(element)
            if element == 1 { _ = Observable.of(11, 12).subscribe(onNext: { heard.append($0) }) }
        })
        source.onNext(0)
        XCTAssertEqual(heard, [1, 11, 2, 12])
    }

    func testFlatMap_ofEmpty_waitsForTheSource() {
        let source = PublishSubject<Int>()
        var heard: [String] = []
        _ = source.flatMap { _ in Observable<Int>.empty() }.subscribe { heard.append("\($0)") }
        source.onNext(1)
        XCTAssertEqual(heard, [])
        source.onCompleted()
        XCTAssertEqual(heard, ["completed"])
    }
}
