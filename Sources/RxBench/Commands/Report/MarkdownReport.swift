import RxBench
import RxBenchEngine

/// A report of a run as Markdown for a pull request. The verdict and the rows that need attention are at the top, and
/// everything else is folded.
package struct MarkdownReport: Sendable {
    private let result: RunResult
    private let baseline: RunResult?
    private let rules: ResultComparison.Rules
    /// The largest number of rows in a folded table. GitHub rejects comments of more than 65,536 characters.
    private static let mostRows = 100

    /// Creates a report of `result`, compared with `baseline` if there is one.
    package init(_ result: RunResult, baseline: RunResult? = nil, rules: ResultComparison.Rules = .init()) {
        self.result = result
        self.baseline = baseline
        self.rules = rules
    }

    /// The document, which ends in a line feed.
    package var document: String {
        let report = RunReport(result)
        let comparison = baseline.map { ResultComparison($0, result, rules: rules) }
        let changes = comparison.map(ComparisonReport.init)
        var parts =
            (changes?.preamble ?? []).map(Self.escape) + ["**\(Self.escape(changes?.verdict ?? report.verdict))**"]
        if changes != nil { parts.append(Self.escape(report.verdict)) }
        if let table = changes?.table(isComplete: false), !table.rows.isEmpty { parts.append(Self.markdown(table)) }
        let broken = report.limits { $0.verdict != .better && $0.verdict != .same }
        if !broken.rows.isEmpty { parts.append(Self.markdown(broken)) }
        let forbidden = report.outcomes.keeping { row in row[2] == Expectation.forbidden.rawValue && row[3] != "0" }
        if !forbidden.rows.isEmpty { parts.append(Self.markdown(forbidden)) }
        if !report.failures.isEmpty { parts.append(Self.list(report.failures)) }
        parts += folded(report)
        let notes =
            (changes?.notes ?? []) + report.budgetNotes + report.unavailable + report.oddities + report.intervals
            + report.outliers + report.detectable
        if !notes.isEmpty { parts.append(Self.fold("Notes", Self.list(notes))) }
        parts.append(Self.fold("Environment", Self.list(environment(comparison))))
        return parts.joined(separator: "\n\n") + "\n"
    }

    private func folded(_ report: RunReport) -> [String] {
        let tables = [
            ("Times and allocations of \(Figures.counted(report.figures.rows.count, "benchmark"))", report.figures),
            ("All limits", report.limits), ("Latencies", report.latencies), ("Race outcomes", report.outcomes),
        ]
        return tables.filter { !$0.1.rows.isEmpty }.map { Self.fold($0, Self.markdown($1)) }
    }

    private func environment(_ comparison: ResultComparison?) -> [String] {
        let environment = result.environment
        let drift =
            (comparison.map { ComparisonReport($0).power } ?? [])
            + (baseline.map { ResultComparison.reservations($0, result) } ?? []).map {
                "Between the runs \($0); differences may not be the code's."
            }
        let runs = [("run", result)] + (baseline.map { [("baseline run", $0)] } ?? [])
        return runs.map { "\($0): \($1.run.date), commit \($1.commitInWords)" }
            + [
                "machine: \(environment.machine), \(Figures.counted(environment.cores, "core"))"
            ]
            + ["build: \(environment.configuration)\(environment.isTracing ? ", tracing on" : "")"]
            + drift
    }

    private static func markdown(_ table: TextTable) -> String {
        var shown = TextTable(table.columns)
        for row in table.rows.prefix(mostRows) { shown.add(row) }
        let rest = table.rows.count - mostRows
        return shown.markdown + (rest > 0 ? "\n\n\(rest) more rows are in the HTML report." : "")
    }

    /// Returns the lines as a Markdown list.
    package static func list(_ lines: [String]) -> String { lines.map { "- \(escape($0))" }.joined(separator: "\n") }

    fileprivate static func fold(_ title: String, _ content: String) -> String {
        "<details><summary>\(title)</summary>\n\n\(content)\n\n</details>"
    }

    /// Returns `text` with every character that Markdown or HTML would interpret replaced by a character reference. The
    /// vertical bar is not replaced, because tables escape it themselves.
    package static func escape(_ text: String) -> String {
        var escaped = ""
        // A text without a semicolon contains no character reference, so the '&' of an ID can stay readable.
        let hasReference = text.contains(";")
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&" where !hasReference: escaped += "&"
            case "&", "<", ">", "`", "*", "_", "[", "]", "~", "@", "\\", "#": escaped += "&#\(scalar.value);"
            case _ where String.isControl(scalar): escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension TextTable {
    /// Returns the table with only the rows that `isKept` accepts.
    func keeping(_ isKept: ([String]) -> Bool) -> TextTable {
        var table = TextTable(columns)
        for row in rows where isKept(row) { table.add(row) }
        return table
    }
}

extension PairedReport {
    /// The verdict, the rows and the notes, for a comment on a pull request. A table that would fill a screen is
    /// folded.
    package var markdown: String {
        let rows = table.rows.count
        let figures =
            rows > 20
            ? MarkdownReport.fold("\(Figures.counted(rows, "benchmark")), changed ones first", table.markdown)
            : rows > 0 ? table.markdown : ""
        return
            (preamble.map(MarkdownReport.escape) + [
                "### \(MarkdownReport.escape(verdict))", figures, MarkdownReport.list(notes),
            ]).filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
}
