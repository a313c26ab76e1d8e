import Testing

@testable import HeapTrace
@testable import RxTrace
@testable import RxTraceTesting

/// Tests when a search is repeated, with handwritten reports.
@Suite struct LeakRunsTests {
    /// Bytes that grow, and fall once after the warm-up.
    private func growing(isHeapRead: Bool) -> GrowthReport {
        let counts = (1...20).map { $0 == 7 ? 5_000 : $0 * 1_000 }
        let group = GrowthGroup(
            metric: .heapBytes, counts: counts, verdict: .growing(GrowthSlope(perRun: 1_000, interval: 900...1_100)))
        return GrowthReport(
            name: "data", runs: 20, groups: [group],
            unavailable: isHeapRead ? [] : [.init(metric: .memoryNextToLeaks, reason: "no jemalloc.")])
    }

    private let clean = GrowthReport(
        name: "data", runs: 23, groups: [GrowthGroup(metric: .heapBytes, counts: [0, 0, 0, 0, 0], verdict: .clean)])

    /// Returns the outcome of a search whose first report is followed by clean reports, and the number of searches.
    private func search(_ first: GrowthReport, rest: Rest) -> (outcome: GrowthReport.Outcome, searches: Int) {
        var searches = 0
        let report = LeakRuns.search(waitingForRest: { rest }) {
            searches += 1
            return searches == 1 ? first : clean
        }
        return (report.outcome, searches)
    }

    @Test func bytesThatGrow_whereTheHeapIsNotRead_areNotRefutedByASecondSearch() {
        let (outcome, searches) = search(growing(isHeapRead: false), rest: .atOnce)
        #expect(outcome == .found)
        #expect(searches == 1)
    }

    @Test func bytesThatGrow_whereOtherCodeWorked_areNeverClean() {
        let (outcome, searches) = search(growing(isHeapRead: false), rest: .afterWaiting)
        #expect(outcome == .notJudged)
        #expect(searches == 2)
    }

    @Test func bytesThatGrow_withoutAHolderInAHeapThatWasRead_areRefuted() {
        let (outcome, searches) = search(growing(isHeapRead: true), rest: .atOnce)
        #expect(outcome == .clean)
        #expect(searches == 2)
    }
}
