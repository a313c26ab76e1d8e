import Rx
import RxTrace
import XCTest

final class ResourceSnapshotTests: XCTestCase {
    private let unavailable =
        """
        unavailable: this build does not trace resources. Build for debugging, or with '--traits \
        default,TRACE_RESOURCES'.
        """

    func testSnapshot_ofABuildThatTraces_countsWhatIsAlive() throws {
        try XCTSkipUnless(Resources.isTracing)
        let before = ResourceSnapshot()
        let held = (Observable.just(1).map { $0 + 1 }, PublishSubject<Int>(), Disposables.create {})
        let difference = ResourceSnapshot().difference(from: before)
        XCTAssertEqual(difference.change(of: .observable), 2)
        XCTAssertEqual(difference.change(of: .subject), 1)
        XCTAssertEqual(difference.change(of: .disposable), 1)
        XCTAssertEqual(difference.change(of: .sink), 0)
        XCTAssertEqual(difference.total, 4)
        XCTAssertEqual(difference.isEmpty, false)
        XCTAssertEqual(difference.description, "total +4: observable +2, subject +1, disposable +1")
        withExtendedLifetime(held) {}
    }

    #if TRACE_RESOURCES
        func testSnapshot_total_isThatOfResources() {
            let held = Observable.just(1)
            XCTAssertEqual(ResourceSnapshot().total, Int(Resources.total))
            XCTAssertEqual(ResourceSnapshot().count(of: .observable), Resources.count(of: .observable))
            withExtendedLifetime(held) {}
        }
    #endif

    func testSnapshot_ofABuildThatDoesNotTrace_isUnavailable() throws {
        try XCTSkipIf(Resources.isTracing)
        let held = Observable.just(1)
        XCTAssertNil(ResourceSnapshot().total)
        XCTAssertEqual(ResourceSnapshot().description, unavailable)
        withExtendedLifetime(held) {}
    }

    func testText_ofCounts_namesTheKindsThatThereAre() {
        XCTAssertEqual(ResourceSnapshot(counts: [1, 0, 2, 0, 0, 0]).description, "total 3: observable 1, sink 2")
        XCTAssertEqual(ResourceSnapshot(counts: [0, 0, 0, 0, 0, 0]).description, "total 0")
        XCTAssertEqual(
            ResourceSnapshot(counts: [1, 2, 3, 4, 5, 6]).description,
            "total 21: observable 1, subject 2, sink 3, disposable 4, connection 5, scheduler 6")
    }

    func testDifference_ofCounts_isSigned() {
        let earlier = ResourceSnapshot(counts: [5, 1, 0, 1, 0, 0])
        let later = ResourceSnapshot(counts: [5, 1, 2, 0, 0, 0])
        let grown = later.difference(from: earlier)
        let shrunk = earlier.difference(from: later)
        XCTAssertEqual(grown.description, "total +1: sink +2, disposable -1")
        XCTAssertEqual(shrunk.description, "total -1: sink -2, disposable +1")
        XCTAssertEqual([grown.total, shrunk.total], [1, -1])
    }

    func testDifference_inOppositeDirections_isNotEmpty() {
        let swapped = ResourceSnapshot(counts: [0, 1, 0, 0, 0, 0]).difference(
            from: ResourceSnapshot(counts: [1, 0, 0, 0, 0, 0]))
        XCTAssertEqual(swapped.total, 0)
        XCTAssertEqual(swapped.isEmpty, false)
        XCTAssertEqual(swapped.description, "total 0: observable -1, subject +1")
    }

    func testDifference_ofEqualSnapshots_isEmpty() {
        let snapshot = ResourceSnapshot(counts: [1, 2, 3, 4, 5, 6])
        XCTAssertEqual(snapshot.difference(from: snapshot).isEmpty, true)
        XCTAssertEqual(snapshot.difference(from: snapshot).description, "total 0")
    }

    func testDifference_toASnapshotWithoutCounts_isUnavailableAndNotZero() {
        let counted = ResourceSnapshot(counts: [1, 0, 0, 0, 0, 0])
        let uncounted = ResourceSnapshot(counts: nil)
        for difference in [
            counted.difference(from: uncounted), uncounted.difference(from: counted),
            uncounted.difference(from: uncounted),
        ] {
            XCTAssertNil(difference.total)
            XCTAssertNil(difference.isEmpty)
            XCTAssertNil(difference.change(of: .observable))
            XCTAssertEqual(difference.description, unavailable)
        }
    }
}
