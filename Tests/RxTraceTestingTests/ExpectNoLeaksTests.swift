import Rx
import RxTrace
import RxTraceObjects
import RxTraceTesting
import XCTest

final class ExpectNoLeaksTests: XCTestCase {
    private struct Failure: Equatable {
        let text: String
        let file: String
        let line: Int
    }

    private enum Planted: Error { case fault }

    /// The failures of the current `body`, which do not fail this test.
    private var caught: [Failure]?

    private func failures(of body: () async throws -> Void) async rethrows -> [Failure] {
        caught = []
        defer { caught = nil }
        try await body()
        return caught ?? []
    }

    #if canImport(Darwin)
        override func record(_ issue: XCTIssue) {
            guard caught != nil else { return super.record(issue) }
            let location = issue.sourceCodeContext.location
            caught?.append(
                Failure(
                    text: issue.compactDescription, file: location?.fileURL.path ?? "", line: location?.lineNumber ?? 0)
            )
        }
    #else
        override func recordFailure(
            withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
        ) {
            guard caught != nil else {
                return super.recordFailure(
                    withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
            }
            caught?.append(Failure(text: description, file: filePath, line: lineNumber))
        }
    #endif

    #if TRACE_RESOURCES
        private var kept: [any Disposable] = []
        private let tomorrow = CalendarDay("2999-12-31")!

        override func setUpWithError() throws {
            RxTrace.followsObjects = true
            defer { RxTrace.followsObjects = false }
            let missing = RxTrace.detectGrowth(named: "nothing") {}.unavailable.first { $0.metric == .heapBytes }
            if let missing { throw XCTSkip(missing.reason) }
        }

        private func leak() { kept.append(Observable<Int>.never().subscribe(onNext: { _ in })) }

        func testLeak_failsAtTheCallersLineWithTheWholeReport() async throws {
            let line = #line + 1
            let found = await failures { expectNoLeaks(named: "kept", maximumRuns: 160) { leak() } }
            XCTAssertEqual(found.count, 1)
            let failure = try XCTUnwrap(found.first)
            XCTAssertEqual(failure.line, line)
            XCTAssertEqual(failure.file, #filePath)
            XCTAssertTrue(
                failure.text.contains("Each run leaves more behind.\nkept: leaks, after 163 runs\n"), failure.text)
            XCTAssertTrue(failure.text.contains("growing by 1 a run [1 1]"), failure.text)
            XCTAssertNotNil(failure.text.firstMatch(of: #/\n(└─|├─) [^\n]+  #[0-9a-f]{12}\n/#), failure.text)
        }

        func testAsynchronousLeak_fails() async {
            let found = await failures {
                await expectNoLeaks(maximumRuns: 20) {
                    await Task.yield()
                    leak()
                }
            }
            XCTAssertEqual(found.count, 1)
            XCTAssertTrue(
                found.first?.text.contains("testAsynchronousLeak_fails(): leaks, after 23 runs") ?? false, "\(found)")
        }

        func testCleanRoundTrips_pass() async {
            expectNoLeaks { Observable<Int>.never().subscribe(onNext: { _ in }).dispose() }
            await expectNoLeaks {
                await Task.yield()
                Observable<Int>.never().subscribe(onNext: { _ in }).dispose()
            }
        }

        func testErrorOfTheBody_isThrown() {
            XCTAssertThrowsError(try expectNoLeaks { throw Planted.fault }) { XCTAssertEqual($0 as? Planted, .fault) }
        }

        func testAllowedLeak_passes() async throws {
            var found: GrowthReport?
            // On one line, because the line is part of the signature.
            func check(_ allowances: LeakAllowances) {
                found = expectNoLeaks(named: "kept", maximumRuns: 40, allowing: allowances) { leak() }
            }
            _ = await failures { check(.none) }
            let report = try XCTUnwrap(found)
            let allowances = LeakAllowances.none.adding(
                leaksOf: [report], until: tomorrow, because: "A planted fault.")
            XCTAssertFalse(allowances.entries.isEmpty)
            check(allowances)
        }

        func testExpiredAllowance_failsWithTheLeakAndTheEntry() async throws {
            let yesterday = try XCTUnwrap(CalendarDay("2020-01-01"))
            let allowances = LeakAllowances([LeakAllowance(.type("*"), until: yesterday, because: "A planted fault.")])
            let found = await failures { expectNoLeaks(maximumRuns: 20, allowing: allowances) { leak() } }
            let text = try XCTUnwrap(found.first?.text)
            XCTAssertTrue(text.contains("Each run leaves more behind."), text)
            XCTAssertTrue(
                text.contains(
                    """
                    stale allowance: 'type "*" until 2020-01-01 because "A planted fault."' has expired. Mend the \
                    leak, or give the entry a later day.
                    """), text)
        }

        func testAllowanceThatMatchesNothing_fails() async throws {
            let allowances = LeakAllowances([LeakAllowance(.type("Gone"), until: tomorrow, because: "Mended since.")])
            let found = await failures { expectNoLeaks(allowing: allowances) {} }
            let text = try XCTUnwrap(found.first?.text)
            XCTAssertTrue(text.contains("An allowance is of no use any more."), text)
            XCTAssertTrue(text.contains("matches no leak any more. Remove it."), text)
        }

        func testAllowanceOfAFileForAnyRoundTrip_isLeftToTheTestsItIsFor() async throws {
            let text = """
                [{"type": "Gone", "until": "2999-12-31", "because": "Another test leaks it."},
                 {"type": "Gone", "in": "elsewhere", "until": "2999-12-31", "because": "Another test leaks it."}]
                """
            expectNoLeaks(named: "here", allowing: try LeakAllowances(json: text, name: "leaks.json")) {}
            let named = try LeakAllowances(
                json: #"[{"type": "Gone", "in": "here", "until": "2999-12-31", "because": "Mended."}]"#,
                name: "leaks.json")
            let found = await failures { expectNoLeaks(named: "here", allowing: named) {} }
            XCTAssertTrue(found.first?.text.contains("stale allowance: leaks.json, entry 1: ") ?? false, "\(found)")
        }
    #else
        func testWithoutTracing_failsAndSaysWhatToDo() async {
            let found = await failures { expectNoLeaks {} }
            XCTAssertTrue(found.first?.text.contains("Leaks cannot be looked for.") ?? false, "\(found)")
        }
    #endif
}
