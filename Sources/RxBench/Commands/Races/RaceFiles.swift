import ArgumentParser
import RxBenchRaces
import RxTrace

/// The files that a search of races writes for other tools.
struct RaceFiles: ParsableArguments {
    @Option(help: .value("file", "JUnit's XML, which every CI shows.")) var junit: String?
    @Option(help: .value("file", "SARIF 2.1.0, for code scanning.")) var sarif: String?

    /// Refuses a file that could not be written, before the search that would fill it.
    func check() throws(CommandFailure) { try OutputFile.check([junit, sarif]) }

    func write(_ records: [RaceRecord], _ report: RaceReport) throws {
        if let junit { try OutputFile.write(report.junit(records).text, to: junit) }
        if let sarif { try OutputFile.write(report.sarif(records).text, to: sarif) }
    }
}

extension RaceReport {
    /// A test case for each race. A race without a verdict is an error, and so no pass.
    func junit(_ records: [RaceRecord]) -> JUnitSuite {
        JUnitSuite(
            name: "races",
            cases: records.map { .init(group: "races", name: $0.id, seconds: $0.seconds, result: result(of: $0)) })
    }

    private func result(of record: RaceRecord) -> JUnitSuite.Case.Result {
        if let finding = record.finding {
            return .failed(
                type: finding.kind.rawValue, message: finding.sentence, details: story(of: finding, in: record).text)
        }
        guard let reservation = reservation(about: record) else { return .passed }
        return .noVerdict(
            type: record.verdict == .notJudged ? "not judged" : "inconclusive", message: reservation, details: "")
    }

    /// Each finding at the line of its last step, with the schedule that repeats it.
    func sarif(_ records: [RaceRecord]) -> SARIFLog {
        SARIFLog(
            tool: "rxbench races",
            rule: .init(
                id: "race", name: "Race", description: "An interleaving of the threads leads to a fault.",
                help: "Follow the steps, and repeat them with 'rxbench races --replay' and the schedule."),
            results: records.compactMap { record in record.finding.map { result($0, in: record) } },
            notifications: records.compactMap(notification), sourceRoot: root)
    }

    private func notification(about record: RaceRecord) -> SARIFLog.Notification? {
        reservation(about: record).map { reservation in
            let text = "\(record.id): \(reservation)"
            return record.verdict == .notJudged ? .error(text) : .warning(text)
        }
    }

    private func result(_ finding: RaceFinding, in record: RaceRecord) -> SARIFLog.Result {
        let replay = finding.replay.isEmpty ? "" : " Replay: \(finding.replay)"
        let call = finding.stacks.flatMap(\.frames).first { !$0.isForeign }
        let place = call ?? finding.steps.last { $0.place != nil }?.place
        let id = record.id
        var result = SARIFLog.Result(
            message: "\(id): \(finding.kind.rawValue). \(finding.sentence)\(replay)", logicalName: (id, id),
            place: place.flatMap { frame in frame.path.map { ($0, frame.line) } },
            fingerprint: ("race/v1", "\(id) \(finding.kind.rawValue) \(finding.sentence)"))
        result.stacks = finding.stacks.map { ($0.title, $0.frames.map(location)) }
        return result
    }

    private func location(_ frame: RaceFrame) -> SARIFLog.Location {
        SARIFLog.Location(FunctionName(symbol: frame.function).text, file: frame.path, line: frame.line)
    }
}
