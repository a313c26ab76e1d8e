import RxBench
import Testing

@testable import RxBenchCommands
@testable import RxBenchEngine

private let instructions = MetricDefinition(name: Metric.instructions, unit: "count/iteration")

private func counted(
    _ id: String = "test/one/plain", operations: Int = 10, allocations: [Double] = [5, 5],
    instructions count: [Double]? = nil
) -> BenchmarkResult {
    BenchmarkResult(
        Benchmark(id, decides: "Nothing.", operations: operations) { Workload {} },
        metrics: [.exact(SampleRun.allocations, allocations)] + (count.map { [.exact(instructions, $0)] } ?? []))
}

private func limited(_ limit: Limit, allocations: [Double]) -> BenchmarkResult {
    BenchmarkResult(
        Benchmark("test/one/plain", decides: "Nothing.", operations: 10, limits: [limit]) { Workload {} },
        metrics: [.exact(SampleRun.allocations, allocations)])
}

private func budgets(_ entries: [String: Budgets.Entry], id: String = "test/one/plain") -> Budgets {
    Budgets(
        conditions: Budgets.Conditions(SampleRun.run([]).environment),
        benchmarks: [id: Budgets.Entries(operations: 10, entries: entries)])
}

private let known: Set<String> = ["test/one/plain", "test/one/other"]

@Suite("Check of budgets") struct BudgetCheckTests {
    private func check(
        _ benchmark: BenchmarkResult, _ entries: [String: Budgets.Entry], earlier: [String: Budgets.Entry]? = nil
    ) -> BudgetCheck {
        BudgetCheck(
            SampleRun.run([benchmark]), against: budgets(entries), earlier: earlier.map { budgets($0) }, known: known)
    }

