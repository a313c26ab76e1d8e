import XCTest

@testable import RxTrace

/// The rule on synthetic series of known shape, over many trials each.
final class GrowthRuleTests: XCTestCase {
    /// A series of counts: what each run adds, on what the runs before have left.
    private struct Shape {
        let name: String
        let next: (_ run: Int, _ level: inout Int, _ random: inout any RandomNumberGenerator) -> Int

        static func noise(_ random: inout any RandomNumberGenerator) -> Int { [0, 0, 0, 1, 2].randomElement(using: &random)! }
        static func chance(_ probability: Double, _ random: inout any RandomNumberGenerator) -> Bool { Double.random(in: 0..<1, using: &random) < probability }
        static func plain(_ name: String, _ change: @escaping (_ run: Int, _ level: inout Int) -> Void) -> Shape {
            Shape(name: name) { run, level, _ in change(run, &level); return level }
        }
    }

    private static var leaks: [(shape: Shape, least: Double)] { [
        (.plain("+1 a run") { _, level in level += 1 }, 100),
        (.plain("+3 a run") { _, level in level += 3 }, 100),
        (Shape(name: "+1 a run, noisy") { _, level, random in level += 1; return level + Shape.noise(&random) }, 100),
        (Shape(name: "+1 with probability 1/2") { _, level, random in level += Shape.chance(0.5, &random) ? 1 : 0; return level }, 97),
        (.plain("+1 every fourth run") { run, level in level += run % 4 == 3 ? 1 : 0 }, 100),
    ] }

    private static var clean: [(shape: Shape, verdict: (GrowthVerdict) -> Bool)] { [
        (.plain("flat") { _, _ in }, { $0 == .clean }),
        (Shape(name: "flat, noisy") { _, level, random in level + Shape.noise(&random) }, { !$0.isGrowing }),
        (.plain("lazy at run 1") { run, level in level += run == 0 ? 7 : 0 }, { $0 == .lazy(kept: 7) }),
        (.plain("lazy at runs 1 and 3") { run, level in level += run == 0 || run == 2 ? 7 : 0 }, { $0 == .lazy(kept: 14) }),
        (.plain("cache capped at 6") { _, level in level = min(6, level + 1) }, { $0 == .bounded(by: 6) }),
        (.plain("cache capped at 32") { _, level in level = min(32, level + 1) }, { $0 == .bounded(by: 32) }),
        (.plain("cache capped at 64") { _, level in level = min(64, level + 1) }, { $0 == .bounded(by: 64) }),
        (Shape(name: "pool of 4, filled at random") { _, level, random in
            level = min(4, level + (Shape.chance(0.3, &random) ? 1 : 0))
            return level
        }, { !$0.isGrowing }),
        (.plain("saw-tooth of 8") { _, level in level = (level + 1) % 8 }, { !$0.isGrowing }),
    ] }

    private static func verdicts(on shape: Shape, trials: Int = 400) -> [GrowthVerdict] {
        (0..<trials).map { trial in
            var random: any RandomNumberGenerator = SplitMix(state: UInt64(trial) &* 0x9E37_79B9 &+ 7)
            var level = 0
            var counts: [Int] = []
            let rule = GrowthRule()
            while true {
                switch rule.step(after: counts, baseline: 0) {
                case .decided(let verdict): return verdict
                case .runUntil(let runs):
                    XCTAssertGreaterThan(runs, counts.count)
                    while counts.count < runs { counts.append(shape.next(counts.count, &level, &random)) }
                }
            }
        }
    }

    func testLeaks_areFoundAsOftenAsMeasured() {
        for (shape, least) in Self.leaks {
            let verdicts = Self.verdicts(on: shape)
            let found = 100 * Double(verdicts.filter(\.isGrowing).count) / Double(verdicts.count)
            XCTAssertGreaterThanOrEqual(found, least, shape.name)
        }
    }

    func testWhatDoesNotLeak_isNeverCalledALeakAndNamedRight() {
        for (shape, isRight) in Self.clean {
            let wrong = Self.verdicts(on: shape).filter { !isRight($0) }
            XCTAssert(wrong.isEmpty, "\(shape.name): \(wrong.count) of 400, the first \(wrong.first.map(String.init(describing:)) ?? "")")
        }
    }

    func testSlope_ofAnExactLeak_isExact() {
        let verdicts = Self.verdicts(on: .plain("+3 a run") { _, level in level += 3 }, trials: 1)
        XCTAssertEqual(verdicts, [.growing(GrowthSlope(perRun: 3, interval: 3...3))])
        XCTAssertEqual(verdicts[0].description, "growing by 3 a run [3 3]")
    }

    func testSlope_ofALeakEveryFourthRun_isNotZero() {
        guard case .growing(let slope) = Self.verdicts(on: .plain("") { run, level in level += run % 4 == 3 ? 1 : 0 }, trials: 1)[0] else {
            return XCTFail("not found")
        }
        XCTAssertEqual(slope.perRun, 0.25, accuracy: 0.02)
    }

    func testSlopeInterval_coversTheTruth() {
        let verdicts = Self.verdicts(on: Self.leaks[3].shape)
        let covered = verdicts.filter { if case .growing(let slope) = $0 { slope.interval.contains(0.5) } else { false } }.count
        let growing = verdicts.filter(\.isGrowing).count
        // 95 % of some 390 are 371; below 355 would be four standard deviations too few.
        XCTAssertGreaterThan(Double(covered) / Double(growing), 0.91)
    }

    func testRule_withFewRuns_asksForMore() {
        XCTAssertEqual(GrowthRule().step(after: [], baseline: 0), .runUntil(23))
        XCTAssertEqual(GrowthRule().step(after: Array(1...23), baseline: 0), .runUntil(43))
        XCTAssertEqual(GrowthRule().step(after: Array(1...43), baseline: 0), .runUntil(83))
    }
}

/// A small generator, so that every run sees the same series.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
