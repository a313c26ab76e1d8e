import RxBenchEngine

/// The environment and the settings of the run, the drift of the machine, and the unavailable readings.
struct EnvironmentPanel {
    private let content: ReportContent

    init(_ content: ReportContent) { self.content = content }

    var markup: Markup {
        """
        <section id=environment><h2>Environment and noise</h2>\(table)<div class=charts>\(control)\(effects)</div>\
        \(notes)</section>
        """
    }

    private var table: Markup {
        let runs = [content.result] + (content.baseline.map { [$0] } ?? [])
        let heads: Markup =
            runs.count == 1 ? .empty : "<thead><tr><td></td><th>this run</th><th>baseline run</th></tr></thead>"
        let columns = runs.map(Self.facts)
        let rows = columns[0].indices.map { index -> Markup in
            let cells = columns.map { "<td>\($0[index].value)</td>" as Markup }.joined
            return "<tr><th scope=row>\(columns[0][index].name)</th>\(cells)</tr>"
        }
        return "<div class=wide><table class=facts>\(heads)<tbody>\(rows.joined)</tbody></table></div>"
    }

    private static func facts(_ result: RunResult) -> [(name: String, value: String)] {
        let environment = result.environment
        let run = result.run
        return [
            ("date", run.date), ("commit", result.commitInWords), ("machine", environment.machine),
            ("processor", "\(environment.processor)"),
            ("cores", "\(environment.cores)"),
            ("memory", Figures.bytes(Double(environment.memoryBytes))),
            ("system", "\(environment.operatingSystem), \(environment.kernel), \(environment.architecture)"),
            ("Swift", "\(environment.swiftVersion)"),
            ("configuration", "\(environment.configuration), tracing \(environment.isTracing ? "on" : "off")"),
            ("jemalloc", "\(environment.jemalloc)"),
            ("load before the run", "\(environment.loadAverage.map(Figures.threeDigits))"),
            ("processes a benchmark", "\(run.processes)"), ("seed", "\(run.seed)"),
            ("duration", Figures.duration(seconds: run.durationSeconds)),
            ("arguments", run.arguments.joined(separator: " ")),
        ]
    }

    /// A chart of the time of the control loop, whose work never changes, in every process of the run.
    private var control: Markup {
        let control = content.result.control
        guard control.values.count > 2, let scale = Scale(covering: [0, Double(control.values.count - 1)]),
            let vertical = Axis.time(control.values, "control loop, per step"), let median = control.reading.value
        else { return .empty }
        let horizontal = Axis(scale: scale, title: "processes, in order", label: Figures.count)
        let chart = Chart(horizontal: horizontal, vertical: vertical)
        let slow = control.values.count { $0 > median * 1.05 }
        let share = Figures.threeDigits(Double(slow) / Double(control.values.count) * 100)
        let caption: Markup = """
            A fixed loop in each of \(control.values.count) processes, median \(Figures.time(nanoseconds: median)); \
            \(share) % of them were more \
            than 5 % slower. It is the machine that moves here, not the code.
            """
        let curve = chart.envelope(control.values, "a1")
        return .figure(
            "Noise of the machine", chart.markup("Control loop in the order of the processes", curve), caption)
    }

    /// A chart of the smallest change that each benchmark of this run could have detected.
    private var effects: Markup {
        let effects = content.result.benchmarks.compactMap { benchmark in
            benchmark.metric(Metric.time)?.scatter?.detectable.map { $0 * 100 }
        }
        guard effects.count > 2, let scale = Scale.fitting(effects), let median = Quantiles.median(of: effects)
        else { return .empty }
        let horizontal = Axis(
            scale: scale, title: "smallest change of time that shows, %\(scale.isLogarithmic ? ", log" : "")",
            label: Figures.threeDigits)
        let chart = Chart(horizontal: horizontal, vertical: .share)
        let caption: Markup = """
            Half of the benchmarks would show a change of \(Figures.threeDigits(median)) % against an equal run, with \
            1 % false alarms and 80 % \
            power; drift between runs not counted.
            """
        let curve = chart.distribution(effects.map { ($0, 1) }, "a1")
        return .figure("Detectable change", chart.markup("Distribution of detectable changes", curve), caption)
    }

    private var notes: Markup {
        let report = RunReport(content.result)
        let drift = content.comparison.map { ComparisonReport($0).power } ?? []
        let obstacles =
            content.baseline.map {
                ResultComparison.obstacles($0, content.result) + ResultComparison.reservations($0, content.result)
            } ?? []
        let differences = obstacles.map { "Between the two runs \($0); differences may not be the code's." }
        let comparison = content.comparison.map { ComparisonReport($0).notes } ?? []
        let items =
            (drift + differences + report.budgetNotes + report.unavailable + report.oddities + report.intervals
            + report.outliers + comparison).map { "<li>\($0)</li>" as Markup }
        return items.isEmpty ? .empty : "<ul>\(items.joined)</ul>"
    }
}
