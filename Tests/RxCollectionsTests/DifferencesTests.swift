import Rx
import RxCollections
import RxTest
import XCTest

final class DifferencesTests: XCTestCase {
    private enum Failure: Error { case planted }

    func testDifferences_followEachListAtItsTime() {
        let scheduler = TestScheduler(initialClock: 0)
        let lists = scheduler.createHotObservable([
            .next(210, [1, 2]), .next(220, [2, 3]), .next(230, [2, 3]), .next(240, [3, 2]), .completed(250),
        ])
        let observer = scheduler.start { lists.differences(by: \.self).map(Changes.init) }
        XCTAssertEqual(
            observer.events,
            [
                .next(210, Changes(insertions: [0, 1])), .next(220, Changes(removals: [0], insertions: [1])),
                .next(230, Changes()), .next(240, Changes(moves: [[1, 0]])), .completed(250),
            ])
        XCTAssertEqual(lists.subscriptions, [Subscription(200, 250)])
    }

    func testDifferences_ofTwoSubscriptions_eachBeginWithAnEmptyList() {
        let differences = Observable.of([1], [1, 2]).differences(by: \.self).map(\.insertions)
        for _ in 0..<2 {
            var seen: [[Int]] = []
            _ = differences.subscribe(onNext: { seen.append($0) })
            XCTAssertEqual(seen, [[0], [1]])
        }
    }

    func testDifferences_passErrors_andForgetTheLastList() {
        let scheduler = TestScheduler(initialClock: 0)
        let lists = scheduler.createColdObservable([.next(10, [Song(id: 1)]), .error(20, Failure.planted)])
        let observer = scheduler.start { lists.differences().map(\.insertions).retry(2) }
        XCTAssertEqual(
            observer.events, [.next(210, [0]), .next(230, [0]), .error(240, Failure.planted)])
    }

    func testDifferences_whenDisposedMidway_endTheSource() {
        let scheduler = TestScheduler(initialClock: 0)
        let lists = scheduler.createHotObservable([.next(210, [1]), .next(310, [2])])
        let observer = scheduler.start(disposed: 300) { lists.differences(by: \.self).map(\.insertions) }
        XCTAssertEqual(observer.events, [.next(210, [0])])
        XCTAssertEqual(lists.subscriptions, [Subscription(200, 300)])
    }

    func testDifferences_ofListSentFromInside_continueFromTheOneBefore() {
        let lists = PublishSubject<[Int]>()
        var seen: [[Int]] = []
        let subscription = lists.differences(by: \.self).subscribe(onNext: {
            seen.append($0.insertions)
            if $0.elements == [1] { lists.onNext([1, 2]) }
        })
        lists.onNext([1])
        XCTAssertEqual(seen, [[0], [1]])
        subscription.dispose()
    }

    func testDifferences_askForAnIdentityOncePerElementAndList() {
        var calls = 0
        _ = Observable.of([1, 2, 3], [1, 2]).differences { (number: Int) -> Int in
            calls += 1
            return number
        }.subscribe()
        XCTAssertEqual(calls, 5)
    }

    func testDifferences_ofSections_followEachList() {
        let scheduler = TestScheduler(initialClock: 0)
        let lists = scheduler.createHotObservable([
            .next(210, [ListSection("A", items: [1])]),
            .next(220, [ListSection("A", items: [2, 1]), ListSection("B", items: [3])]),
        ])
        let observer = scheduler.start {
            lists.differences(by: \.self, items: \.self).map { [$0.sectionInsertions, $0.insertions.map(\.item)] }
        }
        XCTAssertEqual(observer.events, [.next(210, [[0], []]), .next(220, [[1], [0]])])
    }

    func testDifferences_leaveNothingBehind() {
        let before = Resources.total
        _ = Observable.of([1], [2]).differences(by: \.self).subscribe()
        PublishSubject<[Int]>().differences(by: \.self).subscribe().dispose()
        XCTAssertEqual(Resources.total, before)
    }
}

/// The offsets of a difference.
private struct Changes: Equatable {
    var removals: [Int] = []
    var insertions: [Int] = []
    var moves: [[Int]] = []
}

extension Changes {
    init(_ difference: ListDifference<Int>) {
        self.init(
            removals: difference.removals, insertions: difference.insertions,
            moves: difference.moves.map { [$0.before, $0.after] })
    }
}
