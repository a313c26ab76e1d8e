import Foundation
import HeapTrace
import RxBenchEngine
import RxBenchRaces

/// The outcome of a search of races: what `--json` writes, and 'rxbench report --races' reads.
struct RaceDocument: Codable {
    static let currentSchemaVersion = 1

    var schemaVersion = Self.currentSchemaVersion
    /// The words that call `races` on the same program.
    let command: String
    /// Whether every race that was asked for is among `races`, searched to its end or for its time.
    let isWhole: Bool
    let races: [RaceRecord]
    /// The races that were asked for and are not among `races`; `nil` in a file of an earlier version.
    var unsearched: [Unsearched]?

    /// A race that was not searched.
    struct Unsearched: Codable {
        let id: String
        /// How its process failed; `nil` if the search was interrupted before the race's turn.
        let failure: String?

        /// The reason in a sentence.
        var sentence: String { failure ?? "not judged. The search was interrupted before its turn." }
    }

    /// Whether a report can be made of it: a file from elsewhere may have any numbers.
    var isReadable: Bool {
        let counts = races.flatMap { $0.stages.map(\.executions) + $0.outcomes.map(\.count) }
        let actors = races.flatMap { $0.finding?.steps.map(\.actor) ?? [] }
        return schemaVersion <= Self.currentSchemaVersion && counts.reduce(0.0) { $0 + Double($1) } < 1e18
            && actors.allSatisfy { (0..<RaceRecord.mostActors).contains($0) }
    }
}

/// The outcome of a search of races, in words.
struct RaceReport {
    let document: RaceDocument
    /// Paths below this folder are shown without it.
    let root: String?

    init(_ document: RaceDocument, root: String?) {
        self.document = document
        self.root = root
    }

    /// The races without a record.
    var unsearched: [RaceDocument.Unsearched] { document.unsearched ?? [] }

    /// A line a race.
    var table: String {
        let records = document.races
        var table = TextTable([
            ("race", .left), (isStress ? "rounds" : "schedules", .right), ("per second", .right), ("searched", .left),
            ("found", .left),
        ])
        for record in records {
            let rate =
                record.seconds > 0 && !record.isUncounted
                ? Figures.count((Double(record.executions) / record.seconds).rounded()) : ""
            table.add([
                record.id, record.isUncounted ? "" : "\(record.executions)", rate, Self.extent(of: record),
                record.finding.map {
                    record.isStress && $0.kind == .forbidden
                        ? Self.outcomes(of: record) : "\($0.kind.rawValue): \($0.sentence)"
                }
                    ?? Self.word(for: record.verdict) ?? Self.outcomes(of: record),
            ])
        }
        return table.text
    }

    /// How many failed, and how far the search came with the others, in a sentence.
    var verdict: String {
        let records = document.races
        let found = records.count { $0.finding != nil }
        let executions = records.reduce(0) { $0 + $1.executions }
        var words = "\(found) of \(Figures.counted(records.count, "race")) failed"
        if isStress {
            if executions > 0 { words += " in \(Figures.counted(Int(clamping: executions), "round"))" }
            words += " on real threads\(instrumentation)"
        } else {
            let exhausted = records.count { $0.finding == nil && $0.exhausted != nil }
            words += " in \(Figures.counted(Int(clamping: executions), "schedule"))"
            words += "\(instrumentation); \(exhausted) exhausted to a bound or entirely"
        }
        let refused = records.count { $0.verdict == .notJudged }
        if refused > 0 { words += ", \(refused) not judged" }
        let open = records.count { if case .inconclusive = $0.verdict { true } else { false } }
        if open > 0 { words += ", \(open) inconclusive" }
        if !unsearched.isEmpty { words += "; \(Figures.counted(unsearched.count, "more race")) not judged" }
        return words + (document.isWhole ? "." : ". Interrupted, or a process failed: the rest is unknown.")
    }

    /// The reasons why races have no verdict, and what to do about it: a paragraph for each race.
    var reservations: [String] {
        document.races.compactMap { record in reservation(about: record).map { "\(record.id): \($0)" } }
    }

    /// The paragraph about one race; `nil` where it was found to be wrong or clean.
    func reservation(about record: RaceRecord) -> String? {
        switch record.verdict {
        case .found, .clean: nil
        case .notJudged: "not judged. It uses \(record.refusal ?? "")."
        case .inconclusive(.outOfTime):
            "inconclusive. The time was over before any bound was exhausted: give it more with '--time'."
        case .inconclusive(.unfinished): record.unfinished.map { "inconclusive. \(unfinished($0))" }
        case .inconclusive(.unrepeated): record.unrepeated.map { "inconclusive. \(unrepeated($0))" }
        }
    }

    private func unrepeated(_ finding: RaceFinding) -> String {
        """
        The search met a \(finding.kind.rawValue) ("\(finding.sentence)"), but a new process that follows the same \
        schedule, \(finding.replay), does not. The outcome depends on more than the order of the steps: on what \
        earlier executions left in globals, on random numbers, or on other processes. Make that state in 'makeState'.
        """
    }

    /// The word that the table shows instead of outcomes.
    private static func word(for verdict: RaceRecord.Verdict) -> String? {
        switch verdict {
        case .notJudged: "not judged"
        case .inconclusive(.unfinished), .inconclusive(.unrepeated): "inconclusive"
        case .found, .clean, .inconclusive(.outOfTime): nil
        }
    }

