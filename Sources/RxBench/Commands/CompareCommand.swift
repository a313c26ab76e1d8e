import ArgumentParser
import Foundation
import RxBenchEngine

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Shows what changed between two stored results, or holds one to budgets.",
        discussion: """
            A result is named by the path or the stem of its file, the beginning of its commit's hash (four characters \
            or more), 'latest' or 'previous'; the last two are results of this machine.

            Examples:
              rxbench compare previous latest
              rxbench compare a1b2c3 latest --margin 3
              rxbench compare main.json branch.json      for CI: times inform
              rxbench compare a.json b.json --gate-time  on a quiet machine
              rxbench compare a.json b.json --filter merge       a part of both
              rxbench compare latest --gate --budget results/budgets.json           one result, for CI
              rxbench compare latest --budget results/budgets.json --update-budget  after an improvement

            Exact metrics must be equal: more allocations, bytes, live resources, objects, retains or releases are a \
            regression (exit code 1). More instructions are a regression above 0.05 %, a difference that unchanged \
            code never shows. The instructions of a changed benchmark are always shown. Times are compared by the \
            interval of the median of the ratios of processes, widened by the change of the control loop between the \
            runs; 'after' is 'before' times that ratio. Where the interval crosses the margin, the verdict is \
            'inconclusive'. 'slower' and 'inconclusive' times change the exit code (to 1 and 4) with '--gate-time' \
            only: two runs of the same code on a busy machine can differ by more than a change that matters.

            '--budget' names a file with the largest permitted count of each benchmark (allocations, objects, \
            instructions). Where it has an entry, the entry decides instead of equality. An entry may go down at any \
            time, and up only with a reason in the file; with two results, the entries are compared with the budgets \
            at the commit of the first one. '--gate' is for CI: it exits with code 4 instead of passing silently if \
            something could not be judged. That is a benchmark that is gone, a count that is no longer available, a \
            budget without a figure, a benchmark with neither a budget nor a count of both runs, or one that the \
            filter of a run left out while '--filter' does not.
            """)

    @Argument(help: "The first result.") var before: String
    @Argument(help: "The second result; left out, the first is held to '--budget' alone.") var after: String?
    @OptionGroup var rules: ComparisonOptions
    @Flag(help: "Compare exact metrics alone.") var exactOnly = false
    @Flag(help: "Let times decide the exit code: 1 for a slower one, 4 for an inconclusive one.") var gateTime = false
    @Flag(help: "For CI: exit with code 4 if something could not be judged.") var gate = false
    @OptionGroup(title: "Budgets") var budgets: BudgetOptions
    @Option(
        help: .value(
            "filter", "Compare what this selects alone, as in 'run'; may be repeated. Budgets are narrowed too."),
        completion: .ids)
    var filter: [String] = []
    @Flag(help: "Show unchanged exact metrics too.") var all = false
    @OptionGroup var stored: StoreOptions
    @Flag(help: "Write JSON.") var json = false
    @Flag(help: "Write a Markdown table.") var markdown = false

    func validate() throws {
        if gateTime, exactOnly {
            throw ValidationError(
                "'--gate-time' lets times decide, and '--exact-only' leaves them out. Give one of them.")
        }
        if after == nil, budgets.budget == nil {
            throw ValidationError(
                "'\(before)' is compared with nothing. Name a second result, or a file of budgets with '--budget'.")
        }
    }

    func run() throws {
        let store = stored.store
        let machine = Environment.current(isTracing: CoreProbes.isTracing).machine
        let first = try Source(before, narrowed(store.load(before, machine: machine)))
        let second = try after.map { try Source($0, narrowed(store.load($0, machine: machine))) }
        let latest = second ?? first
        if budgets.updateBudget { return try update(latest) }
        if let second { try first.result.checkComparable(to: second.result, allowDifferent: rules.allowDifferent) }
        let check = try budgets.check(
            latest.result, base: second == nil ? nil : first.result.commit.value,
            allowDifferent: rules.allowDifferent, isOfPart: !filter.isEmpty)
        if let second {
            let rules = ResultComparison.Rules(margin: rules.margin / 100, isExactOnly: exactOnly, gatesTime: gateTime)
            try show(ResultComparison(first.result, second.result, rules: rules), check, (first, second))
        } else {
            Console.note("Holding \(latest.words) to '\(budgets.budget ?? "")'.")
            try show(nil, check, nil)
        }
    }

    private func narrowed(
        _ stored: (path: String, result: RunResult)
    ) throws(CommandFailure) -> (path: String, result: RunResult) {
        for word in filter where stored.result.narrowed(to: [word]).benchmarks.isEmpty {
            let advice = Selection.nearest(to: word, among: stored.result.benchmarks.map(\.id))
            throw CommandFailure(
                .usage, "No benchmark of '\(stored.path)' matches '\(word)'.\(advice.map { " \($0)" } ?? "")")
        }
        return (stored.path, stored.result.narrowed(to: filter))
    }

    private func update(_ latest: Source) throws {
        let (updates, now) = try budgets.update(with: latest.result)
        let isRefused = updates.contains { if case .refused = $0.change { true } else { false } }
        let file = "'\(budgets.budget ?? "")'"
        Console.note(
            isRefused
                ? "\(file) is written from '\(latest.path)', without the counts that rose."
                : "\(file) now holds what '\(latest.path)' counted.")
        let description = BudgetReport.describe(updates, in: now)
        Console.print(description.table, markdown: markdown)
        try Console.end(description.verdict, isRefused ? .regression : .fine)
    }

    private func show(
        _ comparison: ResultComparison?, _ check: BudgetCheck?, _ sources: (before: Source, after: Source)?
    ) throws {
        let verdict = [comparison.map { ComparisonReport($0).verdict }, check.map { BudgetReport($0).verdict }]
            .compactMap { $0 }.joined(separator: " ")
        let outcome = Self.outcome(comparison, check, isGate: gate)
        if json {
            try Console.print(
                json: GateDocument(
                    before: sources?.before, after: sources?.after, comparison: comparison, budget: check,
                    verdict: verdict, exitCode: outcome.rawValue))
        } else {
            if let comparison { printTables(comparison, of: sources) }
            if let check { printTables(check) }
        }
        try Console.end(verdict, outcome, toErrors: json, wraps: true)
    }

    private func printTables(_ comparison: ResultComparison, of sources: (before: Source, after: Source)?) {
        let report = ComparisonReport(comparison)
        for line in report.preamble {
            if markdown { Console.print(MarkdownReport.escape(line) + "\n") } else { Console.print(sentence: line) }
        }
        Console.print(report.table(isComplete: all), fitting: Self.spareTitles, markdown: markdown)
        let names = sources.map { ["before: \($0.before.words).", "after: \($0.after.words)."] } ?? []
        let isOneResult = sources.map { $0.before.path == $0.after.path } ?? false
        let warning = isOneResult ? ["both are one result, so that no change can show."] : []
        Console.print(notes: names + warning + report.notes, markdown: markdown)
        let power = report.power.joined(separator: " ")
        if markdown, !power.isEmpty { Console.print(power + "\n") }
        if !markdown, !power.isEmpty { Console.print(sentence: power) }
    }

    /// The columns that are left out on a narrow terminal, in this order.
    private static let spareTitles = ["[low high]", "before"]

    private func printTables(_ check: BudgetCheck) {
        let report = BudgetReport(check)
        Console.print(report.table(isComplete: all), markdown: markdown)
        Console.print(notes: report.notes, markdown: markdown)
    }

    /// Returns whether some benchmark was not judged: it has neither a budget nor comparable figures in both runs, or
    /// the filter of a run left it out.
    private static func hasUnjudged(_ comparison: ResultComparison?, _ check: BudgetCheck?) -> Bool {
        if comparison?.filtered.isEmpty == false || (check?.filtered ?? 0) > 0 { return true }
        if let comparison, comparison.unjudged.contains(where: { check?.judges($0) != true }) { return true }
        let compared = Set(
            (comparison?.rows ?? []).filter { $0.before != nil && $0.after != nil && $0.ratio == nil }.map(\.id))
        return check?.unbudgeted.contains { !compared.contains($0) } ?? false
    }

    static func outcome(_ comparison: ResultComparison?, _ check: BudgetCheck?, isGate: Bool) -> Outcome {
        let gating = comparison?.rows.filter { comparison?.gates($0) == true && check?.decides($0) != true } ?? []
        if check?.isBroken == true || gating.contains(where: { $0.verdict == .worse }) { return .regression }
        if gating.contains(where: { $0.obstacle == .failed }) || check?.failed.isEmpty == false { return .failed }
        if gating.contains(where: { $0.obstacle == .machine }) { return .inconclusive }
        let isLost = gating.contains(where: \.hasLostItsFigure)
        if isGate, isLost || check?.hasUnjudged == true || hasUnjudged(comparison, check) { return .inconclusive }
        return gating.contains { $0.verdict == .inconclusive } ? .inconclusive : .fine
    }
}

