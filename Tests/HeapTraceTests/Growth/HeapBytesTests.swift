import Foundation
import Rx
import Synchronization
import XCTest

@testable import HeapTrace

/// Tests that bytes which the runs leave are named, and that none are reported where other threads worked.
final class HeapBytesTests: XCTestCase {
    #if TRACE_RESOURCES
        override func setUpWithError() throws {
            let obstacle = HeapTrace.detectGrowth(named: "heap", runs: 16) {}.unavailable.first {
                $0.metric == .heapBytes
            }
            if let obstacle { throw XCTSkip(obstacle.reason) }
        }

        /// Two objects of 24 bytes, which take 32 each.
        private final class Node { var next: Node? }

        private static func leakCycle() {
            let one = Node()
            let other = Node()
            (one.next, other.next) = (other, one)
        }

        private func growing(_ report: GrowthReport) -> [GrowthGroup] { report.groups.filter(\.verdict.isGrowing) }

        // MARK: Figures

        func testCycleOf64Bytes_growsBy64() throws {
            let report = HeapTrace.detectGrowth(named: "cycle") { Self.leakCycle() }
            XCTAssertEqual(
                growing(report).map(\.description), ["heap bytes in blocks of 32: growing by 64 a run [64 64]"],
                report.details)
        }

        func testRoundTripThatLeavesNothing_isClean_howOftenItIsRepeated() throws {
            for runs in [16, 40, 160] {
                let report = HeapTrace.detectGrowth(named: "nothing", runs: runs, maximumRuns: runs) {
                    _ = [1, 2, 3].map { "\($0)" }
                }
                XCTAssertEqual(report.groups.first { $0.metric == .heapBytes }?.verdict, .clean, "\(report)")
                XCTAssertEqual(report.runs, runs + 3)
            }
        }

        func testFiguresOfABigReport_areNotCounted() throws {
            // A counter whose readings take memory that is kept from run to run.
            final class Counter: GrowthCounter, @unchecked Sendable {
                // @unchecked: one thread uses it.
                var readings: [[GrowthMetric: Int]] = []
                let name = "planted"
                func read() -> GrowthReading {
                    let counts = Dictionary(
                        uniqueKeysWithValues: (0..<200).map { (GrowthMetric.objects("App.Type\($0)"), 1) })
                    readings.append(counts)
                    return .counts(counts)
                }
            }
            let counter = Counter()
            HeapTrace.follow(counter)
            defer { HeapTrace.unfollow(named: "planted") }
            let report = HeapTrace.detectGrowth(named: "cycle") { Self.leakCycle() }
            XCTAssertEqual(growing(report).map { "\($0.verdict)" }, ["growing by 64 a run [64 64]"], report.details)
        }

        // MARK: Names

        @inline(never) private func keepPages(_ kept: inout [[UInt8]]) {
            kept.append([UInt8](repeating: 1, count: 4_000))
            kept[kept.count - 1][0] = UInt8(truncatingIfNeeded: kept.count)
        }

        @inline(never) private func keepPointers(_ kept: inout [UnsafeMutableRawPointer]) {
            kept.append(.allocate(byteCount: 100, alignment: 8))
            kept.reserveCapacity(1_000)
        }

