import Rx
import XCTest

final class PartitionTests: XCTestCase {
    func testPartition_sendsWhatMatchesHere_andTheRestThere() {
        let (matches, nonMatches) = Observable.sending(1, 2, 3, 4).partition { $0 > 2 }
        XCTAssertEqual(matches.synchronousEvents, ["next(3)", "next(4)", "completed"])
        XCTAssertEqual(nonMatches.synchronousEvents, ["next(1)", "next(2)", "completed"])
    }

    func testPartition_ofAPredicateThatThrows_failsBoth() {
        let parts = Observable.sending(1).partition { _ in throw Planted.fault }
        XCTAssertEqual(parts.matches.synchronousEvents, ["error(fault)"])
        XCTAssertEqual(parts.nonMatches.synchronousEvents, ["error(fault)"])
    }

    func testPartition_atEveryEnd_releasesEverything() {
        let before = Resources.total
        runToEveryEnd { $0.partition { $0 > 1 }.matches }
        runToEveryEnd { $0.partition { $0 > 1 }.nonMatches }
        assertResourcesBack(to: before)
    }
}
