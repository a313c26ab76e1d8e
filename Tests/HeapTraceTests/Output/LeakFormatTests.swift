import Foundation
import XCTest

@testable import HeapTrace

#if canImport(FoundationXML)
    import FoundationXML
#endif

final class LeakFormatTests: XCTestCase {
    private func object(
        _ format: some LeakFormat, _ document: LeakDocument = LeakSamples.document
    ) throws -> [String: Any] {
        try XCTUnwrap(JSONSerialization.jsonObject(with: Data(format.text(of: document).utf8)) as? [String: Any])
    }

    private func schemaProblems(_ document: LeakDocument) throws -> [String] {
        let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "../../../results/schema/leaks-v1.schema.json")
        return try SchemaValidator(Data(contentsOf: schema.standardizedFileURL)).problems(
            in: Data(LeakJSON().text(of: document).utf8))
    }

    func testJSON_fitsItsSchema() throws {
        XCTAssertEqual(try schemaProblems(LeakSamples.document), [])
        XCTAssertEqual(try schemaProblems(LeakDocument([])), [])
        let bounded = GrowthReport(name: "cache", runs: 43, groups: [LeakSamples.group(.kind(.sink), .bounded(by: 8))])
        XCTAssertEqual(try schemaProblems(LeakDocument([bounded])), [])
    }

    func testSchema_refusesWhatIsWrong() throws {
        let nameless = LeakDocument([GrowthReport(name: "", runs: -1, groups: [])])
        XCTAssertEqual(
            try schemaProblems(nameless).sorted(),
            ["$.scenarios[0].name is too short", "$.scenarios[0].runs is less than 0"])
    }

    func testJSON_readAgain_isTheSameDocument() throws {
        let text = LeakJSON().text(of: LeakSamples.document)
        let read = try LeakJSON().document(in: Array(text.utf8))
        XCTAssertEqual(read, LeakSamples.document)
        for format in LeakFormats.all {
            XCTAssertEqual(format.text(of: read), format.text(of: LeakSamples.document), format.name)
        }
    }

    func testMetrics_areReadBackFromJSON() throws {
        let subjects: [GrowthMetric] = [
            .kind(.sink), .type("map<Int, (String) -> ()>", .sink), .type("objects of (subject)", .disposable),
            .objects("App.Model<Swift.Int>"), .elements("Set<UUID>"), .heapBytes,
        ]
        let decoder = JSONDecoder()
        for subject in subjects {
            let text = JSONValue.text(of: subject)
            XCTAssertEqual(try decoder.decode(GrowthMetric.self, from: Data(text.utf8)), subject)
        }
        for text in [#"{"counts":"resources","kind":"other"}"#, #"{"counts":"objects"}"#, #"{"counts":"bytes"}"#] {
            XCTAssertThrowsError(try decoder.decode(GrowthMetric.self, from: Data(text.utf8)), text)
        }
    }

    func testJSON_ofALeak_hasTheseKeysAndTexts() throws {
        let waiting = WaitingWork(
            name: "timeout", count: 2, firstDueSeconds: 60, lastDueSeconds: 60, creationStack: CallStack(frames: []))
        let report = GrowthReport(
            name: "player", runs: 43, groups: [LeakSamples.leaking.groups[2]],
            lookedAt: [.resources, .heapBytes], unavailable: [.init(metric: .objects, reason: "not linked.")],
            pendingWork: PendingWork(pieces: 2, timers: 1), waiting: [waiting])
        let text = JSONValue.text(of: GrowthReport(report, seconds: 0.5).allowing(LeakAllowances([])))
        let places = text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
        XCTAssertEqual(
            places,
            """
            {
            "groups" : [
            {
            "companions" : [
            {
            "metric" : {
            "counts" : "resources",
            "kind" : "disposable",
            "name" : "DisposeBag"
            },
            "perRun" : 2
            }
            ],
            "counts" : [
            1,
            2,
            3
            ],
            "creationStack" : [
            {
            "file" : "/src/rx/Sources/Rx/Operators/Map.swift",
            "function" : "Observable.map<A>(_:)",
            "image" : "app",
            "isInternal" : true,
            "line" : 9
            },
            {
            "file" : "/src/app/My Screen.swift",
            "function" : "closure #1 in Screen.open(); or <not> \\"&\\"",
            "image" : "app",
            "isInternal" : false,
            "line" : 42
            },
            {
            "function" : "main",
            "image" : "app",
            "isInternal" : false
            }
            ],
            "metric" : {
            "counts" : "resources",
            "kind" : "sink",
            "name" : "map<Int, String>"
            },
            "retention" : {
            "advice" : "capture 'self' weakly in the closure at Screen.swift:42",
            "cycleLength" : 3,
            "doubt" : "one reference was not found",
            "grade" : "likely",
            "headline" : "Screen, held by a cycle over 'Screen.bag': capture 'self' weakly in the closure at \
            Screen.swift:42",
            "steps" : [
            {
            "edge" : ".bag",
            "holder" : "Screen",
            "isTyped" : true,
            "kind" : "property"
            },
            {
            "edge" : "[0]",
            "holder" : "DisposeBag",
            "isTyped" : true,
            "kind" : "element",
            "stableEdge" : "[]"
            },
            {
            "edge" : "capture self",
            "file" : "Screen.swift",
            "holder" : "closure in Screen.open()",
            "isTyped" : true,
            "kind" : "capture",
            "line" : 42
            }
            ],
            "subject" : "Screen"
            },
            "signature" : "d924513227c6",
            "subject" : "map<Int, String> (sink)",
            "type" : "map<Int, String>",
            "unit" : "count",
            "verdict" : {
            "high" : 1,
            "low" : 1,
            "perRun" : 1,
            "verdict" : "growing"
            }
            }
            ],
            "lookedAt" : [
            "resources",
            "heap bytes"
            ],
            "name" : "player",
            "outcome" : "found",
            "pendingWork" : {
            "pieces" : 2,
            "timers" : 1
            },
            "runs" : 43,
            "seconds" : 0.5,
            "unavailable" : [
            {
            "reason" : "not linked.",
            "subject" : "objects"
            }
            ],
            "waiting" : [
            {
            "count" : 2,
            "creationStack" : [
            ],
            "firstDueSeconds" : 60,
            "lastDueSeconds" : 60,
            "name" : "timeout"
            }
            ]
            }
            """)
    }

    func testJUnit_countsAndTellsEachOutcome() throws {
        let text = JUnitReport().text(of: LeakSamples.document)
        XCTAssertTrue(
            text.hasPrefix(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="leaks" tests="6" failures="1" errors="3" time="1.250">
                  <testsuite name="leaks" tests="6" failures="1" errors="3" skipped="1" time="1.250">
                    <testcase classname="search" name="open &amp; close" time="0.250">
                      <failure message="Screen, held by a cycle over 'Screen.bag': capture 'self' weakly in the \
                closure at Screen.swift:42; heap bytes: growing by 512 a run [500 524]" type="leak">\
                search/open &amp; close: leaks, after 163 runs

                """), text)
        XCTAssertTrue(
            text.contains(
                """
                    <testcase classname="leaks" name="clean" time="0.250"/>

                """), text)
        XCTAssertTrue(
            text.contains(
                "<skipped message=\"filter&lt;Int&gt; (sink) may leak until 2999-12-31: The vendor's cache.\"/>"), text)
        XCTAssertTrue(text.contains("<error message=\"An iteration threw 'planted'.\" type=\"failed\">"), text)
        XCTAssertTrue(text.contains("<system-err>stale allowance: 'type \"gone\""), text)
        XCTAssertTrue(XMLParser(data: Data(text.utf8)).parse())
    }

    func testXML_hasNoCharacterThatIsForbiddenThere() {
        let text = JUnitReport().text(
            of: LeakDocument([GrowthReport(name: "a\u{0}<\u{1B}\"\u{FFFE}", failure: "]]>\u{8}")]))
        XCTAssertTrue(XMLParser(data: Data(text.utf8)).parse(), text)
        XCTAssertTrue(text.contains("name=\"a\u{FFFD}&lt;\u{FFFD}&quot;\u{FFFD}\""), text)
    }

    func testSARIF_namesEachLeakWithPlaceFingerprintAndSuppression() throws {
        let log = try object(SARIFReport(sourceRoot: "/src/app/"))
        XCTAssertEqual(log["version"] as? String, "2.1.0")
        let run = try XCTUnwrap((log["runs"] as? [[String: Any]])?.first)
        let results = try XCTUnwrap(run["results"] as? [[String: Any]])
        XCTAssertEqual(
            results.map { ($0["message"] as? [String: String])?["text"] },
            [
                """
                search/open & close: Screen, held by a cycle over 'Screen.bag': capture 'self' weakly in the \
                closure at Screen.swift:42
                """,
                "search/open & close: heap bytes: growing by 512 a run [500 524]",
                "known: filter<Int> (sink): growing by 1 a run [1 1]",
            ])
        XCTAssertEqual(
            results.map { ($0["partialFingerprints"] as? [String: String])?["leakSignature/v1"] },
            ["d924513227c6", nil, nil])
        XCTAssertEqual(results.map { ($0["suppressions"] as? [Any])?.count }, [nil, nil, 1])
        let rules = try XCTUnwrap(
            ((run["tool"] as? [String: Any])?["driver"] as? [String: Any])?["rules"] as? [[String: Any]])
        XCTAssertTrue(
            results.allSatisfy { $0["ruleId"] as? String == rules[$0["ruleIndex"] as? Int ?? -1]["id"] as? String })
    }

    func testSARIF_writesPathsBelowTheSourceRootRelativeToIt() {
        let text = SARIFReport(sourceRoot: "/src/app/").text(of: LeakSamples.document)
        XCTAssertTrue(text.contains("\"uri\" : \"My%20Screen.swift\",\n"), text)
        XCTAssertTrue(text.contains("\"uriBaseId\" : \"%SRCROOT%\""), text)
        XCTAssertTrue(text.contains("\"uri\" : \"file:///src/rx/Sources/Rx/Operators/Map.swift\""), text)
    }

    func testFormats_haveNamesOfTheirOwn() {
        XCTAssertEqual(LeakFormats.all.map(\.name), ["text", "json", "junit", "sarif"])
        XCTAssertEqual(LeakFormats.named("sarif")?.readers, "GitHub's code scanning, editors")
        XCTAssertNil(LeakFormats.named("xml"))
    }
}