        func testLeaksOfTwoFunctions_areTwoGroups_andAllowingOneDoesNotAllowTheOther() throws {
            func report(pages: Bool, pointers: Bool) throws -> GrowthReport {
                var kept: [[UInt8]] = []
                var allocated: [UnsafeMutableRawPointer] = []
                kept.reserveCapacity(1_000)
                let report = HeapTrace.detectGrowth(named: "two", maximumRuns: 40) {
                    if pages { keepPages(&kept) }
                    if pointers { keepPointers(&allocated) }
                }
                allocated.forEach { $0.deallocate() }
                return report
            }
            let both = growing(try report(pages: true, pointers: true))
            XCTAssertEqual(Set(both.map(\.blockSizes)), [[112], [4_096]], both.map(\.details).joined(separator: "\n"))
            XCTAssertEqual(
                Set(both.map { "\($0.verdict)" }),
                ["growing by 112 a run [112 112]", "growing by 4096 a run [4096 4096]"])
            for (name, size) in [("keepPages", 4_096), ("keepPointers", 112)] {
                let group = try XCTUnwrap(both.first { $0.blockSizes == [size] })
                XCTAssertTrue(group.creationStack?.framesOfYours.first?.function.contains(name) ?? false, group.details)
            }
            XCTAssertEqual(Set(both.map(\.signature)).count, 2)
            let day = try XCTUnwrap(CalendarDay("2999-12-31"))
            let pages = try report(pages: true, pointers: false)
            let allowances = LeakAllowances.none.adding(leaksOf: [pages], until: day, because: "Known.")
            let record = try report(pages: true, pointers: true).allowing(allowances)
            XCTAssertEqual(record.outcome, .found)
            XCTAssertEqual(record.leaks.map(\.title), ["heap bytes in blocks of 112"])
        }

        func testWithoutStacks_theSizeIsNamed() throws {
            let level = HeapTrace.level
            HeapTrace.level = .off
            defer { HeapTrace.level = level }
            var kept: [UnsafeMutableRawPointer] = []
            kept.reserveCapacity(1_000)
            let report = HeapTrace.detectGrowth(named: "pointers", maximumRuns: 40) { keepPointers(&kept) }
            XCTAssertEqual(
                growing(report).map(\.description), ["heap bytes in blocks of 112: growing by 112 a run [112 112]"],
                report.details)
            kept.forEach { $0.deallocate() }
        }

        // MARK: Other threads

        private func assertNotAccused(_ report: GrowthReport, line: UInt = #line) {
            XCTAssertEqual(growing(report).map(\.description), [], line: line)
        }

        func testWorkOnAGlobalQueue_isNotAccused() {
            assertNotAccused(
                HeapTrace.detectGrowth(named: "queue") {
                    let done = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async { done.signal() }
                    done.wait()
                })
        }

        func testDetachedTask_isNotAccused() {
            assertNotAccused(
                HeapTrace.detectGrowth(named: "task") {
                    let done = DispatchSemaphore(value: 0)
                    Task.detached { done.signal() }
                    done.wait()
                })
        }

        func testExpectationThatAQueueFulfils_isNotAccused() {
            assertNotAccused(
                HeapTrace.detectGrowth(named: "expectation") {
                    let done = expectation(description: "done")
                    DispatchQueue.global().async { done.fulfill() }
                    wait(for: [done], timeout: 10)
                })
        }

        func testCycleOnAnotherThread_isNotJudged_withoutTheProductThatCountsIt() {
            let report = HeapTrace.detectGrowth(named: "other thread", maximumRuns: 40) {
                let done = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    Self.leakCycle()
                    done.signal()
                }
                done.wait()
            }
            XCTAssertEqual(report.outcome, .notJudged, "\(report)")
        }

        // MARK: Saw-teeth

        func testCacheThatIsFlushedEvery32Runs_isNotCalledALeak() throws {
            var cache: [[UInt8]] = []
            let report = HeapTrace.detectGrowth(named: "cache") {
                if cache.count == 32 { cache = [] }
                cache.append([UInt8](repeating: 0, count: 1_000))
            }
            XCTAssertEqual(growing(report).map(\.description), [], "\(report)")
        }

        func testOneLongLivedBag_isNotCalledALeak() throws {
            let bag = DisposeBag()
            let report = HeapTrace.detectGrowth(named: "bag") {
                Observable.just(1).subscribe(onNext: { _ in }).disposed(by: bag)
            }
            XCTAssertEqual(growing(report).map(\.description), [], "\(report)")
        }
    #endif
}
