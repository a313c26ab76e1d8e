import Foundation
import RxBench
import Testing

@testable import RxBenchEngine

@Suite("rxbench compare --gate --budget", .serialized) struct BudgetCommandTests {
    private let folder: TemporaryFolder
    private let budgets: String

    init() throws {
        folder = try TemporaryFolder()
        budgets = "\(folder.path)/budgets.json"
    }

    private func measure(_ name: String, _ filter: String = "fixture/heap/extra", extra: Bool = false) throws -> String
    {
        let result = try Tool.run(
            "RxBenchFixture", ["run", filter, "--json", "--no-store", "--exact-only"],
            extra ? ["FIXTURE_EXTRA": "1"] : [:])
        #expect(result.code == 0)
        return try folder.write(result.output, to: name)
    }

    @Test func `a budget is made, kept, broken by one allocation, and raised with a reason only`() throws {
        let three = try measure("three.json")
        let four = try measure("four.json", extra: true)
        let made = try Tool.fixture("compare", three, "--budget", budgets, "--update-budget")
        #expect(made.code == 0)
        #expect(made.verdict == "Budgets: 1 added.")

        let kept = try Tool.fixture("compare", three, "--gate", "--budget", budgets)
        #expect(kept.code == 0)
        #expect(kept.verdict == "Within budget: 1 within.")

        let broken = try Tool.fixture("compare", four, "--gate", "--budget", budgets)
        #expect(broken.code == 1)
        #expect(
            broken.output == """
                budget              metric     at most  measured  verdict
                fixture/heap/extra  allocs/op        3         4  worse

                Over budget: 1 over budget.

                """)