    @Test(arguments: [
        ([5.0, 5], ComparisonVerdict.same), ([6, 6], .worse), ([4, 4], .better),
        // One iteration within the budget is enough: counts that vary are not clearly higher.
        ([5, 7], .same), ([6, 7], .worse),
    ]) func `one allocation above the entry is found, its clean twin is not`(
        allocations: [Double], verdict: ComparisonVerdict
    ) {
        #expect(
            check(counted(allocations: allocations), [Metric.allocations: .init(atMost: 5)]).rows.map(\.verdict) == [
                verdict
            ])
    }

    @Test(arguments: [
        ([3602.0, 3602], ComparisonVerdict.same), ([3800, 3801], .same), ([4000, 4001], .worse),
        // Variation between the benchmark's own processes is not an increase.
        ([4000, 4100], .same), ([9000, 9100], .worse),
    ])
    func `where several threads work, a tenth above the entry is found and what they vary by is not`(
        counts: [Double], verdict: ComparisonVerdict
    ) {
        let benchmark = BenchmarkResult(
            Benchmark("test/one/plain", decides: "Nothing.", operations: 10) { Workload {} },
            metrics: [.exact(SampleRun.allocations, counts, isThreaded: true)])
        #expect(check(benchmark, [Metric.allocations: .init(atMost: 3601)]).rows.map(\.verdict) == [verdict])
        var set = budgets([:])
        #expect(set.update(with: SampleRun.run([benchmark]), known: known, reason: nil).map(\.change) == [.added])
        #expect(set.benchmarks["test/one/plain"]?.entries[Metric.allocations] == .init(atMost: counts[0]))
    }

    @Test(arguments: [(1_001_000.0, ComparisonVerdict.worse), (1_000_400, .same), (990_000, .better)])
    func `a tenth of a per cent more instructions is found, what the allocator moves is not`(
        count: Double, verdict: ComparisonVerdict
    ) {
        let result = check(
            counted(instructions: [count, count + 177]), [Metric.instructions: .init(atMost: 1_000_000)])
        #expect(result.rows.map(\.verdict) == [verdict])
        #expect(result.lowerable == (count < 999_000 ? 1 : 0))
    }

    @Test func `an entry that rose needs a reason: beside it, and against the earlier file`() {
        let benchmark = counted(allocations: [6, 6])
        func rises(_ entry: Budgets.Entry, earlier: Double? = nil) -> [BudgetCheck.UnexplainedRise?] {
            let rows = check(
                benchmark, [Metric.allocations: entry], earlier: earlier.map { [Metric.allocations: .init(atMost: $0)] }
            ).rows
            #expect(rows.map(\.isBroken) == rows.map { $0.unexplained != nil })
            return rows.map(\.unexplained)
        }
        #expect(rises(.init(atMost: 6, raisedFrom: 5)) == [.beside(previous: 5)])
        #expect(rises(.init(atMost: 6, raisedFrom: 5, reason: "  ")) == [.beside(previous: 5)])
        #expect(rises(.init(atMost: 6, raisedFrom: 5, reason: "Each subscription keeps its place.")) == [nil])
        #expect(rises(.init(atMost: 6), earlier: 5) == [.sinceCommit(previous: 5)])
        #expect(rises(.init(atMost: 6), earlier: 6) == [nil])
        #expect(rises(.init(atMost: 6), earlier: 7) == [nil])
        #expect(rises(.init(atMost: 6, reason: "Each subscription keeps its place."), earlier: 5) == [nil])
    }

    @Test func `a limit in a definition is a budget, which an entry of the file overrides`() {
        let limit = Limit.allocationsPerIteration(atMost: 5)
        func rows(_ allocations: Double, _ entries: [String: Budgets.Entry] = [:]) -> [BudgetCheck.Row] {
            check(limited(limit, allocations: [allocations, allocations]), entries).rows
        }
        #expect(rows(6).map(\.source) == [.definition])
        #expect(rows(6).map(\.isBroken) == [true])
        #expect(rows(5).map(\.isBroken) == [false])
        let file = [Metric.allocations: Budgets.Entry(atMost: 6)]
        #expect(rows(6, file).map(\.source) == [.file])
        #expect(rows(6, file).map(\.isBroken) == [false])
        #expect(rows(7, file).map(\.isBroken) == [true])
        // A limit on a time decides nothing, so it is no budget.
        let timed = check(limited(.time(atMostNanoseconds: 1), allocations: [5, 5]), [:])
        #expect(timed.rows.isEmpty)
        #expect(timed.unbudgeted == ["test/one/plain"])
        #expect(check(limited(limit, allocations: [5, 5]), [:]).unbudgeted == [])
        #expect(
            BudgetReport(check(limited(limit, allocations: [6, 6]), [:])).table(isComplete: false).text == """
                budget          metric            at most  measured  verdict
                test/one/plain  allocs/iteration        5         6  worse
                """)
    }

    @Test func `a count without its readings is judged by its value`() {
        let metric = Metric(
            name: Metric.allocations, unit: "count/iteration", kind: .exact, reading: .value(6), isStable: nil,
            isThreaded: nil, interval: nil, quantiles: nil, values: [], samples: nil)
        let benchmark = BenchmarkResult(
            Benchmark("test/one/plain", decides: "Nothing.", operations: 10) { Workload {} }, metrics: [metric])
        func verdicts(_ atMost: Double) -> [ComparisonVerdict] {
            check(benchmark, [Metric.allocations: .init(atMost: atMost)]).rows.map(\.verdict)
        }
        #expect(verdicts(5) == [.worse])
        #expect(verdicts(6) == [.same])
    }

    @Test func `a count on both sides of its limit is not within it`() {
        let check = check(limited(.allocationsPerIteration(atMost: 5), allocations: [4, 6]), [:])
        #expect(check.hasUnjudged)
        #expect(BudgetReport(check).verdict == "Not all budgets were judged: 1 inconclusive.")
    }

    @Test func `what the result does not say is not judged, and never passes for 0`() {
        let entry = [Metric.allocations: Budgets.Entry(atMost: 5)]
        let missing = BenchmarkResult(
            Benchmark("test/one/plain", decides: "Nothing.", operations: 10) { Workload {} },
            metrics: [.unavailable(SampleRun.allocations, .exact, because: "planted reason")])
        let failed = BenchmarkResult(
            Benchmark("test/one/plain", decides: "Nothing.") { Workload {} }, failure: "Planted.")
        let notes = [missing, failed, counted(operations: 20), counted("test/one/other")].map {
            check($0, entry).rows[0]
        }
        #expect(notes.map(\.verdict) == [.notJudged, .notJudged, .notJudged, .notJudged])
        #expect(notes.map(\.measured) == [nil, nil, nil, nil])
        #expect(
            notes.map(\.note) == [
                "Unavailable: planted reason.", "It failed: Planted.",
                "An iteration performs 20 operations instead of 10; set it again with '--update-budget'.",
                "It was not measured.",
            ])
        #expect(check(counted("test/one/other"), entry).unbudgeted == ["test/one/other"])
    }

    @Test func `instructions of another compiler are not judged, allocations are`() {
        var set = budgets([Metric.allocations: .init(atMost: 5), Metric.instructions: .init(atMost: 100)])
        let text = String(decoding: set.encoded(), as: UTF8.self).replacing("\"6.3.1\"", with: "\"6.2\"")
        set = try! Budgets.decoded(from: Array(text.utf8), name: "planted")
        let result = BudgetCheck(SampleRun.run([counted(instructions: [200, 200])]), against: set, known: known)
        #expect(result.rows.map(\.verdict) == [.same, .notJudged])
        #expect(
            result.rows[1].note
                == """
                The compiler is another one than the budgets' ('6.3.1' and '6.2'); set the instructions again with \
                '--update-budget'.
                """
        )
    }

    @Test func `the report names what is wrong and counts the rest`() {
        let report = BudgetReport(
            check(
                counted(allocations: [6, 6], instructions: [90, 90]),
                [Metric.allocations: .init(atMost: 5), Metric.instructions: .init(atMost: 100)]))
        #expect(
            report.table(isComplete: false).text == """
                budget          metric     at most  measured  verdict
                test/one/plain  allocs/op    0.500     0.600  worse
                """)
        #expect(report.notes == ["1 budget could be lower; '--update-budget' lowers it."])
        #expect(report.verdict == "Over budget: 1 over budget, 1 within.")
    }
}

