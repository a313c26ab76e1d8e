import Foundation
import Rx
import RxTrace
import RxTraceObjects
import XCTest

/// A screen that doesn't use Rx.
private final class PlainScreen {
    var onClose: (() -> Void)?
    var title = "Results"
}

private final class PlainRow { var text = "Row" }

/// Objects that a program forgets to release.
nonisolated(unsafe) private var forgotten: [PlainScreen] = []
nonisolated(unsafe) private var cache: [Int: PlainRow] = [:]

/// Leaks of the program's own classes, which no reactive resource shows. Counts are per process: XCTest runs these
/// tests one after the other.
final class ObjectGrowthTests: XCTestCase {
    override func setUp() { RxTrace.followsObjects = true }

    override func tearDown() {
        RxTrace.followsObjects = false
        forgotten = []
        cache = [:]
    }

    private func verdict(of type: String, in report: GrowthReport) -> GrowthVerdict? {
        report.groups.first { $0.metric == .objects("RxTraceObjectsTests.\(type)") }?.verdict
    }

    func testObjectsThatHoldThemselves_grow() throws {
        let report = RxTrace.detectGrowth(named: "screen") {
            let screen = PlainScreen()
            screen.onClose = { screen.title = "closed" }
        }
        XCTAssertEqual(verdict(of: "PlainScreen", in: report)?.isGrowing, true, "\(report)")
        XCTAssertEqual(report.verdict?.isGrowing, true)
        XCTAssertTrue("\(report)".contains("objects of RxTraceObjectsTests.PlainScreen"), "\(report)")
    }

    func testObjectsThatGrow_areToldWithWhoHoldsThem() throws {
        do { _ = try HeapSnapshot.capture() } catch { throw XCTSkip("\(error)") }
        let report = RxTrace.detectGrowth(named: "forgotten") { forgotten.append(PlainScreen()) }
        let group = try XCTUnwrap(report.groups.first { $0.metric == .objects("RxTraceObjectsTests.PlainScreen") })
        let retention = try XCTUnwrap(group.retention, "\(report)")
        XCTAssertTrue("\(retention)".contains("forgotten"), "\(retention)")
    }

    func testObjectsThatDoNotHoldThemselves_areClean() {
        let report = RxTrace.detectGrowth(named: "screen") {
            let screen = PlainScreen()
            screen.onClose = { [weak screen] in screen?.title = "closed" }
        }
        XCTAssertNotEqual(verdict(of: "PlainScreen", in: report)?.isGrowing, true, "\(report)")
        XCTAssertEqual(report.verdict?.isGrowing, false, "\(report)")
    }

    func testObjectsInAGlobal_grow_andInABoundedCache_doNot() {
        var run = 0
        let report = RxTrace.detectGrowth(named: "rows") {
            run += 1
            forgotten.append(PlainScreen())
            cache[run % 4] = PlainRow()
        }
        XCTAssertEqual(verdict(of: "PlainScreen", in: report)?.isGrowing, true, "\(report)")
        XCTAssertNotEqual(verdict(of: "PlainRow", in: report)?.isGrowing, true, "\(report)")
    }

    func testObjects_whenNotFollowed_areNotReported() {
        RxTrace.followsObjects = false
        let report = RxTrace.detectGrowth(named: "screen") { forgotten.append(PlainScreen()) }
        XCTAssertNil(verdict(of: "PlainScreen", in: report))
        XCTAssertFalse(RxTrace.followsObjects)
    }

    func testReportOfTheProcess_whenFollowed_namesObjects() {
        forgotten = (0..<3_000).map { _ in PlainScreen() }
        let text = "\(ProcessReport(number: 1))"
        let count = LiveObjects().count(of: PlainScreen.self) ?? 0
        XCTAssertGreaterThanOrEqual(count, 3_000)
        XCTAssertTrue(text.contains("\n  \(count)  RxTraceObjectsTests.PlainScreen"), text)
    }

