import XCTest

@testable import HeapTrace

/// Bytes of collections that grow in place: they double now and then, and are constant in between.
final class GrowthStepsTests: XCTestCase {
    /// Returns the bytes of a table with `count` entries. The table doubles when three quarters of it are full.
    private func bytes(ofEntries count: Int) -> Int {
        var places = 4
        while places * 3 / 4 < count { places *= 2 }
        return places * 24
    }

    private func verdict(runs: Int, _ count: (Int) -> Int) -> GrowthVerdict? {
        let rule = GrowthRule(maximumRuns: runs)
        let counts = (1...runs + rule.warmUpRuns).map(count)
        if case .decided(let verdict) = rule.step(after: counts, baseline: 0, growsInSteps: true) { return verdict }
        return nil
    }

    func testTable_thatGainsEntriesWithEachRun_grows_afterAnyNumberOfRuns() {
        for runs in 100...400 {
            for entries in [1, 3, 10, 1_000] {
                let verdict = verdict(runs: runs) { bytes(ofEntries: $0 * entries) }
                XCTAssertEqual(verdict?.isGrowing, true, "\(runs) runs, \(entries) entries")
            }
        }
    }

    func testTable_withABound_doesNotGrow() {
        for runs in 100...400 {
            for bound in [4, 16, 32] {
                let verdict = verdict(runs: runs) { bytes(ofEntries: min($0, bound)) }
                XCTAssertEqual(verdict?.isGrowing ?? false, false, "\(runs) runs, bound \(bound)")
            }
        }
    }

    func testTable_isAskedForAfterTheFirstLook_andACacheThatIsFullIsNot() {
        let rule = GrowthRule()
        func step(_ count: (Int) -> Int) -> GrowthRule.Step {
            rule.step(after: (1...23).map(count), baseline: 0, growsInSteps: true)
        }
        XCTAssertEqual(step { bytes(ofEntries: $0) }, .runUntil(43))
        if case .runUntil = step({ bytes(ofEntries: min($0, 4)) }) { XCTFail("The cache is full after four runs.") }
    }

    // MARK: Runs that are left out

    /// Returns the verdict on 163 runs that add `bytes`. The bytes of the given runs are left out.
    private func verdict(leavingOut runs: Set<Int>, of bytes: (_ run: Int) -> Int) -> GrowthVerdict? {
        let rule = GrowthRule()
        let table = GrowthTable(rowLimit: 165)
        table.beginRow()
        var (counted, leftOut) = (0, 0)
        for run in 1...163 {
            table.beginRow()
            if runs.contains(run) { leftOut += bytes(run) } else { counted += bytes(run) }
            table.add(counted, to: .other(.heapBytes))
            table.add(leftOut, to: .bytesLeftOut)
        }
        guard let series = table.series.first(where: { $0.metric == .heapBytes })?.series else { return nil }
        guard case .decided(let verdict) = rule.step(after: series, growsInSteps: true) else { return nil }
        return verdict
    }

    /// Returns the bytes of a cache that takes 40 bytes a run and is flushed every `period` runs.
    private func flushed(every period: Int, _ run: Int) -> Int { run % period == 0 ? -40 * (period - 1) : 40 }

    func testFlushedCache_whoseFlushesAreLeftOut_doesNotGrow() {
        for first in 1...4 {
            for second in (first + 1)...5 {
                let verdict = verdict(leavingOut: [32 * first, 32 * second]) { flushed(every: 32, $0) }
                XCTAssertEqual(verdict?.mayGrow, false, "\(first) \(second)")
            }
        }
    }

    func testFlushedCache_allOfWhoseFlushesAreLeftOut_isNotCalledALeak() {
        XCTAssertEqual(verdict(leavingOut: [81, 162]) { flushed(every: 81, $0) }?.isGrowing, false)
    }

    func testLeak_ofWhichRunsAreLeftOut_grows() {
        XCTAssertEqual(verdict(leavingOut: [5, 40, 41, 80, 120, 163]) { _ in 40 }?.isGrowing, true)
        // Another thread frees or allocates the memory.
        XCTAssertEqual(verdict(leavingOut: [40]) { $0 == 40 ? -100_000 : 40 }?.mayGrow, true)
        XCTAssertEqual(verdict(leavingOut: [150]) { $0 == 150 ? 100_000 : 40 }?.isGrowing, true)
    }

    func testRoundTripWithoutALeak_ofWhichRunsAreLeftOut_doesNotGrow() {
        XCTAssertEqual(verdict(leavingOut: [40]) { $0 == 40 ? 100_000 : 0 }?.mayGrow, false)
        XCTAssertEqual(verdict(leavingOut: [40, 90, 150]) { [40, 90, 150].contains($0) ? 4_096 : 0 }?.mayGrow, false)
    }
}
