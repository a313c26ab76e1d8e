import RxBenchRaces
import HeapTrace

extension RaceReport {
    /// The test cases of JUnit: one for each race. A race without a verdict is an error, and so no pass.
    var junit: JUnitSuite {
        let judged = document.races.map {
            JUnitSuite.Case(group: "races", name: $0.id, seconds: $0.seconds, result: result(of: $0))
        }
        let unjudged = unsearched.map {
            JUnitSuite.Case(
                group: "races", name: $0.id, seconds: 0,
                result: .noVerdict(type: $0.failure == nil ? "not judged" : "failed", message: $0.sentence, details: "")
            )
        }
        return JUnitSuite(name: "races", cases: judged + unjudged)
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
    var sarif: SARIFLog {
        SARIFLog(
            tool: "rxbench races",
            rule: .init(
                id: "race", name: "Race", description: "An interleaving of the threads leads to a fault.",
                help: "Follow the steps, and repeat them with 'rxbench races --replay' and the schedule."),
            results: document.races.compactMap { record in record.finding.map { result($0, in: record) } },
            notifications: document.races.compactMap(notification)
                + unsearched.map { .error("\($0.id): \($0.sentence)") },
            sourceRoot: root)
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
