import Testing

@testable import RxBenchEngine

@Suite("Family of comparisons") struct PairedFamilyTests {
    /// Measurements with layouts that differ and processes with heavy tails, as they were seen.
    private struct Machine {
        var generator: SeededGenerator
        let effects: [Double]
        var layouts: [[Double]]

        init(seed: UInt64, effects: [Double], layouts count: Int = 20, spread: Double = 0.01) {
            var generator = SeededGenerator(seed: seed)
            layouts = effects.map { effect in (0..<count).map { _ in effect + spread * Self.normal(&generator) } }
            self.generator = generator
            self.effects = effects
        }

        static func normal(_ generator: inout SeededGenerator) -> Double {
            (0..<4).reduce(-2.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) } * 1.7320508
        }

        /// The median over `sweeps` processes for each layout.
        mutating func units(sweeps: Int) -> [[Double]] {
            layouts.indices.map { index in
                layouts[index].map { layout in
                    let processes = (0..<sweeps).map { _ in
                        layout + 0.004 * Self.normal(&generator)
                            + (Int.random(in: 0..<7, using: &generator) == 0
                                ? Double.random(in: -0.1...0.1, using: &generator) : 0)
                    }
                    return Quantiles.median(of: processes) ?? 0
                }
            }
        }
    }

    private func run(_ machine: inout Machine, margin: Double = 0.005, precision: Double? = nil) -> PairedFamily {
        var family = PairedFamily(count: machine.effects.count, margin: margin, precision: precision)
        for look in 1...4 where !family.isSettled { family.look(at: Double(look) / 4, machine.units(sweeps: look * 2)) }
        return family
    }

    private func isChanged(_ finding: PairedFamily.Finding?) -> Bool {
        finding?.verdict == .worse || finding?.verdict == .better
    }

    @Test func `of runs of six unchanged comparisons and four looks, at most one in a hundred calls anything changed`()
    {
        let alarms = (0..<150).count { trial in
            var machine = Machine(seed: UInt64(trial), effects: Array(repeating: 0, count: 6))
            return run(&machine).findings.contains(where: isChanged)
        }
        // 1 % of 150 are 1.5; six or more have a probability below 1 %.
        #expect(alarms <= 5)
    }

    @Test func `intervals that stopped at any look hold the truth in 98 to 100 per cent`() {
        var held = 0
        var stopped = 0
        for trial in 0..<250 {
            var machine = Machine(seed: UInt64(1_000 + trial), effects: [0.02])
            let family = run(&machine)
            guard let finding = family.findings[0] else { continue }
            if finding.interval.low <= 1.0202013400267558, finding.interval.high >= 1.0202013400267558 { held += 1 }
            if finding.isSettled { stopped += 1 }
        }
        #expect(held >= 245)
        // The rule must have stopped some early, or nothing was tested.
        #expect(stopped >= 200)
    }

    @Test func `a planted change is found among unchanged comparisons`() throws {
        var machine = Machine(seed: 7, effects: [0, 0.03, 0, -0.03, 0])
        let findings = run(&machine).findings
        #expect(try #require(findings[1]).verdict == .worse)
        #expect(try #require(findings[3]).verdict == .better)
        for clean in [0, 2, 4] { #expect(!isChanged(findings[clean])) }
    }

    @Test func `a change within the margin is the same`() throws {
        var machine = Machine(seed: 8, effects: [0.01], spread: 0.0005)
        #expect(try #require(run(&machine, margin: 0.05).findings[0]).verdict == .same)
    }

    @Test func `a rejected comparison hands its share to the others`() {
        // Eight values that agree have p = 1/128; with Bonferroni's half of 1.5 % neither would do, with Holm's
        // hand-over the second does.
        let strong = (1...12).map(Double.init)
        let weak = (1...8).map(Double.init)
        var family = PairedFamily(count: 2, significance: 0.015, margin: 0)
        family.look(at: 1, [strong, weak])
        #expect(family.findings.map { $0?.verdict } == [.worse, .worse])
        var alone = PairedFamily(count: 2, significance: 0.015, margin: 0)
        alone.look(at: 1, [[0, 0, 0, 0, 0, 0, 0, 0], weak])
        #expect(alone.findings[1]?.verdict == .inconclusive)
    }

    @Test func `a precision that was asked for goes on after a verdict`() throws {
        var family = PairedFamily(count: 1, margin: 0.005, precision: 0.001)
        family.look(at: 0.5, [(1...20).map { 0.1 + Double($0) * 0.001 }])
        #expect(try #require(family.findings[0]).verdict == .worse)
        #expect(!family.isSettled)
        family.look(at: 1, [(1...20).map { 0.1 + Double($0) * 0.00001 }])
        #expect(family.isSettled)
    }

    @Test func `a bound is decided in place of a verdict, in either direction`() {
        func bound(_ effect: Double, _ limit: Double, spread: Double = 0.002) -> ComparisonVerdict? {
            var machine = Machine(seed: 11, effects: [effect, 0], spread: spread)
            var family = PairedFamily(count: 2, margin: 0.0001, bound: limit)
            for look in 1...4 where !family.isSettled {
                family.look(at: Double(look) / 4, machine.units(sweeps: look * 2))
            }
            return family.findings[0]?.bound
        }
        #expect(bound(0.02, 0.05) == .same)
        #expect(bound(-0.2, 0.05) == .same)
        #expect(bound(0.2, 0.05) == .worse)
        #expect(bound(0.05, 0.05, spread: 0.02) == .inconclusive)
    }

    @Test func `at a bound that is the truth, at most one comparison in a hundred is called within or beyond`() {
        let wrong = (0..<300).count { trial in
            var machine = Machine(seed: UInt64(9_000 + trial), effects: [0.05])
            var family = PairedFamily(count: 1, margin: 0, bound: 0.0512710963760241)
            family.lookAtBound(machine.units(sweeps: 1).map { Array($0.prefix(PairedFamily.fewestForBound)) })
            for look in 1...4 where !family.isSettled {
                family.look(at: Double(look) / 4, machine.units(sweeps: look * 2))
            }
            return family.findings[0]?.bound != .inconclusive
        }
        // 2 % of 300 are 6, half for either direction; thirteen or more have a probability below 1 %.
        #expect(wrong <= 12)
    }

    @Test func `few values settle what is clearly within the bound, and call nothing changed`() throws {
        let clear = (1...9).map { 0.01 + Double($0) * 0.001 }
        var family = PairedFamily(count: 3, margin: 0.005, bound: 0.05)
        family.lookAtBound([clear, clear.dropLast(), clear.dropLast() + [0.06]])
        let finding = try #require(family.findings[0])
        #expect(finding.bound == .same)
        #expect(finding.verdict == .inconclusive)
        #expect(finding.interval.high <= 1.05)
        #expect(family.findings[1]?.bound == .inconclusive)
        #expect(family.findings[2]?.bound == .inconclusive)
        family.look(at: 1, [[], Array(repeating: 0, count: 18), clear + clear.map { -$0 }])
        #expect(family.isSettled)
    }

    @Test func `intervals hold the truth as often when the bound is looked at first`() {
        let held = (0..<250).count { trial in
            var machine = Machine(seed: UInt64(7_000 + trial), effects: [0.02])
            var family = PairedFamily(count: 1, margin: 0, bound: 0.05)
            family.lookAtBound(machine.units(sweeps: 1).map { Array($0.prefix(PairedFamily.fewestForBound)) })
            for look in 1...4 where !family.isSettled {
                family.look(at: Double(look) / 4, machine.units(sweeps: look * 2))
            }
            guard let interval = family.findings[0]?.interval else { return false }
            return interval.low <= 1.0202013400267558 && interval.high >= 1.0202013400267558
        }
        #expect(held >= 245)
    }

    @Test func `without data there is no finding`() {
        var family = PairedFamily(count: 1, margin: 0.005)
        family.look(at: 1, [[]])
        #expect(family.findings[0] == nil)
        #expect(!family.isSettled)
    }

    @Test func `the detectable change is found in four of five cases`() throws {
        var sizes: [Double] = []
        for trial in 0..<20 {
            var machine = Machine(seed: UInt64(3_000 + trial), effects: [0])
            sizes.append(try #require(run(&machine, margin: 0).findings[0]?.detectable))
        }
        let size = try #require(Quantiles.median(of: sizes))
        let found = (0..<80).count { trial in
            var machine = Machine(seed: UInt64(5_000 + trial), effects: [size])
            return isChanged(run(&machine, margin: 0).findings[0])
        }
        #expect(found >= 52 && found <= 77)
    }
}
