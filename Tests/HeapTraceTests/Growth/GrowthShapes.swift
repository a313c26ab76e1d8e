/// Series of counts with a known shape. Except in plain shapes, each seed makes a different series.
struct GrowthShape {
    let name: String
    /// Returns one series: the count after each run, by the run's number from 0.
    let make: (inout SeededGenerator) -> (_ run: Int, _ random: inout SeededGenerator) -> Int

    init(
        _ name: String,
        _ make: @escaping (inout SeededGenerator) -> (_ run: Int, _ random: inout SeededGenerator) -> Int
    ) {
        self.name = name
        self.make = make
    }

    /// Makes the same series for every seed.
    static func plain(_ name: String, _ count: @escaping (_ run: Int) -> Int) -> GrowthShape {
        GrowthShape(name) { _ in { run, _ in count(run) } }
    }

    /// A count that changes from run to run.
    static func level(
        _ name: String, _ change: @escaping (_ level: inout Int, _ random: inout SeededGenerator) -> Void
    ) -> GrowthShape {
        GrowthShape(name) { _ in
            var level = 0
            return { _, random in
                change(&level, &random)
                return level
            }
        }
    }

    /// A leak of one per run, added to the counts of another shape.
    static func leak(behind other: GrowthShape) -> GrowthShape {
        GrowthShape("1 a run behind a \(other.name)") { random in
            let other = other.make(&random)
            return { run, random in run + 1 + other(run, &random) }
        }
    }

    // MARK: Shapes that do not leak

    static func pool(_ size: Int) -> GrowthShape {
        GrowthShape("pool of 0 to \(size)") { _ in { _, random in Int.random(in: 0...size, using: &random) } }
    }

    static func walk(_ size: Int) -> GrowthShape {
        GrowthShape("pool of 0 to \(size), one more or less a run") { random in
            var level = Int.random(in: 0...size, using: &random)
            return { _, random in
                level = max(0, min(size, level + Int.random(in: -1...1, using: &random)))
                return level
            }
        }
    }

    static func sawTooth(_ period: Int, noise: Int = 0) -> GrowthShape {
        GrowthShape("saw-tooth of \(period)" + (noise > 0 ? " with noise" : "")) { random in
            let phase = Int.random(in: 0..<period, using: &random)
            return { run, random in (run + phase) % period + Int.random(in: 0...noise, using: &random) }
        }
    }

    static func halfSawTooth(_ period: Int) -> GrowthShape {
        GrowthShape("saw-tooth of \(period), filled at random") { random in
            let phase = Int.random(in: 0..<period, using: &random)
            var level = 0
            return { run, random in
                level = (run + phase) % period == 0 ? 0 : level + (random.chance(0.5) ? 1 : 0)
                return level
            }
        }
    }

    static func cache(_ bound: Int, noise: Int = 0) -> GrowthShape {
        GrowthShape("cache capped at \(bound)" + (noise > 0 ? " with noise" : "")) { _ in
            { run, random in min(bound, run + 1) + Int.random(in: 0...noise, using: &random) }
        }
    }

    static func cacheOfKeys(_ keys: Int) -> GrowthShape {
        GrowthShape("cache of \(keys) keys, asked at random") { _ in
            var seen: Set<Int> = []
            return { _, random in
                seen.insert(Int.random(in: 0..<keys, using: &random))
                return seen.count
            }
        }
    }

    static func flushed(_ probability: Double) -> GrowthShape {
        .level("cache flushed with probability \(probability)") { level, random in
            level = random.chance(probability) ? 0 : level + 1
        }
    }

    /// Objects that other threads release late.
    static var late: GrowthShape {
        .level("let go of late") { level, random in
            level = random.chance(0.3) ? 0 : min(4, level + Int.random(in: 0...1, using: &random))
        }
    }

    static var bursts: GrowthShape {
        GrowthShape("pool with rare bursts") { _ in
            { _, random in random.chance(0.05) ? Int.random(in: 0...50, using: &random) : 0 }
        }
    }

    static var clean: [GrowthShape] {
        [
            .plain("flat") { _ in 0 }, .plain("made at runs 1 and 3") { $0 < 2 ? 7 : 14 }, pool(2), pool(20), walk(4),
            walk(8), walk(20), bursts, late,
            sawTooth(5), sawTooth(8), sawTooth(20), sawTooth(32), sawTooth(50), sawTooth(64), sawTooth(100),
            sawTooth(8, noise: 3), sawTooth(32, noise: 3),
            halfSawTooth(32), halfSawTooth(64), cache(6), cache(32), cache(64), cache(100), cache(32, noise: 8),
            cache(64, noise: 8), cacheOfKeys(16),
            cacheOfKeys(32), flushed(0.125), flushed(0.0625),
        ]
    }

    // MARK: Shapes that leak, with the least percentage that must be found

    static var half: GrowthShape {
        .level("1 with probability 1/2") { level, random in level += random.chance(0.5) ? 1 : 0 }
    }
    static var leaks: [(shape: GrowthShape, least: Double)] {
        [
            (.plain("1 a run") { $0 + 1 }, 100), (.plain("3 a run") { 3 * $0 }, 100),
            (.plain("1 every fourth run") { $0 / 4 }, 100),
            (.plain("1 every tenth run") { $0 / 10 }, 100), (half, 97),
            (.level("0 to 10 a run") { level, random in level += Int.random(in: 0...10, using: &random) }, 99),
            (leak(behind: pool(2)), 100), (leak(behind: pool(10)), 99), (leak(behind: pool(20)), 97),
            (leak(behind: walk(8)), 99), (leak(behind: walk(20)), 99),
            (leak(behind: sawTooth(8)), 99), (leak(behind: cache(6)), 100), (leak(behind: cache(32)), 100),
            (leak(behind: bursts), 90),
        ]
    }

    /// Shapes beyond the reach of the rule. They are in the table to show the limit.
    static var beyond: [GrowthShape] {
        [
            leak(behind: pool(40)), leak(behind: sawTooth(32)),
            .level("1 with probability 1/4") { level, random in level += random.chance(0.25) ? 1 : 0 },
            .level("1 with probability 1/10") { level, random in level += random.chance(0.1) ? 1 : 0 },
            flushed(0.03125), cacheOfKeys(64), cacheOfKeys(150), cacheOfKeys(250), cache(160),
        ]
    }
}

extension SeededGenerator {
    /// The generator of a trial, so that every run sees the same series.
    init(trial: Int) { self.init(seed: UInt64(trial) &* 0x9E37_79B9 &+ 7) }

    mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &self) < probability }
}