@Suite("Update of budgets") struct BudgetUpdateTests {
    private func update(
        _ old: Budgets, _ benchmarks: [BenchmarkResult], reason: String? = nil
    ) -> (Budgets, [Budgets.Change]) {
        var new = old
        let updates = new.update(with: SampleRun.run(benchmarks), known: known, reason: reason)
        return (new, updates.map(\.change))
    }

    @Test func `new and lower figures are taken at once`() {
        let (first, added) = update(budgets([:]), [counted(allocations: [5, 5], instructions: [100_000, 100_177])])
        #expect(added == [.added, .added])
        #expect(
            first.benchmarks["test/one/plain"]?.entries == [
                Metric.allocations: .init(atMost: 5), Metric.instructions: .init(atMost: 100_000),
            ])
        let (second, lowered) = update(first, [counted(allocations: [4, 4], instructions: [99_980, 99_980])])
        // A decrease in instructions below the tolerance counts as no change.
        #expect(lowered == [.lowered(from: 5)])
        #expect(second.benchmarks["test/one/plain"]?.entries[Metric.allocations] == .init(atMost: 4))
    }

    @Test func `a higher figure is taken with a reason, which a later fall removes`() {
        let old = budgets([Metric.allocations: .init(atMost: 5)])
        let (kept, refused) = update(old, [counted(allocations: [6, 6])])
        #expect(refused == [.refused(measured: 6)])
        #expect(kept == old)
        let (raised, changes) = update(old, [counted(allocations: [6, 6])], reason: "It keeps its place.")
        #expect(changes == [.raised(from: 5)])
        #expect(
            raised.benchmarks["test/one/plain"]?.entries[Metric.allocations]
                == .init(atMost: 6, raisedFrom: 5, reason: "It keeps its place."))
        #expect(update(raised, [counted(allocations: [6, 6])]).1 == [])
        #expect(
            update(raised, [counted(allocations: [3, 3])]).0.benchmarks["test/one/plain"]?.entries[Metric.allocations]
                == .init(atMost: 3))
    }

    @Test func `counts that vary get their lowest as an entry, and benchmarks that are gone lose theirs`() {
        let (varying, added) = update(budgets([:]), [counted(allocations: [6, 5], instructions: [1_000, 2_000])])
        #expect(added == [.added])
        #expect(varying.benchmarks["test/one/plain"]?.entries == [Metric.allocations: .init(atMost: 5)])
        let (left, changes) = update(
            budgets([Metric.allocations: .init(atMost: 5)], id: "test/gone/plain"), [counted()])
        #expect(changes == [.removed, .added])
        #expect(Array(left.benchmarks.keys) == ["test/one/plain"])
        // A benchmark that was not measured is not gone.
        #expect(update(budgets([Metric.allocations: .init(atMost: 5)], id: "test/one/other"), []).1 == [])
    }
}

