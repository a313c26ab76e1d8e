import Foundation
import XCTest

@testable import HeapTrace

/// Tests the rule on synthetic series of known shape, with many seeds each. `GROWTH_TRIALS=10000` prints the table of
/// the decision record.
final class GrowthRuleTests: XCTestCase {
    private static let trials = 100

    private static func decided(
        on shape: GrowthShape, trial: Int, maximumRuns: Int = 160, growsInSteps: Bool = false
    ) -> (verdict: GrowthVerdict, runs: Int) {
        var random = SeededGenerator(trial: trial)
        let next = shape.make(&random)
        let rule = GrowthRule(maximumRuns: maximumRuns)
        var counts: [Int] = []
        while true {
            switch rule.step(after: counts, baseline: 0, growsInSteps: growsInSteps) {
            case .decided(let verdict): return (verdict, counts.count)
            case .runUntil(let runs):
                XCTAssertGreaterThan(runs, counts.count)
                while counts.count < runs { counts.append(next(counts.count, &random)) }
            }
        }
    }

    private static func verdicts(on shape: GrowthShape, trials: Int = trials) -> [GrowthVerdict] {
        (0..<trials).map { decided(on: shape, trial: $0).verdict }
    }

    private static func verdict(_ count: @escaping (_ run: Int) -> Int) -> GrowthVerdict {
        decided(on: .plain("", count), trial: 0).verdict
    }

    // MARK: Misses and false alarms

    func testLeaks_areFoundAsOftenAsMeasured() {
        for (shape, least) in GrowthShape.leaks {
            let verdicts = Self.verdicts(on: shape)
            let found = 100 * Double(verdicts.filter(\.isGrowing).count) / Double(verdicts.count)
            XCTAssertGreaterThanOrEqual(found, least, shape.name)
        }
    }

    func testWhatDoesNotLeak_isNeverCalledALeak() {
        for shape in GrowthShape.clean {
            let wrong = Self.verdicts(on: shape).filter(\.isGrowing)
            XCTAssert(
                wrong.isEmpty,
                """
                \(shape.name): \(wrong.count) of \(Self.trials), the first \
                \(wrong.first.map(String.init(describing:)) ?? "")
                """
            )
        }
    }

    func testWhatDoesNotLeak_isNotSaidToRise_afterAsManyRunsAsThereAreAtMost() {
        for shape in GrowthShape.clean {
            for growsInSteps in [false, true] {
                let verdicts = (0..<Self.trials).map {
                    Self.decided(on: shape, trial: $0, maximumRuns: 1_600, growsInSteps: growsInSteps).verdict
                }
                XCTAssertEqual(verdicts.count(where: \.isOpen), 0, shape.name)
            }
        }
    }

    func testLeakThatIsMissed_isSaidToRise_whereItIsAboveAllItWasBefore() {
        let verdicts = Self.verdicts(on: .leak(behind: .sawTooth(32))).filter { !$0.isGrowing }
        XCTAssertTrue(verdicts.contains(where: \.isOpen), "\(verdicts)")
        // A count that stops at 80 doesn't rise in the last octave.
        let filled = Self.decided(on: .plain("filled", { min($0, 80) }), trial: 0, growsInSteps: true).verdict
        XCTAssertFalse(filled.isOpen, "\(filled)")
    }

    /// A search that takes too long ends before such a cache is full.
    func testCache_thatIsNotFull_isSeldomCalledALeak_andAFullOneNever() {
        let short = Self.verdicts(on: .cacheOfKeys(150)).count(where: \.isGrowing)
        XCTAssertLessThanOrEqual(short, 25)
        let long = (0..<Self.trials).map {
            Self.decided(on: .cacheOfKeys(150), trial: $0, maximumRuns: 1_600).verdict
        }
        XCTAssertEqual(long.count(where: \.isGrowing), 0)
    }

    func testTable_ofManyTrials() throws {
        guard let trials = ProcessInfo.processInfo.environment["GROWTH_TRIALS"].flatMap({ Int($0) }) else {
            throw XCTSkip("GROWTH_TRIALS is not set")
        }
        for shape in GrowthShape.leaks.map(\.shape) + GrowthShape.clean + GrowthShape.beyond {
            let decided = (0..<trials).map { Self.decided(on: shape, trial: $0) }
            let called = 100 * Double(decided.filter(\.verdict.isGrowing).count) / Double(trials)
            print("| \(shape.name) | \(called) | \(decided.map(\.runs).reduce(0, +) / trials) |")
        }
    }

    // MARK: Names

    func testWhatStopped_isSaidToHave() {
        XCTAssertEqual(Self.verdict { _ in 0 }, .clean)
        XCTAssertEqual(Self.verdict { _ in 7 }, .lazy(kept: 7))
        XCTAssertEqual(Self.verdict { $0 < 2 ? 7 : 14 }, .lazy(kept: 14))
        for bound in [6, 32, 64, 100] { XCTAssertEqual(Self.verdict { min(bound, $0 + 1) }, .bounded(by: bound)) }
    }