/// A result and the name by which the user asked for it.
private struct Source: Encodable {
    let named, path: String
    let result: RunResult

    init(_ name: String, _ stored: (path: String, result: RunResult)) {
        named = name
        (path, result) = stored
    }

    /// The name the user typed and the commit it refers to: `'latest', commit 93df6fde3736 ('results/….json')`.
    var words: String { "'\(named)', commit \(result.commitInWords)\(named == path ? "" : " ('\(path)')")" }

    private enum CodingKeys: CodingKey { case named, path, commit }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(named, forKey: .named)
        try container.encode(path, forKey: .path)
        try container.encode(result.commit, forKey: .commit)
    }
}

/// The JSON document of a comparison, of a budget check, or of both.
private struct GateDocument: Encodable {
    let before, after: Source?
    let comparison: ResultComparison?
    let budget: BudgetCheck?
    let verdict: String
    let exitCode: Int32

    private enum CodingKeys: CodingKey { case before, after, budget, findings, verdict, exitCode }

    func encode(to encoder: any Encoder) throws {
        try comparison?.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(before, forKey: .before)
        try container.encodeIfPresent(after, forKey: .after)
        try container.encodeIfPresent(budget, forKey: .budget)
        try container.encodeIfPresent(comparison?.findings, forKey: .findings)
        try container.encode(verdict, forKey: .verdict)
        try container.encode(exitCode, forKey: .exitCode)
    }
}
