import Rx
import XCTest

final class DistinctTests: XCTestCase {
    private struct Name: Equatable {
        let text: String
    }

    func testDistinct_sendsEachElementOnce() {
        XCTAssertEqual(
            Observable.sending(1, 2, 1, 3, 2).distinct().synchronousEvents,
            ["next(1)", "next(2)", "next(3)", "completed"])
    }

    func testDistinct_ofWhatCannotBeHashed_comparesWithAllThatWereSent() {
        XCTAssertEqual(
            Observable.sending("a", "b", "a").map { Name(text: $0) }.distinct().map(\.text).synchronousEvents,
            ["next(a)", "next(b)", "completed"])
    }

    func testDistinct_ofTheSameElementSentFromInside_dropsIt() {
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.distinct().subscribe(onNext: {
            seen.append($0)
            subject.onNext(1)
        })
        subject.onNext(1)
        XCTAssertEqual(seen, [1])
        subscription.dispose()
    }

    func testDistinct_remembersForEachSubscriptionAlone() {
        let source = Observable.of(1, 1, 2).distinct()
        XCTAssertEqual(source.synchronousEvents, source.synchronousEvents)
    }

    func testDistinct_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.distinct() }
        runToEveryEnd { $0.map { Name(text: "\($0)") }.distinct() }
        assertResourcesBack(to: before)
    }
}
