import HeapTrace
import RxTraceTesting
import Testing
import XCTest

@testable import published_leaks

// All cases in one suite with 'RxTraceTesting' alone, as a user's tests would look for them: in Swift Testing, and in
// XCTest. The failures that 'expectNoLeaks' reports are expected.

/// The faults of the two reports on a case; empty if both are right.
private func faults(_ leak: PublishedLeak, _ leaky: GrowthReport?, _ fixed: GrowthReport?) -> [String] {
    guard let leaky, let fixed else { return ["\(leak.name): a round trip has thrown an error"] }
    let faults = Finding(leaky).faults(of: leak).map { "\(leak.name): \($0): \(leaky.details)" }
    let isClean = Finding(fixed).isClean(except: leak.leakOfSystem)
    return faults + (isClean ? [] : ["\(leak.name): the mended program is accused: \(fixed.details)"])
}

/// A case's round trip, with innocent objects of its class around it.
private struct RoundTrip {
    let leak: PublishedLeak
    let body: PublishedLeak.Body
    let bystanders: Bystanders

    init(_ leak: PublishedLeak, _ body: PublishedLeak.Body) {
        (self.leak, self.body) = (leak, body)
        bystanders = Bystanders(keeping: leak.innocents(300))
    }

    func run() throws {
        if case .synchronous(let body) = body { try body() }
        CaseProcess.doInnocentWork(of: leak, bystanders)
    }

    nonisolated(nonsending) func runAsynchronously() async throws {
        if case .asynchronous(let body) = body { try await body() }
        CaseProcess.doInnocentWork(of: leak, bystanders)
    }

    nonisolated(nonsending) func search() async -> GrowthReport? {
        body.isAsynchronous
            ? try? await expectNoLeaks(named: leak.name) { try await runAsynchronously() }
            : try? expectNoLeaks(named: leak.name) { try run() }
    }
}

@Suite(.serialized) struct SwiftTestingTests {
    // GRDB starts its observations on the main thread, on which Swift Testing runs no test.
    private static let names = PublishedLeak.all.map(\.name).filter { $0 != "database-observation" }

    @Test(arguments: names) func leakIsFoundAndNamed_andItsMendIsClean(_ name: String) async throws {
        let leak = try #require(PublishedLeak.all.first { $0.name == name })
        var (leaky, fixed): (GrowthReport?, GrowthReport?)
        await withKnownIssue(isIntermittent: true) {
            leaky = await RoundTrip(leak, leak.leaky).search()
            fixed = await RoundTrip(leak, leak.fixed).search()
        }
        #expect(faults(leak, leaky, fixed) == [])
    }
}

final class XCTestTests: XCTestCase {
    private var expectsFailures = false

    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        if expectsFailures { return }
        super.recordFailure(withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }

    func testSynchronousLeaks_areFoundAndNamed_andTheirMendsAreClean() {
        for leak in PublishedLeak.all where !leak.leaky.isAsynchronous {
            expectsFailures = true
            let leaky = RoundTrip(leak, leak.leaky)
            let fixed = RoundTrip(leak, leak.fixed)
            let reports = (
                try? expectNoLeaks(named: leak.name) { try leaky.run() },
                try? expectNoLeaks(named: leak.name) { try fixed.run() }
            )
            expectsFailures = false
            XCTAssertEqual(faults(leak, reports.0, reports.1), [])
        }
    }

    func testAsynchronousLeaks_areFoundAndNamed_andTheirMendsAreClean() async {
        for leak in PublishedLeak.all where leak.leaky.isAsynchronous {
            expectsFailures = true
            let leaky = await RoundTrip(leak, leak.leaky).search()
            let fixed = await RoundTrip(leak, leak.fixed).search()
            expectsFailures = false
            XCTAssertEqual(faults(leak, leaky, fixed), [])
        }
    }
}
