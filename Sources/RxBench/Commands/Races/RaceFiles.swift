import ArgumentParser
import Foundation
import RxBench
import RxBenchRaces
import RxTrace

/// The files that a search of races writes for other tools.
struct RaceFiles: ParsableArguments {
    @Option(help: ArgumentHelp("JUnit's XML, which every CI shows.", valueName: "file"))
    var junit: String?
    @Option(help: ArgumentHelp("SARIF 2.1.0, for code scanning.", valueName: "file"))
    var sarif: String?

    /// Refuses a file that could not be written, before the search that would fill it.
    func check() throws(CommandFailure) { try OutputFile.check([junit, sarif]) }

    func write(_ records: [RaceRecord], _ report: RaceReport) throws {
        if let junit { try OutputFile.write(RaceJUnit.text(of: records, report), to: junit) }
        if let sarif { try OutputFile.write(RaceSARIF.text(of: records, report), to: sarif) }
    }
}

/// JUnit's XML: a test case for each race, a finding is a failure, a race that was not searched is skipped.
enum RaceJUnit {
    static func text(of records: [RaceRecord], _ report: RaceReport) -> String {
        let failures = records.count { $0.finding != nil }
        let skipped = records.count { $0.refusal != nil }
        let cases = records.map { testCase($0, report) }.joined()
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite name="races" tests="\(records.count)" failures="\(failures)" skipped="\(skipped)">
            \(cases)  </testsuite>
            </testsuites>

            """
    }

    private static func testCase(_ record: RaceRecord, _ report: RaceReport) -> String {
        let opening =
            "    <testcase classname=\"races\" name=\"\(XML.attribute(record.id))\" time=\"\(record.seconds)\""
        if let finding = record.finding {
            let message = XML.attribute("\(finding.kind.rawValue): \(finding.sentence)")
            let story = XML.text(report.story(of: finding, in: record).text)
            return "\(opening)>\n      <failure message=\"\(message)\">\(story)</failure>\n    </testcase>\n"
        }
        guard let refusal = record.refusal else { return opening + "/>\n" }
        let message = XML.attribute("It calls \(refusal), which is not modelled.")
        return "\(opening)>\n      <skipped message=\"\(message)\"/>\n    </testcase>\n"
    }
}

/// SARIF 2.1.0: each finding at the line of its last step, with the schedule that repeats it.
enum RaceSARIF {
    static func text(of records: [RaceRecord], _ report: RaceReport) throws -> String {
        let results = records.compactMap { record in record.finding.map { result($0, in: record.id, report) } }
        let document: [String: Any] = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": ["driver": ["name": "rxbench races", "rules": [["id": "race"]]]],
                    "results": results,
                ]
            ],
        ]
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(
            decoding: try JSONSerialization.data(withJSONObject: document, options: options), as: UTF8.self) + "\n"
    }

    private static func result(_ finding: RaceFinding, in id: String, _ report: RaceReport) -> [String: Any] {
        let replay = finding.replay.isEmpty ? "" : " Replay: \(finding.replay)"
        var result: [String: Any] = [
            "ruleId": "race", "level": "error",
            "message": ["text": "\(id): \(finding.kind.rawValue). \(finding.sentence)\(replay)"],
            "partialFingerprints": ["race/v1": "\(id) \(finding.kind.rawValue) \(finding.sentence)"],
        ]
        let calls = finding.stacks.flatMap(\.frames).first { !$0.isForeign }
        if let frame = calls ?? finding.steps.last(where: { $0.place != nil })?.place, let path = frame.path {
            let artifact = ["uri": report.shown(path)]
            result["locations"] = [
                [
                    "physicalLocation": ["artifactLocation": artifact, "region": ["startLine": frame.line]]
                        as [String: Any]
                ]
            ]
        }
        return result
    }
}