    /// Memory that is kept in a list, and in no collection whose elements are counted.
    private struct Blocks {
        private struct Block {
            var previous: UnsafeMutablePointer<Block>?
        }
        private var last: UnsafeMutablePointer<Block>?

        mutating func add(_ bytes: Int) {
            let block = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
            last = block.initializeMemory(as: Block.self, to: Block(previous: last))
        }
        mutating func free() {
            while let block = last {
                last = block.pointee.previous
                block.deallocate()
            }
        }
    }

    /// Another thread of the program, which keeps memory that it allocates.
    // @unchecked: `lastRun` is guarded by the lock, and `kept` is used by the thread alone until it has ended.
    private final class Taker: @unchecked Sendable {
        private let lock = NSLock()
        private var lastRun = ContinuousClock.now
        private let stop = DispatchSemaphore(value: 0)
        private let hasEnded = DispatchSemaphore(value: 0)
        private var kept = Blocks()

        /// - Parameter isLate: whether it takes memory only while no run is under way.
        init(isLate: Bool) {
            Thread.detachNewThread { [self] in
                while stop.wait(timeout: .now() + .milliseconds(5)) == .timedOut {
                    let isBetweenRuns = lock.withLock { .now - lastRun > .milliseconds(20) }
                    guard isBetweenRuns || !isLate else { continue }
                    kept.add(4_096)
                }
                hasEnded.signal()
            }
        }
        func run() { lock.withLock { lastRun = .now } }
        func end() {
            stop.signal()
            hasEnded.wait()
            kept.free()
        }
    }

    /// Other code that finishes earlier work after the runs does not explain what the runs themselves have left.
    func testBytesOfTheRuns_areFound_whereAnotherThreadTakesMoreAfterThem() throws {
        if let obstacle = ObjectCounts.obstacle { throw XCTSkip(obstacle) }
        let taker = Taker(isLate: true)
        defer { taker.end() }
        var kept = Blocks()
        let report = HeapTrace.detectGrowth(named: "bytes") {
            taker.run()
            kept.add(272)
        }
        XCTAssertEqual(report.outcome, .found, "\(report)")
        kept.free()
    }

    func testRunsThatLeaveNothing_areNotAccused_whereAnotherThreadTakesMemory() throws {
        if let obstacle = ObjectCounts.obstacle { throw XCTSkip(obstacle) }
        for isLate in [false, true] {
            let taker = Taker(isLate: isLate)
            defer { taker.end() }
            let report = HeapTrace.detectGrowth(named: "nothing") { taker.run() }
            XCTAssertNotEqual(report.outcome, .found, "\(report)")
        }
    }

    #if os(Linux)
        /// More threads than the C library keeps stacks for. When they end, they free the thread-local memory of each
        /// other, although they have never used the allocator.
        func testThreadsThatNeverAllocate_areClean() throws {
            if let obstacle = ObjectCounts.obstacle { throw XCTSkip(obstacle) }
            let report = HeapTrace.detectGrowth(named: "threads") {
                let barrier = UnsafeMutablePointer<pthread_barrier_t>.allocate(capacity: 1)
                pthread_barrier_init(barrier, nil, 65)
                var attributes = pthread_attr_t()
                pthread_attr_init(&attributes)
                pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
                for _ in 0..<64 {
                    var thread = pthread_t()
                    pthread_create(
                        &thread, &attributes,
                        {
                            pthread_barrier_wait($0.unsafelyUnwrapped.assumingMemoryBound(to: pthread_barrier_t.self));
                            return nil
                        },
                        barrier)
                }
                pthread_barrier_wait(barrier)
                // These use the allocator, and so its lists of threads.
                for _ in 0..<16 {
                    var thread = pthread_t()
                    pthread_create(
                        &thread, nil,
                        { _ in
                            free(malloc(64)); return nil
                        }, nil)
                    pthread_join(thread, nil)
                }
                // Waits until all threads have left the barrier.
                pthread_barrier_destroy(barrier)
                barrier.deallocate()
            }
            XCTAssertNotEqual(report.verdict?.isGrowing, true, "\(report)")
        }
    #endif
}
