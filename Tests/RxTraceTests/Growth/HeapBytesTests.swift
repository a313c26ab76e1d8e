import Foundation
import Rx
import Synchronization
import XCTest

@testable import RxTrace

/// The heap's bytes: only what the runs leave, named, and nothing where others worked.
final class HeapBytesTests: XCTestCase {
    #if TRACE_RESOURCES
        override func setUpWithError() throws {
            let obstacle = RxTrace.detectGrowth(named: "heap", runs: 16) {}.unavailable.first {
                $0.metric == "heap bytes"
            }
            if let obstacle { throw XCTSkip(obstacle.reason) }
        }

        /// Two objects of 24 bytes, which take 32 each.
        private final class Node { var next: Node? }

        private func leakCycle() {
            let one = Node()
            let other = Node()
            (one.next, other.next) = (other, one)
        }

        private func growing(_ report: GrowthReport) -> [GrowthGroup] { report.groups.filter(\.verdict.isGrowing) }

        // MARK: Figures

        func testCycleOf64Bytes_growsBy64() throws {
            let report = try undisturbed { RxTrace.detectGrowth(named: "cycle") { leakCycle() } }
            XCTAssertEqual(
                growing(report).map(\.description), ["heap bytes in blocks of 32: growing by 64 a run [64 64]"],
                report.details)
        }

        func testRoundTripThatLeavesNothing_isClean_howOftenItIsRepeated() throws {
            for runs in [16, 40, 160] {
                let report = try undisturbed {
                    RxTrace.detectGrowth(named: "nothing", runs: runs, maximumRuns: runs) {
                        _ = [1, 2, 3].map { "\($0)" }
                    }
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
            RxTrace.follow(counter)
            defer { RxTrace.unfollow(named: "planted") }
            let report = try undisturbed { RxTrace.detectGrowth(named: "cycle") { leakCycle() } }
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
                let report = try undisturbed {
                    RxTrace.detectGrowth(named: "two", maximumRuns: 40) {
                        if pages { keepPages(&kept) }
                        if pointers { keepPointers(&allocated) }
                    }
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
            XCTAssertEqual(record.outcome, .leaking)
            XCTAssertEqual(record.leaks.map(\.title), ["heap bytes in blocks of 112"])
        }

        func testWithoutStacks_theSizeIsNamed() throws {
            let level = RxTrace.level
            RxTrace.level = .off
            defer { RxTrace.level = level }
            var kept: [UnsafeMutableRawPointer] = []
            kept.reserveCapacity(1_000)
            let report = try undisturbed {
                RxTrace.detectGrowth(named: "pointers", maximumRuns: 40) { keepPointers(&kept) }
            }
            XCTAssertEqual(
                growing(report).map(\.description), ["heap bytes in blocks of 112: growing by 112 a run [112 112]"],
                report.details)
            kept.forEach { $0.deallocate() }
        }

        // MARK: Other threads

        private func assertUnavailable(_ report: GrowthReport, line: UInt = #line) {
            XCTAssertEqual(growing(report).map(\.description), [], line: line)
            XCTAssertNil(report.groups.first { $0.metric == .heapBytes }, "\(report)", line: line)
            XCTAssertEqual(report.unavailable.map(\.metric), ["heap bytes"], line: line)
            XCTAssertTrue(
                report.unavailable[0].reason.hasPrefix("other threads worked during the runs"), "\(report)", line: line)
        }

        func testWorkOnAGlobalQueue_makesThemUnavailable() {
            assertUnavailable(
                RxTrace.detectGrowth(named: "queue") {
                    let done = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async { done.signal() }
                    done.wait()
                })
        }

        func testDetachedTask_makesThemUnavailable() {
            assertUnavailable(
                RxTrace.detectGrowth(named: "task") {
                    let done = DispatchSemaphore(value: 0)
                    Task.detached { done.signal() }
                    done.wait()
                })
        }

        func testExpectationThatAQueueFulfils_makesThemUnavailable() {
            assertUnavailable(
                RxTrace.detectGrowth(named: "expectation") {
                    let done = expectation(description: "done")
                    DispatchQueue.global().async { done.fulfill() }
                    wait(for: [done], timeout: 10)
                })
        }

        func testWorkThatAQueueComesToLate_makesThemUnavailable() {
            // Held up until the counts were read ten times without a run in between, as by a machine that is busy with
            // other things.
            final class Held: GrowthCounter, @unchecked Sendable {
                // @unchecked: one thread uses it.
                let queue = DispatchQueue(label: "held up")
                var readings = 0, isHeld = true
                let name = "held up"
                init() { queue.suspend() }
                func release() {
                    if isHeld { queue.resume() }
                    isHeld = false
                }
                func read() -> GrowthReading {
                    readings += 1
                    if readings > 10 { release() }
                    return .counts([:])
                }
            }
            let held = Held()
            RxTrace.follow(held)
            defer {
                RxTrace.unfollow(named: "held up")
                held.release()
            }
            assertUnavailable(
                RxTrace.detectGrowth(named: "held up", maximumRuns: 40) {
                    held.readings = 0
                    held.queue.async {}
                })
        }

        /// Its time is known from the scheduler's next tick on, and its turn began before the run had ended.
        func testThreadThatGoesOnWithItsTurn_onceTheLastRunHasEnded_makesThemUnavailable() {
            final class Work: Sendable {
                let isOver = Atomic<Bool>(false)
                let begun = DispatchSemaphore(value: 0)
                let end = DispatchSemaphore(value: 0)
            }
            let work = Work()
            Thread.detachNewThread {
                work.begun.signal()
                while !work.isOver.load(ordering: .acquiring) {}
                work.end.wait()
            }
            defer { work.end.signal() }
            work.begun.wait()
            var watch = HeapWatch(staysOnThread: true)
            watch.begin(run: 1)
            watch.pause()
            watch.end()
            work.isOver.store(true, ordering: .releasing)
            let deadline = ContinuousClock.now + .seconds(10)
            var later = watch
            repeat {
                later = watch
                later.confirm()
            } while later.reasonAgainst == nil && .now < deadline
            XCTAssertNotNil(later.reasonAgainst)
        }

        func testThreadThatWakesUpNowAndThen_isNoReason() throws {
            var runs = 0
            let report = try undisturbed {
                runs = 0
                return RxTrace.detectGrowth(named: "rare", maximumRuns: 40) {
                    runs += 1
                    leakCycle()
                    guard runs % 16 == 0 else { return }
                    let done = DispatchSemaphore(value: 0)
                    DispatchQueue.global().async { done.signal() }
                    done.wait()
                }
            }
            XCTAssertEqual(growing(report).map(\.metric), [.heapBytes], "\(report)")
        }

        // MARK: Saw-teeth

        func testCacheThatIsFlushedEvery32Runs_isNotCalledALeak() throws {
            var cache: [[UInt8]] = []
            let report = try undisturbed {
                RxTrace.detectGrowth(named: "cache") {
                    if cache.count == 32 { cache = [] }
                    cache.append([UInt8](repeating: 0, count: 1_000))
                }
            }
            XCTAssertEqual(growing(report).map(\.description), [], "\(report)")
        }

        func testOneLongLivedBag_isNotCalledALeak() throws {
            let bag = DisposeBag()
            let report = try undisturbed {
                RxTrace.detectGrowth(named: "bag") { Observable.just(1).subscribe(onNext: { _ in }).disposed(by: bag) }
            }
            XCTAssertEqual(growing(report).map(\.description), [], "\(report)")
        }
    #endif
}
