#if os(Linux) && TRACE_RESOURCES
    import Synchronization
    import XCTest

    @testable import HeapTrace

    /// Tests that work counts which other threads do for a run after the run has ended.
    final class UnawaitedWorkTests: XCTestCase {
        private static let kept = Mutex<[Int]>([])
        private static let replaced = Mutex<[Int]>([])

        private func elements(_ report: GrowthReport) -> [GrowthGroup] {
            report.groups.filter { if case .elements = $0.metric { true } else { false } }
        }

        func testElementsOfTasksThatNoRunAwaits_areFound_orNotJudged() {
            let report = HeapTrace.detectGrowth(named: "late") { Task { Self.kept.withLock { $0.append(1) } } }
            // On a busy machine, the tasks may not have begun.
            if report.outcome == .notJudged { return }
            XCTAssertEqual(report.leaks.map(\.metric), [.elements("Array<Int>")], report.details)
        }

        func testElementsThatTasksReplace_areNoLeak() {
            let report = HeapTrace.detectGrowth(named: "late") { Task { Self.replaced.withLock { $0 = [1, 2, 3] } } }
            XCTAssertEqual(report.groups.filter(\.verdict.mayGrow).map(\.metric), [], report.details)
        }

        func testElementsAddedBetweenTwoRuns_areALeak() {
            var kept: [Int] = []
            let report = repeated { kept.append(1) }
            XCTAssertEqual(elements(report).map(\.verdict.isGrowing), [true], report.details)
            XCTAssertGreaterThan(kept.count, 160)
        }

        func testElementsReplacedBetweenTwoRuns_areNoLeak() {
            var kept: [Int] = []
            XCTAssertEqual(elements(repeated { kept = [kept.count, 1] }), [])
        }

        func testEqualCounts_areReadAgain_ifOtherThreadsMayHaveWorkToDo() {
            let reading = Settling.Reading()
            var settling = Settling(from: reading, usual: nil, patience: Settling.longest)
            XCTAssertNotNil(settling.pause(at: reading, isQuiet: true, mayHaveUnseenWork: true))
            XCTAssertNil(settling.pause(at: reading, isQuiet: true, mayHaveUnseenWork: true))
            settling = Settling(from: reading, usual: nil, patience: Settling.longest)
            XCTAssertNil(settling.pause(at: reading, isQuiet: true, mayHaveUnseenWork: false))
        }

        /// Searches for leaks in work that is done between two runs. The runs themselves do nothing.
        private func repeated(_ late: () -> Void) -> GrowthReport {
            var search = GrowthSearch(name: "late", runs: 20, maximumRuns: 320, patience: .zero)
            defer { search.close() }
            while search.isOpen {
                search.beginRun()
                var settling = search.endRun()
                while let pause = search.pause(&settling) { search.sleep(pause) }
                search.record(settling)
                late()
            }
            return search.report()
        }
    }
#endif