        let refused = try Tool.fixture("compare", four, "--budget", budgets, "--update-budget")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("' is written from '\(four)', without the counts that rose."))
        #expect(refused.verdict == "Budgets: 1 kept. What was kept is exceeded: give '--reason' to raise it.")
        let raised = try Tool.fixture(
            "compare", four, "--budget", budgets, "--update-budget", "--reason", "A block more.")
        #expect(raised.code == 0)
        #expect(
            try String(contentsOfFile: budgets, encoding: .utf8).contains(
                #"{"atMost":4,"raisedFrom":3,"reason":"A block more."}"#))
        #expect(try Tool.fixture("compare", four, "--gate", "--budget", budgets).code == 0)
        // A change that the budget allows is no regression between two results either.
        let both = try Tool.fixture("compare", three, four, "--gate", "--exact-only", "--budget", budgets)
        #expect(both.code == 0)
        #expect(try Tool.fixture("compare", three, four, "--gate", "--exact-only").code == 1)
    }

    @Test func `a budget that was raised by hand without a reason ends with exit code 1`() throws {
        let four = try measure("four.json", extra: true)
        _ = try Tool.fixture("compare", four, "--budget", budgets, "--update-budget")
        let text = try String(contentsOfFile: budgets, encoding: .utf8)
        _ = try folder.write(
            text.replacing("\"allocations\":4", with: "\"allocations\":{\"atMost\":4,\"raisedFrom\":3}"),
            to: "budgets.json")
        let result = try Tool.fixture("compare", four, "--gate", "--budget", budgets)
        #expect(result.code == 1)
        #expect(
            result.output.contains(
                """
                note: fixture/heap/extra allocs/op: It was raised from 3 an iteration without a reason; write one \
                beside it.\n
                """
            ))
        #expect(result.verdict == "Over budget: 1 raised without a reason.")
    }

    @Test func `a budget is compared with the one at the first result's commit`() throws {
        let git = try #require(ChildProcess.find("git"))
        func run(_ arguments: String...) throws -> String {
            let identity = ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "-c", "commit.gpgsign=false"]
            let result = try ChildProcess(executable: git, arguments: ["-C", folder.path] + identity + arguments).wait(
                timeoutSeconds: 20)
            return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let three = try measure("three.json")
        let four = try measure("four.json", extra: true)
        _ = try Tool.fixture("compare", three, "--budget", budgets, "--update-budget")
        _ = try run("init", "-q")
        _ = try run("add", "budgets.json")
        _ = try run("commit", "-q", "-m", "Budgets")
        let sha = try run("rev-parse", "HEAD")
        let commit = "\"commit\":{\"value\":{\"isDirty\":false,\"sha\":\"\(sha)\"}}"
        let stored = try String(contentsOfFile: three, encoding: .utf8).replacing(
            /"commit":\{("value":\{[^}]*\}|[^}]*)\}/, with: commit)
        #expect(stored.contains(sha))
        let base = try folder.write(stored, to: "base.json")
        let clean = try Tool.fixture("compare", base, three, "--gate", "--exact-only", "--budget", budgets)
        #expect(clean.code == 0)
        let text = try String(contentsOfFile: budgets, encoding: .utf8)
        _ = try folder.write(text.replacing("\"allocations\":3", with: "\"allocations\":4"), to: "budgets.json")
        let risen = try Tool.fixture("compare", base, four, "--gate", "--exact-only", "--budget", budgets)
        #expect(risen.code == 1)
        #expect(risen.verdict.hasSuffix("Over budget: 1 raised without a reason."))
    }

    @Test func `the newest stored result keeps the budgets that are stored beside it`() throws {
        let results = URL(fileURLWithPath: #filePath).appending(path: "../../../results").standardizedFileURL.path
        // Only committed results: a local run has no counts of instructions.
        let git = try ChildProcess(
            executable: try #require(ChildProcess.find("git")), arguments: ["-C", results, "ls-files"])
        let committed = String(decoding: try git.wait(timeoutSeconds: 60).output, as: UTF8.self)
        let newest = try #require(
            ResultStore(folder: results).files.last {
                !$0.isShard && committed.contains("\($0.stem).json")
            })
        let held = try Tool.rxbench("compare", newest.path, "--gate", "--budget", "\(results)/budgets.json")
        #expect(held.code == 0, "\(newest.stem)\n\(held.output)\(held.errors)")
    }

    @Test func `what was lost ends a gate with exit code 4, and nothing else`() throws {
        let two = try measure("two.json", "fixture/heap/e")
        // The file of a full run that has lost a benchmark. Benchmarks that a filter excludes are not lost.
        let text = try String(contentsOfFile: measure("filtered.json", "fixture/heap/extra"), encoding: .utf8)
        let one = try folder.write(text.replacing(/"filters":\[[^\]]*\],?/, with: ""), to: "one.json")
        #expect(try Tool.fixture("compare", two, one, "--exact-only").code == 0)
        let gated = try Tool.fixture("compare", two, one, "--exact-only", "--gate")
        #expect(gated.code == 4)
        #expect(gated.verdict.hasPrefix("1 not judged, as the second run lacks it (fixture/heap/exact); "))
        _ = try Tool.fixture("compare", two, "--budget", budgets, "--update-budget")
        let budget = try Tool.fixture("compare", one, "--gate", "--budget", budgets)
        #expect(budget.code == 4)
        #expect(budget.verdict == "Not all budgets were judged: 1 not judged, 1 within.")
        #expect(try Tool.fixture("compare", one, "--budget", budgets).code == 0)
        let part = ["compare", "\(folder.path)/filtered.json", "--gate", "--budget", budgets]
        let filtered = try Tool.run("RxBenchFixture", part, [:])
        #expect(filtered.code == 4)
        #expect(filtered.output.contains("note: 1 budget not measured (filter: fixture/heap/extra); to hold the rest "))
        #expect(filtered.verdict == "Not all budgets were judged: 1 not measured, 1 within.")
        let asked = try Tool.run("RxBenchFixture", part + ["--filter", "fixture/heap/extra"], [:])
        #expect(asked.code == 0)
        #expect(asked.output.contains("note: 1 budget not measured (filter: fixture/heap/extra).\n"))
        #expect(asked.verdict == "Within budget: 1 within.")
    }

    @Test func `a gate does not pass for want of a budget, nor for a benchmark that failed`() throws {
        let one = try measure("one.json")
        _ = try Tool.fixture("compare", one, "--budget", budgets, "--update-budget")
        let two = try measure("two.json", "fixture/heap/e")
        let gated = try Tool.fixture("compare", two, "--gate", "--budget", budgets)
        #expect(gated.code == 4)
        #expect(
            gated.output.contains("note: 1 benchmark has no budget (fixture/heap/exact); '--update-budget' adds it.\n"))
        #expect(gated.verdict == "Not every benchmark has a budget: 1 within, 1 without a budget.")
        #expect(try Tool.fixture("compare", two, "--budget", budgets).code == 0)
        // A first result with the benchmark serves as its budget; a first result without it does not.
        #expect(try Tool.fixture("compare", two, two, "--gate", "--exact-only", "--budget", budgets).code == 0)
        #expect(try Tool.fixture("compare", one, two, "--gate", "--exact-only", "--budget", budgets).code == 4)
        let failing = try folder.write(
            Tool.fixture("run", "fixture/heap/extra", "fixture/fail/check", "--json", "--no-store", "--exact-only")
                .output, to: "failing.json")
        let failed = try Tool.fixture("compare", failing, "--gate", "--budget", budgets)
        #expect(failed.code == 3)
        #expect(
            failed.output.contains(
                "note: fixture/fail/check: It failed: Its check found a wrong result after the first iteration.\n"))
        #expect(failed.verdict == "Failed: 1 failed, 1 within.")
    }

    @Test func `JSON holds comparison and budget in one object`() throws {
        let three = try measure("three.json")
        _ = try Tool.fixture("compare", three, "--budget", budgets, "--update-budget")
        let result = try Tool.fixture("compare", three, three, "--json", "--exact-only", "--budget", budgets)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(object["rows"] as? [Any] != nil)
        #expect(
            ((object["budget"] as? [String: Any])?["rows"] as? [[String: Any]])?.first?["verdict"] as? String
                == "same")
    }

    @Test func `bad input is refused in a sentence`() throws {
        let three = try measure("three.json")
        func sentence(_ arguments: String...) throws -> (Int32, String) {
            let result = try Tool.run("RxBenchFixture", ["compare"] + arguments, [:])
            return (result.code, result.sentence.split(separator: "\n").first.map(String.init) ?? "")
        }
        #expect(
            try sentence(three) == (
                64,
                """
                Error: '\(three)' is compared with nothing. Name a second result, or a file of budgets with \
                '--budget'.
                """
            ))
        #expect(
            try sentence(three, "--budget", budgets)
                == (
                    64,
                    """
                    Error: No budgets can be read at '\(budgets)'. Make them with \
                    'RxBenchFixture compare latest --budget \
                    \(budgets) --update-budget'.
                    """
                ))
        #expect(
            try sentence(three, "--update-budget") == (
                64, "Error: '--update-budget' needs the file: add '--budget results/budgets.json'."
            ))
        #expect(
            try sentence(three, "--budget", three, "--reason", "x") == (
                64, "Error: '--reason' is written by '--update-budget'. Give both or neither."
            ))
        _ = try folder.write("{", to: "budgets.json")
        #expect(
            try sentence(three, "--budget", budgets)
                == (
                    64,
                    """
                    Error: '\(budgets)' holds no budgets: it is no complete JSON. Restore it, or make it again with \
                    '--update-budget'.
                    """
                ))
        _ = try folder.write("{\"schemaVersion\":9}", to: "budgets.json")
        #expect(try sentence(three, "--budget", budgets).0 == 5)
    }

    @Test func `another configuration than the budgets' is not comparable`() throws {
        let three = try measure("three.json")
        _ = try Tool.fixture("compare", three, "--budget", budgets, "--update-budget")
        let text = try String(contentsOfFile: budgets, encoding: .utf8)
        let swapped =
            text.contains("\"debug\"")
            ? text.replacing("\"debug\"", with: "\"release\"") : text.replacing("\"release\"", with: "\"debug\"")
        _ = try folder.write(swapped, to: "budgets.json")
        let result = try Tool.fixture("compare", three, "--budget", budgets)
        #expect(result.code == 5)
        #expect(result.sentence.contains("The result cannot be held to the budgets: the budgets are of a "))
    }
}