    func testLeakThatNoiseHides_isNotSaidToHaveStopped() {
        // Noise of 0 to 60: some of these leaks are missed, and some of them even after all runs.
        let shape = GrowthShape.leak(behind: .pool(60))
        let missed = (0..<Self.trials).map { Self.decided(on: shape, trial: $0) }.filter {
            $0.runs == 163 && !$0.verdict.isGrowing
        }
        XCTAssertFalse(missed.isEmpty)
        for (verdict, _) in missed {
            guard case .unsteady = verdict else { return XCTFail("\(verdict)") }
            XCTAssertTrue(
                verdict.description.contains("too unevenly to show whether it still rises"), verdict.description)
        }
    }

    func testRecentSlope_thatIsAFairPartOfTheWhole_goesOnToTheLastRun() {
        // 1 a run, and from run 30 one every other run: slower, but still growing.
        XCTAssertTrue(Self.verdict { run in run < 30 ? run + 1 : 30 + (run - 30) / 2 }.isGrowing)
    }

    // MARK: Slopes

    func testSlope_ofAnExactLeak_isExact() {
        let verdict = Self.verdict { 3 * $0 }
        XCTAssertEqual(verdict, .growing(GrowthSlope(perRun: 3, interval: 3...3)))
        XCTAssertEqual(verdict.description, "growing by 3 a run [3 3]")
    }

    func testSlope_ofCountsWhoseSumIsNoInteger_isExact() {
        XCTAssertEqual(GrowthSlope(of: (0..<180).map { Int.max / 4 + 3 * $0 }).perRun, 3)
    }

    func testSlope_ofALeakEveryFourthRun_isNotZero() {
        guard case .growing(let slope) = Self.verdict({ $0 / 4 }) else { return XCTFail("not found") }
        XCTAssertEqual(slope.perRun, 0.25, accuracy: 0.02)
    }

    func testSlopeInterval_coversTheTruth() {
        let slopes = Self.verdicts(on: GrowthShape.half, trials: 400).compactMap {
            if case .growing(let slope) = $0 { slope } else { nil }
        }
        let covered = slopes.filter { $0.interval.contains(0.5) }.count
        // 95 % of some 400 are 380. Fewer than 355 would be six standard deviations too few.
        XCTAssertGreaterThan(Double(covered) / Double(slopes.count), 0.89)
    }

    func testSlopes_ofWhatGrows_haveALowerBoundAboveZero() {
        for shape in GrowthShape.leaks.map(\.shape) {
            for case .growing(let slope) in Self.verdicts(on: shape, trials: 20) {
                XCTAssertGreaterThan(slope.interval.lowerBound, 0, shape.name)
            }
        }
    }

    /// Memory of earlier code that is released during the first run leaves all counts below the first reading.
    func testBytes_thatStillRise_areNotClean_whereEarlierMemoryWasReleased() {
        var rule = GrowthRule()
        rule.maximumRuns = 320
        for released in [0, 1_000_000] {
            // Two steps in each of the last two octaves, and noise in every second run.
            let counts = (0..<323).map { run in
                [60, 100, 180, 200].count { run >= $0 } * 1_500 + run % 2 * 400 - released
            }
            guard case .decided(.rising) = rule.step(after: counts, baseline: 0, growsInSteps: true) else {
                return XCTFail("\(rule.step(after: counts, baseline: 0, growsInSteps: true)), released: \(released)")
            }
        }
    }

    func testBytes_whoseTableDoublesOnce_growAlsoWhenRunsAreFew() {
        var rule = GrowthRule()
        rule.maximumRuns = 40
        // 32 bytes a run, with a run that was left out, and a table that makes room once.
        let leak = (0..<43).map { run in 32 * run + (run >= 35 ? 1_312 : 0) - (run >= 23 ? 32 : 0) }
        guard case .decided(.growing) = rule.step(after: leak, baseline: 0, growsInSteps: true) else {
            return XCTFail("\(rule.step(after: leak, baseline: 0, growsInSteps: true))")
        }
        let filled = (0..<43).map { run in 32 * min(run, 25) + (run >= 15 ? 1_312 : 0) }
        if case .decided(.growing) = rule.step(after: filled, baseline: 0, growsInSteps: true) {
            XCTFail("A table that is full does not grow.")
        }
    }

    func testRule_withFewRuns_asksForMore() {
        XCTAssertEqual(GrowthRule().step(after: [], baseline: 0), .runUntil(23))
        XCTAssertEqual(GrowthRule().step(after: Array(1...23), baseline: 0), .runUntil(43))
        XCTAssertEqual(GrowthRule().step(after: Array(1...43), baseline: 0), .runUntil(83))
    }
}