    private func unfinished(_ calls: RaceCalls) -> String {
        let own = calls.frames.filter { !$0.isForeign }
        let place = (own.first ?? calls.frames.first).map { ", in \(self.place($0))" } ?? ""
        return """
            \(calls.title) ran for a second without a step\(place). It may wait for memory that is neither atomic nor \
            locked, or do work that belongs into 'makeState'; schedules after this were not searched.
            """
    }

    /// The races that failed, each with its way there.
    var stories: [RaceStory] {
        document.races.compactMap { record in record.finding.map { story(of: $0, in: record) } }
    }

    /// How the program was compiled, where that says what could be found.
    private var instrumentation: String {
        switch document.races.lazy.compactMap(\.instrumentation).first {
        case .ordinary: " (ordinary instrumentation)"
        case .deep: " (deep instrumentation)"
        case .threadSanitizer: " (with ThreadSanitizer)"
        case .absent, nil: ""
        }
    }

    private var isStress: Bool { document.races.contains(where: \.isStress) }

    /// The outcomes, those worth knowing first.
    private static func outcomes(of record: RaceRecord) -> String {
        if record.isStress { return record.outcomes.map { "\($0.label) (\($0.count))" }.joined(separator: ", ") }
        let interesting = record.outcomes.filter { $0.expectation == .interesting }
        let all = Figures.counted(record.outcomes.count, "outcome")
        guard !interesting.isEmpty else { return all }
        return "\(all); interesting: \(interesting.map { "\($0.label) (\($0.count))" }.joined(separator: ", "))"
    }

    /// How much of the race was searched. The word *exhaustive* means that a bound was exhausted, and names the bound.
    static func extent(of record: RaceRecord) -> String {
        if record.verdict == .notJudged { return "not searched" }
        if let exhausted = record.exhausted {
            return exhausted.method == .reduced ? "exhaustive" : "exhaustive at \(exhausted.name)"
        }
        return record.stages.last.map { record.isStress ? $0.name : "\($0.name), in part" } ?? "nothing"
    }

    /// The way to `finding` in words.
    func story(of finding: RaceFinding, in record: RaceRecord) -> RaceStory {
        RaceStory(
            race: record.id,
            finding: "\(finding.kind.rawValue). \(finding.sentence)"
                + (finding.message.map { " It says: \($0)" } ?? ""),
            search: search(of: finding, in: record),
            steps: finding.steps.filter { !($0.isIncidental ?? false) }.map { step in
                if step.isThing ?? false {
                    return RaceStory.Step(
                        actor: step.actor, words: "\(step.action) \(step.variable ?? "")", variable: step.variable,
                        isChange: true, place: step.place.map(place) ?? "")
                }
                let values =
                    step.before == step.after ? value(step.before) : "\(value(step.before))→\(value(step.after))"
                let words = [step.action, step.variable, step.variable == nil ? nil : values].compactMap(\.self)
                return RaceStory.Step(
                    actor: step.actor, words: words.joined(separator: " "), variable: step.variable,
                    isChange: step.before != step.after, place: step.place.map(place) ?? "")
            },
            omitted: max((finding.stepCount ?? 0) - finding.steps.count, 0),
            calls: finding.stacks.map {
                // A call has at least one line, even where no function of it belongs to a source.
                let own = $0.frames.filter { !$0.isForeign }
                let shown = own.isEmpty ? $0.frames.prefix(1) : own[...]
                return RaceStory.Calls(title: $0.title, frames: shown.map(place))
            },
            command: "\(document.command) "
                + (finding.replay.isEmpty
                    ? "'\(record.id)'" : "--replay '\(record.id)' \(finding.replay)"))
    }

    private func search(of finding: RaceFinding, in record: RaceRecord) -> String {
        if record.isUncounted { return "A search finds the way there:" }
        if record.isStress {
            let rounds = record.outcomes.filter { $0.expectation == .forbidden }.reduce(0) { $0 + $1.count }
            if finding.kind == .dataRace {
                return "ThreadSanitizer saw it in \(record.executions) rounds. A search finds the way there:"
            }
            return """
                In \(Figures.counted(Int(clamping: rounds), "round")) of \(record.executions) on real threads. A \
                search finds the way there:
                """
        }
        guard finding.executions > 0, let stage = finding.stage else { return "" }
        return """
            Found by \(stage) after \(Figures.counted(finding.executions, "schedule")); shrunk to \
            \(Figures.counted(finding.preemptions, "preemption")), \
            \(Figures.counted(finding.stepCount ?? finding.steps.count, "step")).
            """
    }

    private func value(_ value: UInt64) -> String {
        value < 1 << 20 ? "\(value)" : "0x" + String(value, radix: 16)
    }

    private func place(_ frame: RaceFrame) -> String {
        let name = FunctionName(symbol: frame.function).text
        guard let path = frame.path else { return name }
        return "\(name) \(shown(path))" + (frame.line == 0 ? "" : ":\(frame.line)")
    }

    /// A path from the package's folder on.
    func shown(_ path: String) -> String {
        guard let root, path.hasPrefix(root + "/") else { return path }
        return String(path.dropFirst(root.count + 1))
    }
}
