import Rx
import XCTest

final class PairwiseTests: XCTestCase {
    func testPairwise_sendsEachElementWithTheOneBeforeIt() {
        XCTAssertEqual(
            Observable.sending(1, 2, 4).pairwise().map { "\($0)-\($1)" }.synchronousEvents,
            ["next(1-2)", "next(2-4)", "completed"])
        XCTAssertEqual(Observable.sending(1).pairwise().map { $0 + $1 }.synchronousEvents, ["completed"])
    }

    func testPairwise_ofElementSentFromInside_pairsItWithTheOneThatIsUnderWay() {
        let subject = PublishSubject<Int>()
        var seen: [String] = []
        let subscription = subject.pairwise().subscribe(onNext: {
            if $1 == 2 { subject.onNext(3) }
            seen.append("\($0)-\($1)")
        })
        subject.onNext(1)
        subject.onNext(2)
        XCTAssertEqual(seen, ["2-3", "1-2"])
        subscription.dispose()
    }

    func testPairwise_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.pairwise() }
        assertResourcesBack(to: before)
    }
}
