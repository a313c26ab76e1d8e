import Foundation
import RxTraceObjects
import XCTest

private final class Book {}

/// Keeps the objects out of the optimiser's reach.
nonisolated(unsafe) private var kept: [AnyObject] = []

/// Counts are per process: XCTest runs these tests one after the other.
final class ObjectCountsTests: XCTestCase {
    override func tearDown() {
        kept = []
    }

    func testObstacle_inAProgramThatLinksTheProduct_isNone() { XCTAssertNil(ObjectCounts.obstacle) }

    func testDuring_objectsMadeAndDropped_countsBoth() throws {
        kept.reserveCapacity(200)
        let made = try XCTUnwrap(ObjectCounts.during { for _ in 0..<100 { kept.append(Book()) } })
        XCTAssertEqual(made.allocations, 100)
        XCTAssertEqual(made.deallocations, 0)
        let dropped = try XCTUnwrap(ObjectCounts.during { kept.removeAll(keepingCapacity: true) })
        XCTAssertEqual(dropped.allocations, 0)
        XCTAssertEqual(dropped.deallocations, 100)
    }

    func testDuring_nothing_countsNothing() {
        XCTAssertEqual(ObjectCounts.during {}, ObjectCounts())
    }

    func testDuring_retainsAndReleases_countsEach() throws {
        let book = Unmanaged.passRetained(Book())
        let counts = try XCTUnwrap(
            ObjectCounts.during {
                for _ in 0..<50 { _ = book.retain() }
                for _ in 0..<49 { book.release() }
            })
        book.release()
        book.release()
        // Debug builds retain and release each copy, in pairs.
        XCTAssertEqual(counts.retains - counts.releases, 1)
        XCTAssertGreaterThanOrEqual(counts.releases, 49)
        XCTAssertEqual(counts.allocations + counts.deallocations, 0)
    }

    func testDuring_aReferenceStored_isRetained() throws {
        let book = Book()
        kept.reserveCapacity(100)
        let counts = try XCTUnwrap(ObjectCounts.during { for _ in 0..<100 { kept.append(book) } })
        XCTAssertGreaterThanOrEqual(counts.retains - counts.releases, 100)
    }

    func testDuring_workOfAnotherThread_isInTheProcessAlone() throws {
        let before = try XCTUnwrap(ObjectCounts.ofAllThreads)
        let own = try XCTUnwrap(
            ObjectCounts.during {
                let isDone = DispatchSemaphore(value: 0)
                Thread {
                    kept.reserveCapacity(1_000)
                    for _ in 0..<1_000 { kept.append(Book()) }
                    isDone.signal()
                }.start()
                isDone.wait()
            })
        let all = try XCTUnwrap(ObjectCounts.ofAllThreads) - before
        XCTAssertLessThan(own.allocations, 1_000)
        XCTAssertGreaterThanOrEqual(all.allocations, 1_000)
    }

    func testDescription_ofCounts_namesEach() {
        XCTAssertEqual(
            "\(ObjectCounts(allocations: 100, deallocations: 99, retains: 3, releases: 103))",
            "100 allocations, 99 deallocations, 3 retains, 103 releases")
        XCTAssertEqual(
            "\(ObjectCounts(allocations: 1, deallocations: 1, retains: 1, releases: 0))",
            "1 allocation, 1 deallocation, 1 retain, 0 releases")
    }
}
