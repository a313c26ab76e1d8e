import Foundation
import RxBench
import RxBenchRaces
import RxBenchReport
import RxTrace

/// What a search of races has found out, in words.
struct RaceReport {
    /// What stands before a path is left out where it is this folder.
    let root: String
    /// The words that call the tool.
    let tool: String

    /// A line a race.
    func table(of records: [RaceRecord]) -> String {
        var table = TextTable([
            ("race", .left), ("schedules", .right), ("per second", .right), ("searched", .left), ("found", .left),
        ])
        for record in records {
            let rate = record.seconds > 0 ? Figures.count((Double(record.executions) / record.seconds).rounded()) : ""
            table.add([
                record.id, "\(record.executions)", rate, Self.extent(of: record),
                record.finding.map { "\($0.kind.rawValue): \($0.sentence)" } ?? record.refusal.map { "calls \($0)" }
                    ?? Self.outcomes(of: record),
            ])
        }
        return table.text
    }

    /// The outcomes, those worth knowing first.
    private static func outcomes(of record: RaceRecord) -> String {
        let interesting = record.outcomes.filter { $0.expectation == .interesting }
        let all = Figures.counted(record.outcomes.count, "outcome")
        guard !interesting.isEmpty else { return all }
        return "\(all); interesting: \(interesting.map { "\($0.label) (\($0.count))" }.joined(separator: ", "))"
    }

    /// *Exhaustive* is said only of what was exhausted, with the bound.
    static func extent(of record: RaceRecord) -> String {
        if record.refusal != nil { return "not searched" }
        let done = record.stages.filter(\.isExhausted).map(\.name)
        if done.contains("all, reduced") { return "exhaustive" }
        let bound = done.last { !$0.contains("references") && $0.hasPrefix("bound") }
        if let bound { return "exhaustive at \(bound)" }
        return record.stages.last.map { "\($0.name), in part" } ?? "nothing"
    }

    /// The outcome's sentence, a column an actor and a line a step, the calls, and the command that repeats it.
    func story(of finding: RaceFinding, in id: String) -> String {
        var text = "\(id): \(finding.kind.rawValue). \(finding.sentence)\n"
        if finding.executions > 0 {
            text += """
                Found by \(finding.stage) after \(Figures.counted(finding.executions, "schedule")); shrunk to \
                \(Figures.counted(finding.preemptions, "preemption")), \(Figures.counted(finding.steps.count, "step")).

                """
        }
        text += "\n\(steps(finding.steps))\n"
        for calls in finding.stacks {
            text += "\n  \(calls.title):\n"
            for frame in calls.frames where !frame.isForeign { text += "    \(place(frame))\n" }
        }
        return text + "\n  \(tool) races --replay '\(id)' \(finding.replay)\n"
    }

    private func steps(_ steps: [RaceStep]) -> String {
        let actors = (steps.map(\.actor).max() ?? 0) + 1
        var table = TextTable((0..<actors).map { (RaceSchedule.letter(of: $0), .left) })
        for step in steps {
            var cells = [String](repeating: "", count: actors)
            let values = step.before == step.after ? value(step.before) : "\(value(step.before))→\(value(step.after))"
            let what = [step.action, step.variable, step.variable == nil ? nil : values].compactMap(\.self)
            cells[step.actor] = what.joined(separator: " ") + "  " + (step.place.map(place) ?? "")
            table.add(cells)
        }
        return table.text.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }

    private func value(_ value: UInt64) -> String {
        value < 1 << 20 ? "\(value)" : "0x" + String(value, radix: 16)
    }

    private func place(_ frame: RaceFrame) -> String {
        let name = FunctionName(symbol: frame.function, text: Demangler.readable(frame.function)).text
        return frame.path.map { "\(name) \(shown($0)):\(frame.line)" } ?? name
    }

    /// A path from the package's folder on.
    func shown(_ path: String) -> String {
        path.hasPrefix(root + "/") ? String(path.dropFirst(root.count + 1)) : path
    }
}
