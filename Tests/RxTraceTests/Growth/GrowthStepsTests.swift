import XCTest

@testable import RxTrace

/// Bytes of collections that grow in place: they double now and then, and stand still in between.
final class GrowthStepsTests: XCTestCase {
    /// The bytes of a table with as many entries, which doubles when three quarters of it are full.
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
}