@Suite("Update of budgets in words") struct BudgetUpdateReportTests {
    @Test func `an entry is shown for an operation, as counts are elsewhere`() {
        var set = budgets([Metric.allocations: .init(atMost: 5)])
        let refused = set.update(with: SampleRun.run([counted(allocations: [6, 6])]), known: known, reason: nil)
        #expect(
            BudgetReport.describe(refused, in: set).table.rows == [
                ["test/one/plain", "allocs/op", "0.500", "0.500", "kept, although 0.600 were counted"]
            ])
        let lowered = set.update(with: SampleRun.run([counted(allocations: [4, 4])]), known: known, reason: nil)
        #expect(
            BudgetReport.describe(lowered, in: set).table.rows == [
                ["test/one/plain", "allocs/op", "0.500", "0.400", "lowered"]
            ])
    }
}

@Suite("File of budgets") struct BudgetCodingTests {
    private let sample = budgets([
        Metric.allocations: .init(atMost: 6, raisedFrom: 5, reason: "It keeps \"its\" place."),
        Metric.instructions: .init(atMost: 1_234_567),
    ])

    @Test func `has a line for each benchmark and reads back`() throws {
        let text = String(decoding: sample.encoded(), as: UTF8.self)
        #expect(
            text == """
                {
                  "schemaVersion": 1,
                  "conditions": \
                {"architecture":"x86_64","configuration":"release","isTracing":false,"jemalloc":"5.3.0",\
                "operatingSystem":"Test 1","swiftVersion":"6.3.1"},
                  "benchmarks": {
                    "test/one/plain": {"allocations":{"atMost":6,"raisedFrom":5,"reason":"It keeps \\"its\\" \
                place."},"instructions":1234567,"operations":10}
                  }
                }

                """)
        #expect(try Budgets.decoded(from: Array(text.utf8), name: "x") == sample)
    }

    @Test(arguments: [
        (
            "\"atMost\":6", "\"atMost\":-6",
            "'benchmarks → test/one/plain → allocations' is of another kind than expected"
        ),
        (
            "\"instructions\"", "\"instruction\"",
            "'benchmarks → test/one/plain → instruction' is of another kind than expected"
        ),
        (
            "\"operations\":10", "\"operations\":\"ten\"",
            "'benchmarks → test/one/plain → operations' is of another kind than expected"
        ),
        (",\"operations\":10", "", "'benchmarks → test/one/plain' has no 'operations'"),
        ("\"schemaVersion\": 1,", "", "it has no 'schemaVersion'"),
        ("{\n  \"schema", "\n  \"schema", "it is no complete JSON"),
    ]) func `what is wrong with a file is named`(text: String, planted: String, problem: String) {
        let file = String(decoding: sample.encoded(), as: UTF8.self).replacing(text, with: planted)
        #expect(throws: BudgetError.malformed("b.json", problem)) {
            try Budgets.decoded(from: Array(file.utf8), name: "b.json")
        }
    }
}
