import Foundation
import Testing

@testable import RxBenchCommands

/// The files for other tools, made from handwritten records.
@Suite struct RaceFilesTests {
    /// One race with a finding, one clean race, one that was not judged, and one that ran out of time.
    private static let document = """
        {"schemaVersion": 1, "command": "rxbench races", "isWhole": true, "races": [
          {"id": "cart/add", "stages": [{"method": "bound", "bound": 0, "executions": 3, "isExhausted": false,
            "seconds": 0.25, "mostSteps": 9}], "outcomes": [], "notes": [],
           "finding": {"kind": "data race", "sentence": "A and B write 'total'.", "replay": "A6B4", "preemptions": 1,
             "executions": 3, "stage": "bound 1", "steps": [], "stacks": [{"title": "B writes", "frames": [
               {"function": "$ss5printyyF", "path": null, "line": 0},
               {"function": "add", "path": "/src/app/Sources/My Cart.swift", "line": 7}]}]}},
          {"id": "cart/clear", "stages": [{"method": "bound", "bound": 2, "executions": 8, "isExhausted": true,
            "seconds": 0.5, "mostSteps": 9}], "outcomes": [], "notes": []},
          {"id": "cart/send", "stages": [], "outcomes": [], "notes": [], "refusal": "'fork'"},
          {"id": "cart/wait", "stages": [{"method": "bound", "bound": 0, "executions": 1, "isExhausted": false,
            "seconds": 1, "mostSteps": 9}], "outcomes": [], "notes": []}
        ]}
        """

    private func written() throws -> (document: RaceDocument, report: RaceReport) {
        let document = try JSONDecoder().decode(RaceDocument.self, from: Data(Self.document.utf8))
        return (document, RaceReport(document, root: "/src/app"))
    }

    @Test func `a race without a verdict is an error in JUnit's XML`() throws {
        let (document, report) = try written()
        let text = report.junit(document.races).text
        #expect(
            text.contains(
                "<testsuite name=\"races\" tests=\"4\" failures=\"1\" errors=\"2\" skipped=\"0\" time=\"1.750\">"))
        #expect(text.contains("<failure message=\"A and B write 'total'.\" type=\"data race\">"))
        #expect(text.contains("<testcase classname=\"races\" name=\"cart/clear\" time=\"0.500\"/>"))
        #expect(text.contains("type=\"not judged\""))
        #expect(text.contains("type=\"inconclusive\""))
    }

    @Test func `a finding has its line and its calls in SARIF, and the rest are notifications`() throws {
        let (document, report) = try written()
        let data = Data(report.sarif(document.races).text.utf8)
        let log = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let results = try #require(run["results"] as? [[String: Any]])
        #expect(results.count == 1)
        let text = report.sarif(document.races).text
        #expect(text.contains("\"uri\" : \"Sources/My%20Cart.swift\""))
        #expect(text.contains("\"startLine\" : 7"))
        #expect(text.contains("\"text\" : \"B writes\""))
        #expect(text.contains("cart/add: data race. A and B write 'total'. Replay: A6B4"))
        let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
        #expect(invocation["executionSuccessful"] as? Bool == false)
        #expect((invocation["toolExecutionNotifications"] as? [Any])?.count == 2)
    }
}
