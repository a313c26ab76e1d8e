import Foundation
import Testing

/// What the verb says; the searches themselves are tested in RxBenchRacesTests.
@Suite("races") struct RacesCommandTests {
    @Test func `a replay without a schedule is refused`() throws {
        let result = try Tool.fixture("races", "--replay", "race/x")
        #expect(result.code == 64)
        #expect(result.errors.contains("'--replay' takes a race's ID and a schedule"))
    }

    @Test func `a schedule that is none is refused`() throws {
        let result = try Tool.fixture("races", "--replay", "race/x", "A0")
        #expect(result.code == 64)
        #expect(result.errors.contains("'A0' is no schedule. A schedule looks like 'A6B4A10B15'."))
    }

    @Test func `a program without instrumentation is refused`() throws {
        let result = try Tool.fixture("races", "--image", Tool.path("RxBenchFixture"))
        #expect(result.code == 3)
        #expect(result.errors.contains("does not tell its races: Its process exited with code 64."))
    }
}

private let raceFixture = ProcessInfo.processInfo.environment["RX_RACE_FIXTURE"]

/// With the instrumented program that 'scripts/races' compiles and names.
@Suite("races of an image", .enabled(if: raceFixture != nil, "Run 'scripts/races'."))
struct RacesOfImageTests {
    private func races(_ arguments: String...) throws -> Tool.Result {
        try Tool.run("RxBenchFixture", ["races", "--image", raceFixture ?? ""] + arguments, [:])
    }

    @Test func `a failure is told with a column an actor, a line a step and the command that repeats it`() throws {
        let result = try races("planted/early-return", "--time", "5")
        #expect(result.code == 1)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines[0] == "planted/early-return: forbidden outcome. event after dispose.")
        #expect(lines[1] == "Found by bound 1 after 2 schedules; shrunk to 1 preemption, 5 steps.")
        let steps = lines[3...7].map { line in
            String(line.replacing(#/ *Flags\..*?:[0-9]+/#, with: "").drop { $0 == " " })
        }
        #expect(
            steps == [
                "exchange v1 0→1", "exchange v1 1", "load v2 0", "exchange v3 0→1", "store v2 0→1",
            ])
        #expect(lines[3].contains("Flags.disposeHastily() Tests/Fixtures/RaceFixture/Planted.swift:"))
        #expect(lines[4].prefix { $0 == " " }.count > lines[3].prefix { $0 == " " }.count)
        #expect(lines[8].contains("races --replay 'planted/early-return' A1B3A1@"))
        #expect(result.verdict.hasPrefix("1 of 1 race failed"))
    }

    @Test func `a clean race ends with the bound that was exhausted`() throws {
        let result = try races("clean/early-return", "--time", "5")
        #expect(result.code == 0)
        #expect(result.output.contains("exhaustive at bound 2"))
        #expect(result.verdict == "0 of 1 race failed in 25 schedules; 1 exhausted to a bound or entirely.")
    }

    @Test func `a race that calls what is not modelled is inconclusive`() throws {
        let result = try races("planted/refused", "--time", "5")
        #expect(result.code == 4)
        #expect(result.output.contains("calls pthread_create"))
    }

    @Test func `findings are written for other tools`() throws {
        let folder = try TemporaryFolder()
        let (junit, sarif) = ("\(folder.path)/races.xml", "\(folder.path)/races.sarif")
        _ = try races("planted/lost-update", "--time", "5", "--junit", junit, "--sarif", sarif)
        let cases = try String(contentsOfFile: junit, encoding: .utf8)
        #expect(cases.contains("tests=\"2\" failures=\"2\" skipped=\"0\""))
        let data = try Data(contentsOf: URL(fileURLWithPath: sarif))
        let runs = (try JSONSerialization.jsonObject(with: data) as? [String: Any])?["runs"] as? [[String: Any]]
        #expect((runs?.first?["results"] as? [Any])?.count == 2)
    }
}
